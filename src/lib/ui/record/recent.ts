import { readStoredJson, writeStored } from '../../prefs/storage.ts';
import { $viewContexts, type EntityName, type Target } from '../../scope.ts';
import { $loginEmail } from '../../session/session.ts';

/** A record opened on this device, with its last known name. */
export interface Recent {
  by: string;
  entity: EntityName;
  id: string;
  name: string;
}

const key = 'prefs.recent';
/** Per person. */
const maxPerEntity = 5;
const maxRecents = 50;

const isRecents = (value: unknown): value is Recent[] =>
  Array.isArray(value) &&
  value.every((one: unknown) => ['by', 'entity', 'id', 'name'].every((name) => typeof (one as never)?.[name] === 'string'));

const all = (): readonly Recent[] => readStoredJson(key, isRecents) ?? [];
const write = (recents: readonly Recent[]): void => void writeStored(key, JSON.stringify(recents));
const isSame = (one: Omit<Recent, 'name'>, other: Omit<Recent, 'name'>): boolean =>
  one.by === other.by && one.entity === other.entity && one.id === other.id;

/** Newest first. */
export const recentRecords = (): readonly Recent[] => all().filter(({ by }) => by === $loginEmail.get());

/** Records opened records. Returns an unsubscribe function. */
export const followRecent = (): (() => void) =>
  $viewContexts.subscribe((frames) => {
    const top = frames.at(-1);
    // A list has controls. Records of a queue (`reading`) do not count.
    if (top?.cursor && top.controls === null && !top.reading) noteRecent(top.cursor);
  });

function noteRecent({ entity, id, name }: Target): void {
  const recent: Recent = { by: $loginEmail.get(), entity, id, name };
  const before = all();
  if (before[0] && isSame(before[0], recent) && before[0].name === name) return;
  const ownRecent = before.filter((one) => one.by === recent.by && !isSame(one, recent)).slice(0, maxPerEntity - 1);
  const others = before.filter(({ by }) => by !== recent.by);
  write([recent, ...ownRecent, ...others].slice(0, maxRecents));
}

/** Updates the name, or removes the record if `name` is null. */
export const renameRecent = (recent: Recent, name: string | null): void =>
  write(all().flatMap((one) => (!isSame(one, recent) ? [one] : name === null ? [] : [{ ...one, name }])));
