import { createAtom, type Atom, type ReadonlyAtom } from '@tanstack/react-store';
import { functionalUpdate, type RowSelectionState, type Updater } from '@tanstack/react-table';
import { atom, type ReadableAtom } from 'nanostores';
import {
  $follower,
  popContext,
  pushContext,
  selectAllMatching,
  type RowCells,
  type ViewContext,
  type ListControls,
  type Matchable,
  type Matching,
  type Target,
} from '../../scope.ts';
import { $loginEmail } from '../../session/session.ts';
import type { Filters, FilterValues } from './filter/filters.ts';
import * as select from './table/selection.ts';
import type { Selection } from './table/selection.ts';

/** Set by the hook and the table. */
export interface ListParts extends Matchable {
  grid: HTMLElement | null;
  filter: HTMLInputElement | null;
  reveal: (index: number) => void;
  loadMore: () => void;
  clearFilter: () => void;
  filters: Filters;
  asked: FilterValues;
  setFilter: (patch: FilterValues) => void;
  columns: RowCells['columns'];
  refresh: () => void;
  open: (target: Target) => void;
  copy: (target: Target) => void;
  filtered: boolean;
  /** The rows are from the previous query. */
  stale: boolean;
}

interface OpenFilter {
  name: string | null;
  like: boolean;
}

/** Outside React, so that moving the cursor renders nothing. */
export interface ListStore<Row> {
  $selection: ReadonlyAtom<Selection>;
  /** In react-table's format. */
  rowSelection: Atom<RowSelectionState>;
  $columnsOpen: ReadableAtom<boolean>;
  $filter: ReadableAtom<OpenFilter | null>;
  controls: ListControls;
  parts: ListParts;
  ids(): readonly string[];
  /** Cursor and checks stay with their ids. */
  setRows(rows: readonly Row[]): void;
  publish(): void;
  /** Returns a function that removes it. */
  mount(): () => void;
  putCursor(id: string): void;
  toggle(id: string): void;
  extendTo(id: string): void;
  openRow(id: string): void;
  setColumnsOpen(open: boolean): void;
}

const noop = () => {};
const noTargets: readonly Target[] = Object.freeze([]);

const leftAt = new Map<string, string | null>();
/** Per person, so that the next one at this browser starts fresh. */
const placeOf = (resource: string): string => `${$loginEmail.get()} ${resource}`;

