import type { CommandContract, Contract } from './contract.ts';

/** qa/kit/commands.ts. */
export function typesOf({ version, rows, lists, commands }: Contract): string {
  return `// Made by npm run commands from docs/commands.json: not by hand.

/** The version of the panel that these commands are of. */
export const version = '${version}';

/** Each kind of record, as the panel shows it. */
export interface Rows {
${members(rows)}
}

/** What may be read: the filter's fields in the spelling of the address (\`shown: 'true'\`, \`time: '2026-01-01T00:00:00.000Z..'\`). */
export interface Lists {
${members(
  Object.fromEntries(
    Object.entries(lists).map(([name, { sorts, filter, row }]) => [
      name,
      `{ sort: ${sorts.map((sort) => `'${sort}'`).join(' | ')}; filter: { ${filter.map((field) => `${field}?: string`).join('; ')} }; row: ${row} }`,
    ]),
  ),
)}
}

/** What each list is sorted by unless a script says otherwise. */
export const listSorts: { readonly [Name in keyof Lists]: Lists[Name]['sort'] } = {
${Object.entries(lists)
  .map(([name, { sorts }]) => `  ${name}: '${sorts[0]}',`)
  .join('\n')}
};

/** The right that each command asks for; a screen's path where whoever sees it may. */
export const commandRights: Readonly<Record<keyof Commands, string>> = {
${Object.entries(commands)
  .map(([id, { permission }]) => `  '${id}': '${permission}',`)
  .join('\n')}
};

/** Every command: what it aims at, what it takes, and what it answers as \`value\`. */
export interface Commands {
${members(Object.fromEntries(Object.entries(commands).map(([id, command]) => [id, entryOf(command)])))}
}
`;
}

const members = (of: Record<string, string>) =>
  Object.entries(of)
    .map(([name, type]) => `  ${/^[a-zA-Z_]\w*$/.test(name) ? name : `'${name}'`}: ${type};`)
    .join('\n');

function entryOf({ targets, params, result }: CommandContract): string {
  const given = Object.entries(params).map(([name, { required, type }]) => `${name}${required ? '' : '?'}: ${type}`);
  return `{ targets: ${targets ? `'${targets.of}'` : 'null'}; params: ${given.length > 0 ? `{ ${given.join('; ')} }` : 'null'}; value: ${result} }`;
}
