import { readStoredJson, writeStored } from '../../prefs/storage.ts';
import { $viewContexts, type EntityName, type Target } from '../../scope.ts';
import { $loginEmail } from '../../session/session.ts';

/** A record opened on this device, with its last known name. */
export interface RecentRecord {
  by: string;
  entity: EntityName;
  id: string;
  name: string;
}

const key = 'prefs.recent';
/** Per person. */
const maxPerEntity = 5;
const maxRecents = 50;

const isRecentList = (value: unknown): value is RecentRecord[] =>
  Array.isArray(value) &&
  value.every((item: unknown) => ['by', 'entity', 'id', 'name'].every((name) => typeof (item as never)?.[name] === 'string'));

const readRecents = (): readonly RecentRecord[] => readStoredJson(key, isRecentList) ?? [];
const writeRecents = (recents: readonly RecentRecord[]): void => void writeStored(key, JSON.stringify(recents));
const isSame = (item: Omit<RecentRecord, 'name'>, otherItem: Omit<RecentRecord, 'name'>): boolean =>
  item.by === otherItem.by && item.entity === otherItem.entity && item.id === otherItem.id;

/** Newest first. */
export const recentRecords = (): readonly RecentRecord[] => readRecents().filter(({ by }) => by === $loginEmail.get());

/** Records opened records. Returns an unsubscribe function. */
export const trackRecentRecords = (): (() => void) =>
  $viewContexts.subscribe((contexts) => {
    const topContext = contexts.at(-1);
    // A list has controls. Records of a queue (`reading`) do not count.
    if (topContext?.cursor && topContext.controls === null && !topContext.reading) recordRecent(topContext.cursor);
  });

function recordRecent({ entity, id, name }: Target): void {
  const recent: RecentRecord = { by: $loginEmail.get(), entity, id, name };
  const previousRecents = readRecents();
  if (previousRecents[0] && isSame(previousRecents[0], recent) && previousRecents[0].name === name) return;
  const recentsOfPerson = previousRecents
    .filter((item) => item.by === recent.by && !isSame(item, recent))
    .slice(0, maxPerEntity - 1);
  const otherRecents = previousRecents.filter(({ by }) => by !== recent.by);
  writeRecents([recent, ...recentsOfPerson, ...otherRecents].slice(0, maxRecents));
}

/** Updates the name, or removes the record if `name` is null. */
export const renameRecent = (recent: RecentRecord, name: string | null): void =>
  writeRecents(readRecents().flatMap((item) => (!isSame(item, recent) ? [item] : name === null ? [] : [{ ...item, name }])));
