import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import type { ReadText } from './texts.ts';

interface Node {
  type: string;
  [name: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

const unread = new Set([
  'ImportDeclaration',
  'ImportExpression',
  'TaggedTemplateExpression',
  'TSTypeAnnotation',
  'TSLiteralType',
]);

/** {{count}} for a number of things, otherwise an ellipsis. */
function placeOf(value: Node | undefined): string {
  const named = value?.type === 'MemberExpression' && isNode(value['property']) ? value['property'] : value;
  return /^(?:n|count|length|size|total|rows|days|hours|minutes|seconds|attempts)$/.test(String(named?.['name']))
    ? '{{count}}'
    : '…';
}

function stringsOf(node: Node): string[] {
  if (unread.has(node.type)) return [];
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? [node['value']] : [];
  const inner = Object.entries(node).flatMap(([name, value]) => {
    if (name === 'key' || name === 'quasis') return [];
    return [value].flat().filter(isNode).flatMap(stringsOf);
  });
  if (node.type !== 'TemplateLiteral') return inner;
  const quasis = node['quasis'] as readonly { value: { cooked: string } }[];
  const values = node['expressions'] as readonly Node[];
  return [quasis.map(({ value }, at) => value.cooked + (at < values.length ? placeOf(values[at]) : '')).join(''), ...inner];
}

const sql =
  /^\s*(?:select|insert|update|delete|with|create|alter|drop|where|and|or|on|from|set|order by|left join|join|exists|case|coalesce|lock|begin|commit|rollback|truncate|returning|for update|limit|not|analyze|vacuum|reindex|attach|execute|grant|revoke|comment|do|declare|copy|explain|show|start|listen|notify|prepare|deallocate)\b(?=[^A-Z]*$)/;

const code = /^import |\bselect\b[^]*\bfrom\b|<\/?[a-z]+[^<]*>[^]*<\/|\{[\w-]+:|=>|'(?:self|none)'|:not\(|\$!/;

/** At least three English words. */
const isSentence = (text: string): boolean => (text.match(/(?<![\w.-])[A-Za-z][a-z’']*(?=[\s,.:;?!)]|$)/g) ?? []).length >= 3;

const filesIn = (folder: string, fits: (file: string) => boolean): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !/\.test\.tsx?$/.test(file) && fits(file))
    .map((file) => join(folder, file));

export function sourceTexts(folder: string, fits: (file: string) => boolean = () => true): ReadText[] {
  return filesIn(folder, fits).flatMap((file) =>
    stringsOf(parseSync(file, readFileSync(file, 'utf8')).program as unknown as Node)
      .filter((text) => isSentence(text) && !sql.test(text) && !code.test(text))
      .map((text) => ({ key: file, text })),
  );
}
