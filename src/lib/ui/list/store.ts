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
  type LoadMore,
  type MatchableSelection,
  type MatchingSelection,
  type Target,
} from '../../scope.ts';
import { $loginEmail } from '../../session/session.ts';
import type { Filters, FilterValues } from './filter/filters.ts';
import * as select from './table/selection.ts';
import type { Selection } from './table/selection.ts';

/** Set by the hook and the table. */
export interface ListParts extends MatchableSelection {
  grid: HTMLElement | null;
  filter: HTMLInputElement | null;
  reveal: (index: number) => void;
  loadMore: LoadMore;
  clearFilter: () => void;
  filters: Filters;
  asked: FilterValues;
  setFilter: (changes: FilterValues) => void;
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

const cursorsByList = new Map<string, string | null>();
/** Per person, so that the next one at this browser starts fresh. */
const listKeyOf = (resource: string): string => `${$loginEmail.get()} ${resource}`;

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
        const nextChecked = functionalUpdate(updater, checked);
        setSelection({ cursor, anchor: null, checked: nextChecked, all: ids.length > 0 && ids.every((id) => nextChecked[id]) });
      },
    },
  );
  const $columnsOpen = atom(false);
  const $filter = atom<OpenFilter | null>(null);
  const parts: ListParts = {
    grid: null,
    filter: null,
    reveal: noop,
    loadMore: async () => null,
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
  let isMounted = false;
  let returnCursor = cursorsByList.get(listKeyOf(resource));
  let shownContext: ViewContext | null = null;
  let cachedChecked: RowSelectionState | null = null;
  let cachedWhole: MatchingSelection | undefined;
  let selectionQuestion = '';
  let checked: readonly Target[] = [];

  const rowsById = () => (byId ??= new Map(rows.map((row) => [row.id, row])));

  // Stable per row object, so that observers of the frame see no change.
  const targets = new WeakMap<Row, Target>();
  function findTarget(id: string | null): Target | null {
    const row = id === null ? undefined : rowsById().get(id);
    if (!row || !toTarget) return null;
    const cachedTarget = targets.get(row);
    if (cachedTarget) return cachedTarget;
    const target = Object.freeze(toTarget(row));
    targets.set(row, target);
    return target;
  }

  function checkedTargets(checkedState: RowSelectionState): readonly Target[] {
    const orderedTargets = ids.filter((id) => checkedState[id]).map(findTarget);
    const targets = orderedTargets.filter((target) => target !== null);
    return targets.length === 0 ? noTargets : Object.freeze(targets);
  }

  function publish(): void {
    if (!isMounted) return;
    const { whole } = $selection.get();
    // A changed query or count ends "all that match".
    if (whole && (selectionQuestion !== parts.question || whole.count !== parts.count?.value))
      $selection.set(select.clearChecks($selection.get()));
    const selection = $selection.get();
    if (cachedChecked !== selection.checked || cachedWhole !== selection.whole) {
      cachedChecked = selection.checked;
      cachedWhole = selection.whole;
      checked = checkedTargets(selection.checked);
      if (cachedWhole && checked.length > 0) selectAllMatching(checked, cachedWhole);
    }
    const cursor = findTarget(selection.cursor);
    const { filtered, stale } = parts;
    if (
      shownContext?.checked === checked &&
      shownContext.cursor === cursor &&
      shownContext.filtered === filtered &&
      shownContext.stale === stale
    )
      return;
    shownContext = { key, controls, checked, cursor, filtered, stale };
    pushContext(shownContext);
  }

  function setSelection(selection: Selection): void {
    const previousSelection = $selection.get();
    if (selection === previousSelection) return;
    $selection.set(selection);
    publish();
    if (selection.cursor === previousSelection.cursor || selection.cursor === null) return;
    parts.reveal(ids.indexOf(selection.cursor));
  }

  /** The open record follows the cursor. */
  function scrollToSelection(selection: Selection): void {
    const { cursor } = $selection.get();
    setSelection(selection);
    const target = selection.cursor === cursor ? null : findTarget(selection.cursor);
    if (target) $follower.get()?.(target, parts.open);
  }

  /** Focus moves along, so that Enter means the row, not a link. */
  function moveSelection(selection: Selection): void {
    scrollToSelection(selection);
    const { grid } = parts;
    if (grid && document.activeElement !== grid && !document.activeElement?.closest('[role$="dialog"]'))
      grid.focus({ preventScroll: innerHeight > 384 }); // otherwise it may be out of sight (styles.css, short)
  }

  const controls: ListControls = {
    resource,
    show(id) {
      const isLoaded = rowsById().has(id);
      if (isLoaded) scrollToSelection(select.moveTo($selection.get(), id));
      if (isLoaded) parts.reveal(ids.indexOf(id));
      return isLoaded;
    },
    cells() {
      const row = rowsById().get($selection.get().cursor ?? '');
      return row ? { ...parts, row } : null;
    },
    matching: {
      now: parts,
      take(matching) {
        selectionQuestion = parts.question;
        setSelection(select.selectAll($selection.get(), ids, matching));
      },
    },
    move(step) {
      const previousSelection = $selection.get();
      moveSelection(select.moveBy(previousSelection, ids, step));
      if (step > 0 && $selection.get().cursor === ids.at(-1)) void parts.loadMore();
    },
    moveTo(edge) {
      moveSelection(select.moveTo($selection.get(), ids.at(edge === 'first' ? 0 : -1) ?? null));
      if (edge === 'last') void parts.loadMore();
    },
    toggle() {
      const id = $selection.get().cursor ?? ids[0];
      if (id !== undefined) moveSelection(select.toggleRow($selection.get(), id));
    },
    extend(step) {
      moveSelection(select.extendBy($selection.get(), ids, step));
      if (step > 0 && $selection.get().cursor === ids.at(-1)) void parts.loadMore();
    },
    selectAll: () => setSelection(select.selectAll($selection.get(), ids)),
    clear: () => setSelection(select.clearChecks($selection.get())),
    open() {
      const target = findTarget($selection.get().cursor);
      if (target) parts.open(target);
    },
    focusFilter() {
      if (!parts.filter) return controls.openFilter();
      parts.filter.focus();
      parts.filter.select();
    },
    openFilter: (name = null, isTextMatch = false) => $filter.set({ name, like: isTextMatch }),
    closeFilter: () => $filter.set(null),
    filters: () => parts.filters,
    clearFilter: () => parts.clearFilter(),
    refresh: () => parts.refresh(),
    loadMore: () => parts.loadMore(),
    openColumns: () => $columnsOpen.set(true),
    goTo(id) {
      const isLoaded = rowsById().has(id);
      if (isLoaded) setSelection(select.moveTo($selection.get(), id));
      else if (ids.length === 0) returnCursor = id;
      return isLoaded;
    },
    copy() {
      const target = findTarget($selection.get().cursor);
      if (target) parts.copy(target);
    },
  };

  function takeRows(): void {
    const previousIds = ids;
    ids = rows.map(({ id }) => id);
    byId = null;
    cachedChecked = null;
    $selection.set(select.reconcileSelection($selection.get(), previousIds, ids));
    publish();
    if (returnCursor && rowsById().has(returnCursor)) setSelection(select.moveTo($selection.get(), returnCursor));
    if (ids.length > 0) returnCursor = null;
  }
  if (rows.length > 0) takeRows();

  return {
    $selection,
    rowSelection,
    $columnsOpen,
    $filter,
    controls,
    parts,
    ids: () => ids,
    setRows(nextRows) {
      if (nextRows === rows) return;
      rows = nextRows;
      takeRows();
    },
    publish,
    mount() {
      isMounted = true;
      publish();
      return () => {
        cursorsByList.set(listKeyOf(resource), $selection.get().cursor);
        isMounted = false;
        shownContext = null;
        popContext(key);
      };
    },
    putCursor: (id) => scrollToSelection(select.moveTo($selection.get(), id)),
    toggle: (id) => scrollToSelection(select.toggleRow($selection.get(), id)),
    extendTo: (id) => scrollToSelection(select.extendTo($selection.get(), ids, id)),
    openRow(id) {
      const target = findTarget(id);
      if (target) parts.open(target);
    },
    setColumnsOpen: (isOpen) => $columnsOpen.set(isOpen),
  };
}
