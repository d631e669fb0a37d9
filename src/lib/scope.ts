import { atom, computed } from 'nanostores';
import type { TextKey } from './i18n/i18n.ts';
import type { Filters, FilterValues } from './ui/list/filter/filters.ts';

/** The records commands can aim at, a resource's name and its row. Each feature adds its own (src/commands/<feature>/search.ts). */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface Entities {}
export type EntityName = keyof Entities;

/** One record as a command aims at it: frozen when the command was asked for. */
export type Target<E extends EntityName = EntityName> = {
  [K in E]: {
    entity: K;
    id: string;
    version: number;
    /** What people call it: a title, an email, an address. */
    name: string;
    row: Entities[K];
  };
}[E];

/** All that match a list's filter, as many as the person saw when they were chosen. */
export interface Matching {
  count: number;
  /** Which they are now, with their versions; refused (DRIFTED) when they are not the chosen ones any more. */
  items: () => Promise<readonly { id: string; version: number }[]>;
}

/** Rows that match a filter, as a route answers them (api/base.ts). */
export interface Matched {
  seal: string;
  items: Awaited<ReturnType<Matching['items']>>;
}

/** What a list knows of all that match. */
export interface Matchable {
  /** The filter as text. */
  question: string;
  /** How many were seen to match. */
  count?: Count | null;
  /** Asks which they are: so many, and under a seal exactly those. */
  matching?: ((expected: number, seal: string | null) => Promise<Matched>) | undefined;
}

const wholes = new WeakMap<readonly Target[], Matching>();
/** Lets checked rows, of which these are loaded, stand for all that match. */
export const standFor = (targets: readonly Target[], matching: Matching): void => void wholes.set(targets, matching);
/** What the targets stand for beyond themselves: all that match the filter, or nothing. */
export const matchingOf = (targets: readonly Target[]): Matching | undefined => wholes.get(targets);

/** A row with the columns in which it is shown, and the filters there are. */
export interface Cells {
  row: object;
  columns: readonly { id: string; header: TextKey }[];
  filters: Filters;
  asked: FilterValues;
  setFilter(patch: FilterValues): void;
}

/** What the list on screen offers to the list commands. */
export interface ListControls {
  move(step: number): void;
  moveTo(place: 'first' | 'last'): void;
  toggle(): void;
  extend(step: number): void;
  selectAll(): void;
  clear(): void;
  open(): void;
  focusFilter(): void;
  /** Opens the filter's menu at a field, at all of them, or at the values of the row under the cursor. */
  openFilter(name?: string | null, like?: boolean): void;
  closeFilter(): void;
  /** What may be asked of the list, by name. */
  filters(): Filters;
  clearFilter(): void;
  refresh(): void;
  openColumns(): void;
  resetColumns?(): void;
  copy(): void;
  /** Puts the cursor on a row, once there are rows; false when it is not among them. */
  goTo?(id: string): boolean;
  /** What it is a list of, as commands name it when they say what has changed. */
  resource?: string;
  /** Brings a row before the eyes, as if a person had gone to it; false when it is not among them. */
  show?(id: string): boolean;
  /** The row under the cursor, with what is needed to ask the list for others like it (lib/ui/list/filter/like.ts). */
  cells?(): Cells | null;
  /** Chooses all that match the filter, loaded or not, where they can be asked for. */
  matching?: { now: Readonly<Matchable>; take(matching: Matching): void };
  /** There where a list holds back what comes in from outside (lib/ui/list/arrivals.tsx). */
  arrivals?: { waiting(): number; show(): Promise<void> };
}

export interface Count {
  value: number;
  kind: 'exact' | 'estimate';
}

/** What stands on screen to be acted on. Views push a frame while mounted; the top frame counts. */
export interface Frame {
  key: symbol;
  controls: ListControls | null;
  /** Checked rows in list order. */
  checked: readonly Target[];
  /** The row under the cursor, or the open record. */
  cursor: Target | null;
  filtered: boolean;
  /** Its rows are those of the question before; the new ones are on their way. */
  stale?: boolean;
  /** One record after the other fills the screen: its keys may do at once what a list asks about. */
  reading?: true;
  /** A record beside its list: the list stays alive. */
  beside?: boolean;
}

/** The palette is open: what comes late to the page waits below it and leaves it the keys. */
export const $covered = atom(false);

export const $frames = atom<readonly Frame[]>([]);

/** Where the cursor has gone while the record beside the list is still the one before it. */
export const $ahead = atom<string | null>(null);
/** Told of each row that a person goes to; there while a record stands beside the list, which follows. */
export const $follower = atom<((target: Target, open: (target: Target) => void) => void) | null>(null);

/** What commands act on. Beside its list a record is what the cursor means, until the cursor goes on or is of another kind. */
export const $frame = computed([$frames, $ahead], (frames, ahead): Frame | null => {
  const top = frames.at(-1) ?? null;
  const list = top?.beside ? listOf(frames) : undefined;
  if (!top?.cursor || !list) return top;
  const isRecord = (ahead ?? top.cursor.id) === top.cursor.id && (list.cursor ?? top.cursor).entity === top.cursor.entity;
  return isRecord ? { ...list, cursor: top.cursor } : list;
});

/** The list on screen, also under a record. */
export const listOf = (frames: readonly Frame[]): Frame | undefined => frames.findLast(({ controls }) => controls !== null);

/** Adds or replaces the view's frame. */
export function putFrame(frame: Frame): void {
  const frames = $frames.get();
  const at = frames.findIndex(({ key }) => key === frame.key);
  $frames.set(at < 0 ? [...frames, frame] : frames.with(at, frame));
}

export function dropFrame(key: symbol): void {
  $frames.set($frames.get().filter((frame) => frame.key !== key));
}

/** What a command would act on now: the checked rows, else the row under the cursor. A copy that stays as it is. */
export function freezeTargets(): readonly Target[] {
  const frame = $frame.get();
  if (!frame) return [];
  if (frame.checked.length > 0) return frame.checked;
  return frame.cursor ? [frame.cursor] : [];
}
