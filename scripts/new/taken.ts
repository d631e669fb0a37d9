import { contract } from '../../api/contract.ts';
import { flatMenu } from '../../api/menu.ts';
import { registry } from '../../src/commands/app/all.ts';
import { zhResources } from '../../src/lib/i18n/zh-CN/resources.ts';
import { SetupError } from '../setup.mjs';
import type { SpelledNames } from './words.ts';

/** Throws SetupError if a command, screen, table or key is in use. `tables` is source text. */
export function refuseTaken({ key, oneKey, table }: SpelledNames, tables: string, keys?: string): void {
  const taken = (what: string) => new SetupError(`${key} is taken: ${what}. Choose another name.`);
  if (key in contract) throw taken(`the contract already has this resource`);
  if (key in zhResources) throw taken('the dictionaries already have this key');
  const command = registry.all.find(({ id }) => id.startsWith(`${key}.`) || id === `go.${key}`);
  if (command) throw taken(`${command.id} is a command`);
  if (flatMenu().some(({ path }) => path === `/${key}`)) throw taken(`/${key} is a screen`);
  if (tables.includes(`'${table}',`)) throw taken(`the database has a table ${table}`);
  if (oneKey in zhResources.kinds) throw taken(`the audit calls another kind of record ${oneKey}`);
  if (keys !== undefined) refuseKeys(keys);
}

function refuseKeys(keys: string): void {
  if (!/^g [a-z]$/.test(keys)) throw new SetupError(`--key must be g and a letter, like --key 'g b', not "${keys}"`);
  const used = new Map(registry.all.flatMap((command) => (command.keys ?? []).map((own) => [own, command.id] as const)));
  const free = [...'abcdefghijklmnopqrstuvwxyz'].filter((letter) => letter !== 'g' && !used.has(`g ${letter}`));
  const owner = used.get(keys);
  if (owner) throw new SetupError(`${keys} belongs to ${owner}. Free letters after g: ${free.join(' ')}`);
}
