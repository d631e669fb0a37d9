import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, type CommandSheet, type ParamSheet } from '../src/commands/app/describe.ts';
import { registry } from '../src/commands/app/all.ts';
import { codeSpan, markdownTable } from './permissions.ts';
import { contractOf, listNames, type Contract } from './qa/contract.ts';
import { resultTypes } from './qa/results.ts';
import { typesOf } from './qa/types.ts';
import { schemaTypeText } from './schema-words.ts';

/** By job, in the order of the page. The words are those before the dot of an ID. */
const jobs: readonly { title: string; resources: readonly string[] }[] = [
  { title: 'Go to a screen 前往页面', resources: ['go'] },
  { title: 'Publish and answer 发布与回复', resources: ['news', 'notices', 'feedback'] },
  {
    title: 'Move money 资金操作',
    resources: ['deposits', 'withdrawals', 'authority', 'dataPanel', 'evm', 'alarms'],
  },
  { title: 'Run CRSM positions 管理 CRSM 仓位', resources: ['crsm'] },
  { title: 'Reward users 积分与空投', resources: ['points', 'balances', 'airdrops'] },
  {
    title: 'Read statistics 查看统计',
    resources: ['overview', 'chart', 'visits', 'vaults', 'positionStats', 'walletConnections', 'teams', 'draws'],
  },
  { title: 'Manage access 管理权限', resources: ['administrators', 'roles', 'permissions', 'services', 'identity', 'audit'] },
  { title: 'Manage your account 管理我的账户', resources: ['account', 'session', 'cli'] },
  {
    title: 'Work in lists and records 处理列表与记录',
    resources: ['list', 'values', 'record', 'batch', 'views', 'history', 'exportJobs'],
  },
  {
    title: 'Set up the panel 设置面板',
    resources: ['palette', 'keys', 'macros', 'language', 'theme', 'density', 'sidebar', 'page', 'panel', 'qa'],
  },
];

type Sheet = CommandSheet & { keys: readonly string[] };

export async function commandManual(): Promise<string> {
  const sheets: Sheet[] = await Promise.all(
    registry.all.map(async (command) => ({ ...(await describe(command)), keys: command.keys ?? [] })),
  );
  const listedResources = new Set(jobs.flatMap(({ resources }) => resources));
  const otherResources = [
    ...new Set(sheets.map(({ id }) => resourceOf(id)).filter((resource) => !listedResources.has(resource))),
  ].toSorted();
  const allJobs = [
    ...jobs,
    ...(otherResources.length > 0 ? [{ title: 'Other records 其他记录', resources: otherResources }] : []),
  ];
  return [
    '# Commands',
    '',
    'For people who look for a command, and for authors of scripts. After reading this page you know its shortcut, who may run it and what it takes.',
    '',
    'Generated from the code by `npm run commands`. A test fails when this page is out of date.',
    '',
    `There are ${sheets.length} commands. *Permission* is the permission (a command ID) or the screen that the command and its routes need. Open *IDs and parameters* for scripts:`,
    '',
    '- Scripts run commands by ID (`e2e/README.md`), and a shell runs them with `npm run command -- <id>`. On a signed-in page, `await admin.list()` returns the same list with JSON Schemas.',
    '- *Targets* are the records it runs on and how many at a time. Parameters in **bold** are required.',
    '- *Danger*: reversible commands offer undo. Irreversible and money commands, and those marked *asks*, require confirmation. A script confirms with `confirm: true`.',
    '',
    ...allJobs.flatMap(({ title, resources }) => [
      `## ${title}`,
      '',
      ...section(resources.flatMap((resource) => sheets.filter(({ id }) => resourceOf(id) === resource))),
    ]),
  ].join('\n');
}

const section = (sheets: readonly Sheet[]): string[] => [
  markdownTable(
    ['名称', 'Name', 'Keys', 'Permission'],
    sheets.map(({ name, keys, permission }) => [
      cell(name.zh),
      cell(name.en),
      keys.map((key) => codeSpan(key)).join(', '),
      permission === 'anyone' ? 'signed in' : codeSpan(permission),
    ]),
  ),
  '<details>',
  '<summary>IDs and parameters</summary>',
  '',
  markdownTable(
    ['Command', 'Targets', 'Parameters', 'Danger'],
    sheets.map(({ id, target, params, danger, confirms }) => [
      codeSpan(id),
      targetText(target),
      params.map(paramText).join('<br>'),
      [danger === 'none' ? '' : danger, confirms && (danger === 'none' || danger === 'reversible') ? 'asks' : '']
        .filter(Boolean)
        .join(', '),
    ]),
  ),
  '</details>',
  '',
];

const resourceOf = (id: string): string => id.slice(0, id.indexOf('.'));

function targetText(target: CommandSheet['target']): string {
  if (target === 'none') return '';
  return target.kind === 'one' ? `one ${codeSpan(target.entity)}` : `1 to ${target.max} ${codeSpan(target.entity)}`;
}

function paramText({ name, kind, required, label, schema }: ParamSheet): string {
  const displayedName = required ? `**${codeSpan(name)}**` : codeSpan(name);
  return `${displayedName} ${label ? `${cell(label.zh)} ${cell(label.en)}: ` : ''}${kind === 'secret' ? 'secret ' : ''}${cell(schemaTypeText(schema))}`;
}

const cell = (text: string) => text.replaceAll('|', '\\|');

const file = (path: string) => new URL(`../${path}`, import.meta.url);
const readText = (path: string) => readFileSync(file(path), 'utf8');
export const committedManual = () => readText('docs/commands.md');
export const committedContract = () => JSON.parse(readText('docs/commands.json')) as Contract;
export const committedTypes = () => readText('qa/kit/commands.ts');

async function writeAll(): Promise<void> {
  writeFileSync(file('docs/commands.md'), await commandManual());
  const contract = await contractOf(await resultTypes(listNames()));
  writeFileSync(file('docs/commands.json'), `${JSON.stringify(contract, null, 2)}\n`);
  writeFileSync(file('qa/kit/commands.ts'), typesOf(contract));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) void writeAll();
