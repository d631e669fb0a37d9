import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, type CommandSheet, type ParamSheet } from '../src/commands/app/describe.ts';
import { registry } from '../src/commands/app/all.ts';
import { code, table } from './permissions.ts';
import { contractOf, listNames, type Contract } from './qa/contract.ts';
import { resultTypes } from './qa/results.ts';
import { typesOf } from './qa/types.ts';
import { typeOf } from './schema-words.ts';

export async function commandManual(): Promise<string> {
  const sheets = await Promise.all(
    registry.all.map(async (command) => ({ ...(await describe(command)), keys: command.keys ?? [] })),
  );
  const resources = [...new Set(sheets.map(({ id }) => resourceOf(id)))].toSorted();
  return [
    '# Commands',
    '',
    'Generated from the code by `npm run commands`. A test fails when this page is out of date. People run commands from the palette, shortcuts, menus and buttons. Scripts run them by ID (`e2e/README.md`), and a shell runs them with `npm run command -- <id>`. On a signed-in page, `await admin.list()` returns the same list with JSON Schemas.',
    '',
    `There are ${sheets.length} commands. *Permission* is the permission (a command ID) or the screen that the command and its routes need. *Targets* are the records it runs on and how many at a time. Parameters in **bold** are required. *Danger*: reversible commands offer undo. Irreversible and money commands, and those marked *asks*, require confirmation. A script confirms with \`confirm: true\`.`,
    '',
    ...resources.flatMap((resource) => [
      `## ${resource}`,
      '',
      table(
        ['Command', '名称', 'Name', 'Keys', 'Permission', 'Targets', 'Parameters', 'Danger'],
        sheets
          .filter(({ id }) => resourceOf(id) === resource)
          .map(({ id, name, keys, permission, target, params, danger, confirms }) => [
            code(id),
            cell(name.zh),
            cell(name.en),
            keys.map((key) => code(key)).join(', '),
            permission === 'anyone' ? 'signed in' : code(permission),
            aimOf(target),
            params.map(paramOf).join('<br>'),
            [danger === 'none' ? '' : danger, confirms && (danger === 'none' || danger === 'reversible') ? 'asks' : '']
              .filter(Boolean)
              .join(', '),
          ]),
      ),
    ]),
  ].join('\n');
}

const resourceOf = (id: string): string => id.slice(0, id.indexOf('.'));

function aimOf(target: CommandSheet['target']): string {
  if (target === 'none') return '';
  return target.kind === 'one' ? `one ${code(target.entity)}` : `1 to ${target.max} ${code(target.entity)}`;
}

function paramOf({ name, kind, required, label, schema }: ParamSheet): string {
  const shown = required ? `**${code(name)}**` : code(name);
  return `${shown} ${label ? `${cell(label.zh)} ${cell(label.en)}: ` : ''}${kind === 'secret' ? 'secret ' : ''}${cell(typeOf(schema))}`;
}

const cell = (text: string) => text.replaceAll('|', '\\|');

const file = (path: string) => new URL(`../${path}`, import.meta.url);
const read = (path: string) => readFileSync(file(path), 'utf8');
export const committedManual = () => read('docs/commands.md');
export const committedContract = () => JSON.parse(read('docs/commands.json')) as Contract;
export const committedTypes = () => read('qa/kit/commands.ts');

async function writeAll(): Promise<void> {
  writeFileSync(file('docs/commands.md'), await commandManual());
  const contract = await contractOf(await resultTypes(listNames()));
  writeFileSync(file('docs/commands.json'), `${JSON.stringify(contract, null, 2)}\n`);
  writeFileSync(file('qa/kit/commands.ts'), typesOf(contract));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) void writeAll();
