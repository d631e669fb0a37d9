import { readStoredJson, writeStored } from '../../prefs/storage.ts';
import { $frames, type EntityName, type Target } from '../../scope.ts';
import { $loginEmail } from '../../session/session.ts';

/** A record that somebody opened on this device, called as it was when it was last read. */
export interface Recent {
  by: string;
  entity: EntityName;
  id: string;
  name: string;
}

const key = 'prefs.recent';
/** Of each person. */
const kept = 5;
const keptOfAll = 50;

const isRecents = (value: unknown): value is Recent[] =>
  Array.isArray(value) &&
  value.every((one: unknown) => ['by', 'entity', 'id', 'name'].every((name) => typeof (one as never)?.[name] === 'string'));

const all = (): readonly Recent[] => readStoredJson(key, isRecents) ?? [];
const write = (recents: readonly Recent[]): void => void writeStored(key, JSON.stringify(recents));
const isSame = (one: Omit<Recent, 'name'>, other: Omit<Recent, 'name'>): boolean =>
  one.by === other.by && one.entity === other.entity && one.id === other.id;

/** What this person opened last on this device, the last first. */
export const recentRecords = (): readonly Recent[] => all().filter(({ by }) => by === $loginEmail.get());

/** Keeps note of each record that this person opens, until the answered function is called. */
export const followRecent = (): (() => void) =>
  $frames.subscribe((frames) => {
    const top = frames.at(-1);
    // A list has controls; one after another read in a queue is not opened.
    if (top?.cursor && top.controls === null && !top.reading) noteRecent(top.cursor);
  });

function noteRecent({ entity, id, name }: Target): void {
  const recent: Recent = { by: $loginEmail.get(), entity, id, name };
  const before = all();
  if (before[0] && isSame(before[0], recent) && before[0].name === name) return;
  const mine = before.filter((one) => one.by === recent.by && !isSame(one, recent)).slice(0, kept - 1);
  const others = before.filter(({ by }) => by !== recent.by);
  write([recent, ...mine, ...others].slice(0, keptOfAll));
}

/** What was read again: called as it is now, or forgotten (`name` null) where it is no more. */
export const renameRecent = (recent: Recent, name: string | null): void =>
  write(all().flatMap((one) => (!isSame(one, recent) ? [one] : name === null ? [] : [{ ...one, name }])));
