import type { CommandContract, Contract } from './contract.ts';

/** qa/kit/commands.ts. */
export function typesOf({ version, rows, lists, commands }: Contract): string {
  return `// Made by npm run commands from docs/commands.json: not by hand.

/** The panel's version. */
export const version = '${version}';

export interface Rows {
${membersText(rows)}
}

/** Filters are spelled as in the address: \`shown: 'true'\`, \`time: '2026-01-01T00:00:00.000Z..'\`. */
export interface Lists {
${membersText(
  Object.fromEntries(
    Object.entries(lists).map(([name, { sorts, filter, row }]) => [
      name,
      `{ sort: ${sorts.map((sort) => `'${sort}'`).join(' | ')}; filter: { ${filter.map((field) => `${field}?: string`).join('; ')} }; row: ${row} }`,
    ]),
  ),
)}
}

/** Default sort of each list. */
export const listSorts: { readonly [Name in keyof Lists]: Lists[Name]['sort'] } = {
${Object.entries(lists)
  .map(([name, { sorts }]) => `  ${name}: '${sorts[0]}',`)
  .join('\n')}
};

/** The permission of each command, or the path of a screen whose viewers may run it. */
export const commandRights: Readonly<Record<keyof Commands, string>> = {
${Object.entries(commands)
  .map(([id, { permission }]) => `  '${id}': '${permission}',`)
  .join('\n')}
};

/** Targets, parameters and result of each command. */
export interface Commands {
${membersText(Object.fromEntries(Object.entries(commands).map(([id, command]) => [id, entryOf(command)])))}
}
`;
}

const membersText = (typesByName: Record<string, string>) =>
  Object.entries(typesByName)
    .map(([name, type]) => `  ${/^[a-zA-Z_]\w*$/.test(name) ? name : `'${name}'`}: ${type};`)
    .join('\n');

function entryOf({ targets, params, result }: CommandContract): string {
  const paramTexts = Object.entries(params).map(([name, { required, type }]) => `${name}${required ? '' : '?'}: ${type}`);
  return `{ targets: ${targets ? `'${targets.of}'` : 'null'}; params: ${paramTexts.length > 0 ? `{ ${paramTexts.join('; ')} }` : 'null'}; value: ${result} }`;
}
