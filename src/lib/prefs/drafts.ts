import { $loginEmail } from '../session/session.ts';
import { readStoredJson, storedKeys, writeStored } from './storage.ts';

/**
 * What somebody was typing, kept in this browser until it is sent or thrown away: it survives a reload,
 * a sign-out and a failed chunk. Kept per person, so that the next one at this desk does not find it.
 */
export interface Draft {
  /** When it was last typed at, milliseconds. */
  at: number;
  /** Only what was changed. */
  values: Readonly<Record<string, unknown>>;
  /** What stood there before: when that has changed meanwhile, somebody else was at it too. */
  base: Readonly<Record<string, unknown>>;
}

const prefix = 'drafts.';
const maxAge = 30 * 24 * 3600_000;

const keyOf = (key: string) => `${prefix}${$loginEmail.get()}.${key}`;

export function readDraft(key: string, now = Date.now()): Draft | null {
  const draft = readStoredJson(keyOf(key), isDraft);
  return draft && now - draft.at <= maxAge ? draft : null;
}

/** False when the browser would not keep it. */
export function saveDraft(key: string, { values, base }: Omit<Draft, 'at'>, now = Date.now()): boolean {
  pruneDrafts(now);
  return writeStored(keyOf(key), JSON.stringify({ at: now, values, base } satisfies Draft));
}

export const dropDraft = (key: string): boolean => writeStored(keyOf(key), null);

let lastPruned = -Infinity;

/** Once a day removes drafts that nobody came back to within thirty days. */
function pruneDrafts(now: number): void {
  if (now - lastPruned < maxAge / 30) return;
  lastPruned = now;
  for (const key of storedKeys(prefix)) {
    const draft = readStoredJson(key, isDraft);
    if (!draft || now - draft.at > maxAge) writeStored(key, null);
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isDraft = (value: unknown): value is Draft =>
  isRecord(value) && typeof value['at'] === 'number' && isRecord(value['values']) && isRecord(value['base']);
