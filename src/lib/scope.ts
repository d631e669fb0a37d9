import { atom, computed } from 'nanostores';
import type { TextKey } from './i18n/i18n.ts';
import type { Filters, FilterValues } from './ui/list/filter/filters.ts';

/** Each feature adds its records (src/commands/<feature>/search.ts). */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface Entities {}
export type EntityName = keyof Entities;

/** A record as it was when the command was invoked. */
export type Target<E extends EntityName = EntityName> = {
  [K in E]: {
    entity: K;
    id: string;
    version: number;
    /** A title, email or address. */
    name: string;
    row: Entities[K];
  };
}[E];

/** With the count the person saw. */
export interface MatchingSelection {
  count: number;
  /** Current ids and versions. Throws DRIFTED if they are no longer the selected ones. */
  items: () => Promise<readonly { id: string; version: number }[]>;
}

/** See api/base.ts. */
export interface MatchedResult {
  seal: string;
  items: Awaited<ReturnType<MatchingSelection['items']>>;
}

export interface MatchableSelection {
  question: string;
  count?: MatchCount | null;
  /** Resolves the selection to ids. The seal makes later pages return the same rows. */
  matching?: ((expected: number, seal: string | null) => Promise<MatchedResult>) | undefined;
}

const matchingOfTargets = new WeakMap<readonly Target[], MatchingSelection>();
/** Marks targets as "all that match the filter". */
export const selectAllMatching = (targets: readonly Target[], matching: MatchingSelection): void =>
  void matchingOfTargets.set(targets, matching);
export const matchingFilterOf = (targets: readonly Target[]): MatchingSelection | undefined => matchingOfTargets.get(targets);

export interface RowCells {
  row: object;
  columns: readonly { id: string; header: TextKey }[];
  filters: Filters;
  asked: FilterValues;
  setFilter(changes: FilterValues): void;
}

/** Resolves to the number of loaded rows, or to null if there are no more or they failed to load. */
export type LoadMore = () => Promise<number | null>;

export interface ListControls {
  move(step: number): void;
  moveTo(edge: 'first' | 'last'): void;
  toggle(): void;
  extend(step: number): void;
  selectAll(): void;
  clear(): void;
  open(): void;
  focusFilter(): void;
  /** At a field, at all fields, or at the values of the current row. */
  openFilter(name?: string | null, isTextMatch?: boolean): void;
  closeFilter(): void;
  filters(): Filters;
  clearFilter(): void;
  refresh(): void;
  loadMore?: LoadMore;
  openColumns(): void;
  resetColumns?(): void;
  copy(): void;
  /** False if the row is missing. */
  goTo?(id: string): boolean;
  resource?: string;
  /** Scrolls to a row and focuses it. False if missing. */
  show?(id: string): boolean;
  /** For lib/ui/list/filter/cell-filters.ts. */
  cells?(): RowCells | null;
  matching?: { now: Readonly<MatchableSelection>; take(matching: MatchingSelection): void };
  /** Set if the list holds back new records (lib/ui/list/arrivals.tsx). */
  arrivals?: { waiting(): number; show(): Promise<void> };
}

export interface MatchCount {
  value: number;
  kind: 'exact' | 'estimate';
}

/** Mounted views push a view context. The last one counts. */
export interface ViewContext {
  key: symbol;
  controls: ListControls | null;
  checked: readonly Target[];
  /** The current row, or the open record. */
  cursor: Target | null;
  filtered: boolean;
  /** The rows are of the previous query while the new ones load. */
  stale?: boolean;
  /** Triage, which shows one record at a time. */
  reading?: true;
  beside?: boolean;
}

/** Late updates of the page must not take keys from the open palette. */
export const $paletteOpen = atom(false);

export const $viewContexts = atom<readonly ViewContext[]>([]);

/** Cursor row id while the record next to the list is still the previous one. */
export const $pendingCursor = atom<string | null>(null);
/** Called when the cursor moves beside an open record. */
export const $follower = atom<((target: Target, openTarget: (target: Target) => void) => void) | null>(null);

/** A record next to its list is the target until the cursor moves on or is of another kind. */
export const $viewContext = computed([$viewContexts, $pendingCursor], (viewContexts, pendingCursor): ViewContext | null => {
  const topContext = viewContexts.at(-1) ?? null;
  const list = topContext?.beside ? findListContext(viewContexts) : undefined;
  if (!topContext?.cursor || !list) return topContext;
  const isRecord =
    (pendingCursor ?? topContext.cursor.id) === topContext.cursor.id &&
    (list.cursor ?? topContext.cursor).entity === topContext.cursor.entity;
  return isRecord ? { ...list, cursor: topContext.cursor } : list;
});

/** Also below a record. */
export const findListContext = (viewContexts: readonly ViewContext[]): ViewContext | undefined =>
  viewContexts.findLast(({ controls }) => controls !== null);

export function pushContext(viewContext: ViewContext): void {
  const viewContexts = $viewContexts.get();
  const index = viewContexts.findIndex(({ key }) => key === viewContext.key);
  $viewContexts.set(index < 0 ? [...viewContexts, viewContext] : viewContexts.with(index, viewContext));
}

export function popContext(key: symbol): void {
  $viewContexts.set($viewContexts.get().filter((viewContext) => viewContext.key !== key));
}

export function snapshotTargets(): readonly Target[] {
  const viewContext = $viewContext.get();
  if (!viewContext) return [];
  if (viewContext.checked.length > 0) return viewContext.checked;
  return viewContext.cursor ? [viewContext.cursor] : [];
}
