import type { CommandId } from '../../../../../api/names.ts';
import { $loginEmail } from '../../../../lib/session/session.ts';
import { normalizeQuery } from './search.ts';
import { readStoredJson, writeStored } from '../../../../lib/prefs/storage.ts';

interface Use {
  by: string;
  id: string;
  typed: string;
  count: number;
  at: number;
}

const key = 'prefs.uses';
const halfLifeMs = 14 * 24 * 3600_000;
const maxUses = 300;
const maxLength = 40;

const isUses = (value: unknown): value is Use[] =>
  Array.isArray(value) &&
  value.every(
    (use: unknown) =>
      typeof use === 'object' &&
      use !== null &&
      'by' in use &&
      'id' in use &&
      'typed' in use &&
      typeof use.typed === 'string' &&
      'count' in use &&
      typeof use.count === 'number' &&
      'at' in use &&
      typeof use.at === 'number',
  );

let uses: readonly Use[] = readStoredJson(key, isUses) ?? [];

const usageKey = (query: string): string => normalizeQuery(query).slice(0, maxLength);
const ownUses = (): readonly Use[] => uses.filter(({ by }) => by === $loginEmail.get());
/** Use halves in two weeks. */
const decayedWeight = ({ count, at }: Use, now: number): number => count * 0.5 ** ((now - at) / halfLifeMs);

/** Drops the least used entries when full. */
export function recordUse(id: CommandId, query: string, now = Date.now()): void {
  const [by, typed] = [$loginEmail.get(), usageKey(query)];
  const isThis = (use: Use) => use.by === by && use.id === id && use.typed === typed;
  const known = uses.find(isThis);
  const use: Use = { by, id, typed, count: (known ? decayedWeight(known, now) : 0) + 1, at: now };
  uses = [use, ...uses.filter((other) => !isThis(other)).sort((a, b) => decayedWeight(b, now) - decayedWeight(a, now))].slice(
    0,
    maxUses,
  );
  writeStored(key, JSON.stringify(uses));
}

export function usageWeights(now = Date.now()): (id: CommandId) => number {
  const sums = new Map<string, number>();
  for (const use of ownUses()) sums.set(use.id, (sums.get(use.id) ?? 0) + decayedWeight(use, now));
  return (id) => sums.get(id) ?? 0;
}

/** Longer matching prefixes weigh more. */
export function learnedWeights(query: string, now = Date.now()): (id: CommandId) => number {
  const typed = usageKey(query);
  const reported = new Map<string, number>();
  for (const use of ownUses()) {
    if (use.typed === '' || !typed.startsWith(use.typed)) continue;
    // Below one, so that a longer prefix always weighs more.
    const much = use.typed.length + 1 - 1 / (1 + decayedWeight(use, now));
    reported.set(use.id, Math.max(reported.get(use.id) ?? 0, much));
  }
  return (id) => reported.get(id) ?? 0;
}