/** `rows`: restores the previous cursor before the first render. */
export function createListStore<Row extends { id: string }>(
  toTarget: ((row: Row) => Target) | null,
  resource: string,
  rows: readonly Row[] = [],
): ListStore<Row> {
  const key = Symbol('list');
  const $selection = createAtom(select.emptySelection);
  const rowSelection = Object.assign(
    createAtom(() => $selection.get().checked),
    {
      set: (updater: Updater<RowSelectionState>) => {
        const { cursor, checked } = $selection.get();
        const next = functionalUpdate(updater, checked);
        set({ cursor, anchor: null, checked: next, all: ids.length > 0 && ids.every((id) => next[id]) });
      },
    },
  );
  const $columnsOpen = atom(false);
  const $filter = atom<OpenFilter | null>(null);
  const parts: ListParts = {
    grid: null,
    filter: null,
    reveal: noop,
    loadMore: noop,
    clearFilter: noop,
    filters: {},
    asked: {},
    setFilter: noop,
    columns: [],
    refresh: noop,
    open: noop,
    copy: noop,
    filtered: false,
    stale: false,
    question: '',
  };
  let ids: readonly string[] = [];
  let byId: Map<string, Row> | null = null;
  let mounted = false;
  let back = leftAt.get(placeOf(resource));
  let shown: ViewContext | null = null;
  let checkedOf: RowSelectionState | null = null;
  let wholeOf: Matching | undefined;
  let question = '';
  let checked: readonly Target[] = [];

  const all = () => (byId ??= new Map(rows.map((row) => [row.id, row])));

  // Stable per row object, so that observers of the frame see no change.
  const targets = new WeakMap<Row, Target>();
  function targetOf(id: string | null): Target | null {
    const row = id === null ? undefined : all().get(id);
    if (!row || !toTarget) return null;
    const known = targets.get(row);
    if (known) return known;
    const target = Object.freeze(toTarget(row));
    targets.set(row, target);
    return target;
  }

  function checkedTargets(chosen: RowSelectionState): readonly Target[] {
    const inOrder = ids.filter((id) => chosen[id]).map(targetOf);
    const targets = inOrder.filter((target) => target !== null);
    return targets.length === 0 ? noTargets : Object.freeze(targets);
  }

  function publish(): void {
    if (!mounted) return;
    const { whole } = $selection.get();
    // A changed query or count ends "all that match".
    if (whole && (question !== parts.question || whole.count !== parts.count?.value))
      $selection.set(select.clearChecks($selection.get()));
    const selection = $selection.get();
    if (checkedOf !== selection.checked || wholeOf !== selection.whole) {
      checkedOf = selection.checked;
      wholeOf = selection.whole;
      checked = checkedTargets(selection.checked);
      if (wholeOf && checked.length > 0) selectAllMatching(checked, wholeOf);
    }
    const cursor = targetOf(selection.cursor);
    const { filtered, stale } = parts;
    if (shown?.checked === checked && shown.cursor === cursor && shown.filtered === filtered && shown.stale === stale) return;
    shown = { key, controls, checked, cursor, filtered, stale };
    pushContext(shown);
  }

  function set(selection: Selection): void {
    const before = $selection.get();
    if (selection === before) return;
    $selection.set(selection);
    publish();
    if (selection.cursor === before.cursor || selection.cursor === null) return;
    parts.reveal(ids.indexOf(selection.cursor));
  }

  /** The open record follows the cursor. */
  function goTo(selection: Selection): void {
    const { cursor } = $selection.get();
    set(selection);
    const target = selection.cursor === cursor ? null : targetOf(selection.cursor);
    if (target) $follower.get()?.(target, parts.open);
  }

  /** Focus moves along, so that Enter means the row, not a link. */
  function go(selection: Selection): void {
    goTo(selection);
    const { grid } = parts;
    if (grid && document.activeElement !== grid && !document.activeElement?.closest('[role$="dialog"]'))
      grid.focus({ preventScroll: innerHeight > 384 }); // otherwise it may be out of sight (styles.css, short)
  }

  const controls: ListControls = {
    resource,
    show(id) {
      const isHere = all().has(id);
      if (isHere) goTo(select.moveTo($selection.get(), id));
      if (isHere) parts.reveal(ids.indexOf(id));
      return isHere;
    },
    cells() {
      const row = all().get($selection.get().cursor ?? '');
      return row ? { ...parts, row } : null;
    },
    matching: {
      now: parts,
      take(matching) {
        question = parts.question;
        set(select.selectAll($selection.get(), ids, matching));
      },
    },
    move(step) {
      const before = $selection.get();
      go(select.moveBy(before, ids, step));
      if (step > 0 && $selection.get().cursor === ids.at(-1)) parts.loadMore();
    },
    moveTo(place) {
      go(select.moveTo($selection.get(), ids.at(place === 'first' ? 0 : -1) ?? null));
      if (place === 'last') parts.loadMore();
    },
    toggle() {
      const id = $selection.get().cursor ?? ids[0];
      if (id !== undefined) go(select.toggleRow($selection.get(), id));
    },
    extend(step) {
      go(select.extendBy($selection.get(), ids, step));
      if (step > 0 && $selection.get().cursor === ids.at(-1)) parts.loadMore();
    },
    selectAll: () => set(select.selectAll($selection.get(), ids)),
    clear: () => set(select.clearChecks($selection.get())),
    open() {
      const target = targetOf($selection.get().cursor);
      if (target) parts.open(target);
    },
    focusFilter() {
      if (!parts.filter) return controls.openFilter();
      parts.filter.focus();
      parts.filter.select();
    },
    openFilter: (name = null, like = false) => $filter.set({ name, like }),
    closeFilter: () => $filter.set(null),
    filters: () => parts.filters,
    clearFilter: () => parts.clearFilter(),
    refresh: () => parts.refresh(),
    openColumns: () => $columnsOpen.set(true),
    goTo(id) {
      const isHere = all().has(id);
      if (isHere) set(select.moveTo($selection.get(), id));
      else if (ids.length === 0) back = id;
      return isHere;
    },
    copy() {
      const target = targetOf($selection.get().cursor);
      if (target) parts.copy(target);
    },
  };

  function take(): void {
    const before = ids;
    ids = rows.map(({ id }) => id);
    byId = null;
    checkedOf = null;
    $selection.set(select.reconcileSelection($selection.get(), before, ids));
    publish();
    if (back && all().has(back)) set(select.moveTo($selection.get(), back));
    if (ids.length > 0) back = null;
  }
  if (rows.length > 0) take();

  return {
    $selection,
    rowSelection,
    $columnsOpen,
    $filter,
    controls,
    parts,
    ids: () => ids,
    setRows(next) {
      if (next === rows) return;
      rows = next;
      take();
    },
    publish,
    mount() {
      mounted = true;
      publish();
      return () => {
        leftAt.set(placeOf(resource), $selection.get().cursor);
        mounted = false;
        shown = null;
        popContext(key);
      };
    },
    putCursor: (id) => goTo(select.moveTo($selection.get(), id)),
    toggle: (id) => goTo(select.toggleRow($selection.get(), id)),
    extendTo: (id) => goTo(select.extendTo($selection.get(), ids, id)),
    openRow(id) {
      const target = targetOf(id);
      if (target) parts.open(target);
    },
    setColumnsOpen: (open) => $columnsOpen.set(open),
  };
}
