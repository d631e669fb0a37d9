import { atom } from 'nanostores';
import type { ExportJobRow } from '../../../api/exports/contract.ts';
import { readStoredJson, writeStored } from '../prefs/storage.ts';
import { $loginEmail } from '../session/session.ts';

/** The person's exports, newest first. */
export const $exportJobs = atom<readonly ExportJobRow[]>([]);
export const $exportsOpen = atom(false);

/** IDs of exports that this browser started and has not saved yet. */
const pendingKey = 'prefs.exports';
const isIdList = (value: unknown): value is string[] => Array.isArray(value) && value.every((id) => typeof id === 'string');
export const $pendingExports = atom<readonly string[]>(readStoredJson(pendingKey, isIdList) ?? []);

export function setPendingExports(ids: readonly string[]): void {
  $pendingExports.set(ids);
  writeStored(pendingKey, ids.length > 0 ? JSON.stringify(ids) : null);
}

$loginEmail.listen(() => {
  $exportJobs.set([]);
  $exportsOpen.set(false);
});

export const isUnfinished = ({ state }: Pick<ExportJobRow, 'state'>): boolean => state === 'queued' || state === 'running';
