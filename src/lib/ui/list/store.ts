import { createAtom, type Atom, type ReadonlyAtom } from '@tanstack/react-store';
import { functionalUpdate, type RowSelectionState, type Updater } from '@tanstack/react-table';
import { atom, type ReadableAtom } from 'nanostores';
import {
  $follower,
  dropFrame,
  putFrame,
  standFor,
  type Cells,
  type Frame,
  type ListControls,
  type Matchable,
  type Matching,
  type Target,
} from '../../scope.ts';
import { $loginEmail } from '../../session/session.ts';
import type { Filters, FilterValues } from './filter/filters.ts';
import * as select from './table/selection.ts';
import type { Selection } from './table/selection.ts';

/** What the store asks of whoever draws the list and reads its pages. Set by the hook and the table, replaced at will. */
export interface ListParts extends Matchable {
  grid: HTMLElement | null;
  filter: HTMLInputElement | null;
  /** Scrolls the row at the index into view. */
  reveal: (index: number) => void;
  loadMore: () => void;
  clearFilter: () => void;
  /** What may be asked of the list, and is. */
  filters: Filters;
  asked: FilterValues;
  setFilter: (patch: FilterValues) => void;
  /** As they are shown. */
  columns: Cells['columns'];
  refresh: () => void;
  open: (target: Target) => void;
  copy: (target: Target) => void;
  filtered: boolean;
  /** The rows are those of the question before. */
  stale: boolean;
}

/** The filter's menu: at a field, at all of them, or at the values of the row under the cursor. */
interface OpenFilter {
  name: string | null;
  like: boolean;
}

/**
 * Cursor and checked rows of one list on screen. They live outside React so that moving the cursor
 * draws nothing: its mark is an attribute.
 */
export interface ListStore<Row> {
  $selection: ReadonlyAtom<Selection>;
  /** The checked rows of `$selection`, in react-table's format. */
  rowSelection: Atom<RowSelectionState>;
  $columnsOpen: ReadableAtom<boolean>;
  $filter: ReadableAtom<OpenFilter | null>;
  controls: ListControls;
  parts: ListParts;
  ids(): readonly string[];
  /** Takes the rows as they are now; cursor and checks stay with their ids. */
  setRows(rows: readonly Row[]): void;
  /** Puts the parts' changes (filtered or not) into the frame. */
  publish(): void;
  /** Puts the list's frame on screen; answers how to take it away. */
  mount(): () => void;
  putCursor(id: string): void;
  toggle(id: string): void;
  extendTo(id: string): void;
  openRow(id: string): void;
  setColumnsOpen(open: boolean): void;
}

const idle = () => {};
const noTargets: readonly Target[] = Object.freeze([]);

/** Where the cursor stood when a list was left. */
const left = new Map<string, string | null>();
/** One person's: whoever signs in next at this page begins where everybody does. */
const placeOf = (resource: string): string => `${$loginEmail.get()} ${resource}`;

/** `rows`: those that are there as the list comes up. It stands where it was left before any of them is drawn. */
export function createListStore<Row extends { id: string }>(
  toTarget: ((row: Row) => Target) | null,
  resource: string,
  rows: readonly Row[] = [],
): ListStore<Row> {
  const key = Symbol('list');
  const $selection = createAtom(select.nothing);
  const rowSelection = Object.assign(
    createAtom(() => $selection.get().checked),
    {
      /** For the table's own setters. */
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
    reveal: idle,
    loadMore: idle,
    clearFilter: idle,
    filters: {},
    asked: {},
    setFilter: idle,
    columns: [],
    refresh: idle,
    open: idle,
    copy: idle,
    filtered: false,
    stale: false,
    question: '',
  };
  let ids: readonly string[] = [];
  let byId: Map<string, Row> | null = null;
  let mounted = false;
  let back = left.get(placeOf(resource));
  let shown: Frame | null = null;
  let checkedOf: RowSelectionState | null = null;
  let wholeOf: Matching | undefined;
  let question = '';
  let checked: readonly Target[] = [];

  /** The rows by their ids, gone through once somebody asks. */
  const all = () => (byId ??= new Map(rows.map((row) => [row.id, row])));

  // One target a row object, so that whoever watches the frame sees the same value until the row changes.
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
    // Another question, or another number of answers: nothing of what was chosen stays chosen.
    if (whole && (question !== parts.question || whole.count !== parts.count?.value))
      $selection.set(select.clear($selection.get()));
    const selection = $selection.get();
    if (checkedOf !== selection.checked || wholeOf !== selection.whole) {
      checkedOf = selection.checked;
      wholeOf = selection.whole;
      checked = checkedTargets(selection.checked);
      if (wholeOf && checked.length > 0) standFor(checked, wholeOf);
    }
    const cursor = targetOf(selection.cursor);
    const { filtered, stale } = parts;
    if (
      shown?.checked === checked &&
      shown.cursor === cursor &&
      shown.filtered === filtered &&
      shown.stale === stale // whoever waits for the rows hears of it
    )
      return;
    shown = { key, controls, checked, cursor, filtered, stale };
    putFrame(shown);
  }

  function set(selection: Selection): void {
    const before = $selection.get();
    if (selection === before) return;
    $selection.set(selection);
    publish();
    if (selection.cursor === before.cursor || selection.cursor === null) return;
    parts.reveal(ids.indexOf(selection.cursor));
  }

  /** A person goes to a row: the record beside the list comes along. */
  function goTo(selection: Selection): void {
    const { cursor } = $selection.get();
    set(selection);
    const target = selection.cursor === cursor ? null : targetOf(selection.cursor);
    if (target) $follower.get()?.(target, parts.open);
  }

  /** Keys move the row wherever focus is, and take focus along: Enter then means the row, not a link Tab had stopped at. */
  function go(selection: Selection): void {
    goTo(selection);
    const { grid } = parts;
    if (grid && document.activeElement !== grid && !document.activeElement?.closest('[role$="dialog"]'))
      grid.focus({ preventScroll: innerHeight > 384 }); // else it may be out of sight (styles.css, short)
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
      go(select.move(before, ids, step));
      if (step > 0 && $selection.get().cursor === ids.at(-1)) parts.loadMore();
    },
    moveTo(place) {
      go(select.moveTo($selection.get(), ids.at(place === 'first' ? 0 : -1) ?? null));
      if (place === 'last') parts.loadMore();
    },
    toggle() {
      const id = $selection.get().cursor ?? ids[0];
      if (id !== undefined) go(select.toggle($selection.get(), id));
    },
    extend(step) {
      go(select.extend($selection.get(), ids, step));
      if (step > 0 && $selection.get().cursor === ids.at(-1)) parts.loadMore();
    },
    selectAll: () => set(select.selectAll($selection.get(), ids)),
    clear: () => set(select.clear($selection.get())),
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
    checkedOf = null; // the checked rows may have changed although their ids have not
    $selection.set(select.settle($selection.get(), before, ids));
    publish();
    // Whoever comes back finds the row they left.
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
        left.set(placeOf(resource), $selection.get().cursor);
        mounted = false;
        shown = null;
        dropFrame(key);
      };
    },
    putCursor: (id) => goTo(select.moveTo($selection.get(), id)),
    toggle: (id) => goTo(select.toggle($selection.get(), id)),
    extendTo: (id) => goTo(select.extendTo($selection.get(), ids, id)),
    openRow(id) {
      const target = targetOf(id);
      if (target) parts.open(target);
    },
    setColumnsOpen: (open) => $columnsOpen.set(open),
  };
}
