import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registry } from '../commands/app/all.ts';

const button = /<(\w*Button)\b(?:[^<]*?\/>|[^]*?<\/\1>)/g;
const textKeyPattern = /\bt\w*\(\s*(?:[^()'`]*\? )?'([\w.]+)'(?: : '([\w.]+)')?/g;

const screenButtonKeys = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .flatMap((file) => [...readFileSync(join('src', file), 'utf8').matchAll(button)])
  .flatMap(([element]) => [...element.matchAll(textKeyPattern)].flatMap(([, firstKey, secondKey]) => [firstKey, secondKey]));

/** A form without a confirmation uses the command's name. */
const formButtonKeys = registry.all.filter(({ params }) => params !== null).map(({ id }) => `command ${id}`);

const buttonKeys = new Set([...screenButtonKeys, ...formButtonKeys]);

/** Labels of one word whose context shows the object. */
export const oneWordButtons: Readonly<Record<string, string>> = {
  'common.cancel': 'the dialog',
  'common.close': 'the dialog',
  'common.retry': 'beside what failed',
  'common.undo': 'in the entry of what was done',
  'history.repeat': 'in the entry of what was done',
  'value.copy': 'beside the value',
  'form.now': 'in a time field',
  'form.most': 'in an amount field',
  'form.picksAll': 'in a field with several choices',
  'history.macros': 'opens the macros',
  'list.display': 'opens a menu of the list',
  'page.filter': 'opens the filters of the list',
  'views.title': 'opens the saved views of the list',
};

/** Without values and the contract function in brackets. */
export const readLabel = (text: string): string => text.replace(/\s*[(（]\w+[)）]$|\{\{\w+\}\}/g, '');

export const isButton = (key: string): boolean => /\.ask\..+\.act$/.test(key) || buttonKeys.has(key);
