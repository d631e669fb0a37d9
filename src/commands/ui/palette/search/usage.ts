import type { CommandId } from '../../../../../api/names.ts';
import { $loginEmail } from '../../../../lib/session/session.ts';
import { normalizeQuery } from './search.ts';
import { readStoredJson, writeStored } from '../../../../lib/prefs/storage.ts';

interface CommandUse {
  by: string;
  id: string;
  typed: string;
  count: number;
  at: number;
}

const storageKey = 'prefs.uses';
const halfLifeMs = 14 * 24 * 3600_000;
const maxUses = 300;
const maxLength = 40;

const isCommandUses = (value: unknown): value is CommandUse[] =>
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

let uses: readonly CommandUse[] = readStoredJson(storageKey, isCommandUses) ?? [];

const usageKey = (query: string): string => normalizeQuery(query).slice(0, maxLength);
const ownUses = (): readonly CommandUse[] => uses.filter(({ by: email }) => email === $loginEmail.get());
/** Use halves in two weeks. */
const decayedWeight = ({ count, at }: CommandUse, now: number): number => count * 0.5 ** ((now - at) / halfLifeMs);

/** Drops the least used entries when full. */
export function recordUse(id: CommandId, query: string, now = Date.now()): void {
  const [email, queryKey] = [$loginEmail.get(), usageKey(query)];
  const isSameUse = (use: CommandUse) => use.by === email && use.id === id && use.typed === queryKey;
  const previousUse = uses.find(isSameUse);
  const use: CommandUse = {
    by: email,
    id,
    typed: queryKey,
    count: (previousUse ? decayedWeight(previousUse, now) : 0) + 1,
    at: now,
  };
  uses = [
    use,
    ...uses.filter((candidate) => !isSameUse(candidate)).sort((a, b) => decayedWeight(b, now) - decayedWeight(a, now)),
  ].slice(0, maxUses);
  writeStored(storageKey, JSON.stringify(uses));
}

export function usageWeights(now = Date.now()): (id: CommandId) => number {
  const weights = new Map<string, number>();
  for (const use of ownUses()) weights.set(use.id, (weights.get(use.id) ?? 0) + decayedWeight(use, now));
  return (id) => weights.get(id) ?? 0;
}

/** Longer matching prefixes weigh more. */
export function learnedWeights(query: string, now = Date.now()): (id: CommandId) => number {
  const queryKey = usageKey(query);
  const weights = new Map<string, number>();
  for (const use of ownUses()) {
    if (use.typed === '' || !queryKey.startsWith(use.typed)) continue;
    // Below one, so that a longer prefix always weighs more.
    const weight = use.typed.length + 1 - 1 / (1 + decayedWeight(use, now));
    weights.set(use.id, Math.max(weights.get(use.id) ?? 0, weight));
  }
  return (id) => weights.get(id) ?? 0;
}
