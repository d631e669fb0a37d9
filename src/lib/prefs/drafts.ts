import { $loginEmail } from '../session/session.ts';
import { readStoredJson, storedKeys, writeStored } from './storage.ts';

/** Unsent form input, kept per person in this browser across reloads, sign-outs and failed chunks. */
export interface Draft {
  /** Milliseconds. */
  at: number;
  /** Only changed fields. */
  values: Readonly<Record<string, unknown>>;
  /** The values before, to detect changes by other people. */
  base: Readonly<Record<string, unknown>>;
}

const keyPrefix = 'drafts.';
const maxAge = 30 * 24 * 3600_000;

const draftKey = (key: string) => `${keyPrefix}${$loginEmail.get()}.${key}`;

export function readDraft(key: string, now = Date.now()): Draft | null {
  const draft = readStoredJson(draftKey(key), isDraft);
  return draft && now - draft.at <= maxAge ? draft : null;
}

/** False if storage failed. */
export function saveDraft(key: string, { values, base }: Omit<Draft, 'at'>, now = Date.now()): boolean {
  pruneDrafts(now);
  return writeStored(draftKey(key), JSON.stringify({ at: now, values, base } satisfies Draft));
}

export const dropDraft = (key: string): boolean => writeStored(draftKey(key), null);

let lastPruned = -Infinity;

/** Removes drafts older than thirty days, once a day. */
function pruneDrafts(now: number): void {
  if (now - lastPruned < maxAge / 30) return;
  lastPruned = now;
  for (const key of storedKeys(keyPrefix)) {
    const draft = readStoredJson(key, isDraft);
    if (!draft || now - draft.at > maxAge) writeStored(key, null);
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isDraft = (value: unknown): value is Draft =>
  isRecord(value) && typeof value['at'] === 'number' && isRecord(value['values']) && isRecord(value['base']);
