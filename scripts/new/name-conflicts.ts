import { contract } from '../../api/contract.ts';
import { flattenMenu } from '../../api/menu.ts';
import { registry } from '../../src/commands/app/all.ts';
import { zhResources } from '../../src/lib/i18n/zh-CN/resources.ts';
import { SetupError } from '../setup.mjs';
import type { SpelledNames } from './words.ts';

/** Throws SetupError if a command, screen, table or key is in use. `tables` is source text. */
export function assertNamesAvailable({ key, oneKey, table }: SpelledNames, tables: string, keys?: string): void {
  const nameConflict = (conflict: string) => new SetupError(`${key} is taken: ${conflict}. Choose another name.`);
  if (key in contract) throw nameConflict(`the contract already has this resource`);
  if (key in zhResources) throw nameConflict('the dictionaries already have this key');
  const command = registry.all.find(({ id }) => id.startsWith(`${key}.`) || id === `go.${key}`);
  if (command) throw nameConflict(`${command.id} is a command`);
  if (flattenMenu().some(({ path }) => path === `/${key}`)) throw nameConflict(`/${key} is a screen`);
  if (tables.includes(`'${table}',`)) throw nameConflict(`the database has a table ${table}`);
  if (oneKey in zhResources.kinds) throw nameConflict(`the audit calls another kind of record ${oneKey}`);
  if (keys !== undefined) assertKeysAvailable(keys);
}

function assertKeysAvailable(keys: string): void {
  if (!/^g [a-z]$/.test(keys)) throw new SetupError(`--key must be g and a letter, like --key 'g b', not "${keys}"`);
  const commandByKeys = new Map(
    registry.all.flatMap((command) => (command.keys ?? []).map((keySequence) => [keySequence, command.id] as const)),
  );
  const freeLetters = [...'abcdefghijklmnopqrstuvwxyz'].filter((letter) => letter !== 'g' && !commandByKeys.has(`g ${letter}`));
  const owner = commandByKeys.get(keys);
  if (owner) throw new SetupError(`${keys} belongs to ${owner}. Free letters after g: ${freeLetters.join(' ')}`);
}
