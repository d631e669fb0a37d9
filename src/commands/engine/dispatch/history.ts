import { atom } from 'nanostores';
import { $loginEmail } from '../../../lib/session/session.ts';
import { readStoredJson, writeStored } from '../../../lib/prefs/storage.ts';
import type { Invocation } from '../define.ts';

/** Secret parameters are removed before an entry is stored. */
export interface CommandHistoryEntry {
  id: string;
  invocation: Invocation;
  at: number;
  /** Names of its first records at that time. */
  names?: readonly string[];
  made?: readonly string[];
  /** At a shared desk people can't repeat or undo another person's work. */
  by: string;
  undo?: Invocation;
  instead?: Invocation;
  undone?: true;
  /** Ran on another device, so `repeat` skips it. */
  elsewhere?: true;
}

const storageKey = 'prefs.history';
const maxEntries = 50;

export const $history = atom<readonly CommandHistoryEntry[]>(readStoredJson(storageKey, isHistory) ?? []);

/** Returns the entry's id. */
export function addToHistory(entry: Omit<CommandHistoryEntry, 'by' | 'id'> & { by?: string }): string {
  const id = crypto.randomUUID();
  saveEntries([{ by: $loginEmail.get(), ...entry, id }, ...$history.get()].slice(0, maxEntries));
  return id;
}

/** Includes other tabs. Returns a function that stops following. */
export function followHistory(): () => void {
  const onStorage = ({ key: changedKey }: StorageEvent) => {
    if (changedKey === storageKey) $history.set(readStoredJson(storageKey, isHistory) ?? []);
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

/**
 * Undo moves to the entry before. `now` replaces record versions of older entries that the undo
 * restored.
 */
export function markUndone(entry: CommandHistoryEntry, now: Invocation['targets'] = []): void {
  const versions = new Map(now.flatMap((target) => (typeof target === 'string' ? [] : [[target.id, target.version]])));
  const withNewVersion = (target: VersionedTarget): VersionedTarget => {
    if (typeof target === 'string') return target;
    const previousTarget = entry.undo?.targets?.find(
      (undoTarget) => typeof undoTarget !== 'string' && undoTarget.id === target.id,
    );
    const version = versions.get(target.id);
    const isNext = typeof previousTarget === 'object' && previousTarget.version === target.version + 1;
    return isNext && version !== undefined ? { id: target.id, version } : target;
  };
  saveEntries(
    $history.get().map((stored) => {
      if (stored.id === entry.id) return { ...stored, undone: true as const };
      return stored.undo?.targets
        ? { ...stored, undo: { ...stored.undo, targets: stored.undo.targets.map(withNewVersion) } }
        : stored;
    }),
  );
}

type VersionedTarget = NonNullable<Invocation['targets']>[number];

export const ownEntries = (): readonly CommandHistoryEntry[] => $history.get().filter(({ by }) => by === $loginEmail.get());
/** An entry that can't be undone is not skipped for an older one. */
export const lastUndoable = (): CommandHistoryEntry | undefined => ownEntries().find(({ undone }) => !undone);
/** On this device: repeating what someone did elsewhere would surprise them here. */
export const lastRun = (): CommandHistoryEntry | undefined => ownEntries().find(({ elsewhere }) => !elsewhere);

let onChanged: (entries: readonly CommandHistoryEntry[]) => void = () => {};
/** Called with entries that were added or changed in this tab. */
export const setOnHistoryChanged = (listener: typeof onChanged): void => void (onChanged = listener);

/** Entries of one person as the server has them. An undo here that the server has not seen yet stays. */
export function mergeHistory(by: string, otherEntries: readonly Omit<CommandHistoryEntry, 'by'>[]): void {
  const localEntries = $history.get();
  const undoneIds = new Set(localEntries.flatMap(({ id, undone: isUndone }) => (isUndone ? [id] : [])));
  const otherIds = new Set(otherEntries.map(({ id }) => id));
  const ranHere = new Set(localEntries.flatMap(({ id, elsewhere }) => (elsewhere ? [] : [id])));
  const mergedEntries = [
    ...localEntries.filter((entry) => entry.by !== by || !otherIds.has(entry.id)),
    ...otherEntries.map((entry) => ({
      ...entry,
      by,
      ...(undoneIds.has(entry.id) ? { undone: true as const } : {}),
      ...(ranHere.has(entry.id) ? {} : { elsewhere: true as const }),
    })),
  ];
  storeEntries(mergedEntries.toSorted((a, b) => b.at - a.at).slice(0, maxEntries));
}

function saveEntries(entries: readonly CommandHistoryEntry[]): void {
  const previousEntries = new Map($history.get().map((entry) => [entry.id, JSON.stringify(entry)]));
  storeEntries(entries);
  const changedEntries = entries.filter((entry) => previousEntries.get(entry.id) !== JSON.stringify(entry));
  if (changedEntries.length > 0) onChanged(changedEntries);
}

function storeEntries(entries: readonly CommandHistoryEntry[]): void {
  $history.set(entries);
  writeStored(storageKey, JSON.stringify(entries));
}

function isHistory(value: unknown): value is CommandHistoryEntry[] {
  return (
    Array.isArray(value) &&
    value.every(
      (entry: unknown) =>
        typeof entry === 'object' &&
        entry !== null &&
        'id' in entry &&
        typeof entry.id === 'string' &&
        'at' in entry &&
        typeof entry.at === 'number' &&
        (!('names' in entry) || Array.isArray(entry.names)) &&
        'by' in entry &&
        'invocation' in entry &&
        typeof entry.invocation === 'object' &&
        entry.invocation !== null &&
        'id' in entry.invocation,
    )
  );
}
