import type { CommandId } from '../../../api/names.ts';
import { readStoredJson, writeStored } from '../../lib/storage.ts';

/** How often and how lately each command was picked in the palette. */
type Uses = Record<string, { count: number; at: number }>;

const key = 'prefs.uses';
const halfLife = 14 * 24 * 3600_000;

const isUses = (value: unknown): value is Uses =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every(
    (use: unknown) =>
      typeof use === 'object' &&
      use !== null &&
      'count' in use &&
      typeof use.count === 'number' &&
      'at' in use &&
      typeof use.at === 'number',
  );

let uses: Uses = readStoredJson(key, isUses) ?? {};

export function noteUse(id: CommandId, now = Date.now()): void {
  uses = { ...uses, [id]: { count: weightOf(id, now) + 1, at: now } };
  writeStored(key, JSON.stringify(uses));
}

/** Use that fades: half after two weeks. */
export function weightOf(id: string, now = Date.now()): number {
  const use = uses[id];
  return use ? use.count * 0.5 ** ((now - use.at) / halfLife) : 0;
}
