import type { RowSelectionState } from '@tanstack/react-table';
import type { Matching } from '../../../scope.ts';

/**
 * Where the cursor is and what is checked in a list: pure functions over the loaded rows' ids, in list order.
 * Everything is kept by id, so that a refetch moves nothing.
 */
export interface Selection {
  cursor: string | null;
  /** Where the current run of extending began. */
  anchor: string | null;
  checked: RowSelectionState;
  /** All that was loaded was checked at once; more may have come since, unchecked. */
  all?: boolean | undefined;
  /** There while the checked rows stand for all that match: whatever is loaded is checked. */
  whole?: Matching | undefined;
}

/** Without a prototype: an id may have any name. */
function checkedRows(ids: readonly string[]): RowSelectionState {
  const checked: RowSelectionState = Object.create(null);
  for (const id of ids) checked[id] = true;
  return checked;
}

export const nothing: Selection = { cursor: null, anchor: null, checked: checkedRows([]) };

const clamp = (index: number, length: number) => Math.max(0, Math.min(length - 1, index));

/** The id `step` rows from the cursor. Without a cursor: the first row going down, the last going up. */
export function idAt(selection: Selection, ids: readonly string[], step: number): string | null {
  if (ids.length === 0) return null;
  const from = selection.cursor === null ? -1 : ids.indexOf(selection.cursor);
  if (from < 0) return ids.at(step < 0 ? -1 : 0) ?? null;
  return ids[clamp(from + step, ids.length)] ?? null;
}

export const moveTo = (selection: Selection, id: string | null): Selection =>
  selection.cursor === id && selection.anchor === null ? selection : { ...selection, cursor: id, anchor: null };

export const move = (selection: Selection, ids: readonly string[], step: number): Selection =>
  moveTo(selection, idAt(selection, ids, step));

/** Checks or unchecks one row, and puts the cursor on it. */
export function toggle(selection: Selection, id: string): Selection {
  const checked = checkedRows(Object.keys(selection.checked));
  if (checked[id]) delete checked[id];
  else checked[id] = true;
  return { cursor: id, anchor: null, checked };
}

/** Moves the cursor to `id`, checking all from where extending began; what the run checked and now leaves is unchecked. */
export function extendTo(selection: Selection, ids: readonly string[], id: string): Selection {
  const anchor = selection.anchor ?? selection.cursor ?? id;
  const checked = checkedRows(Object.keys(selection.checked));
  if (selection.anchor !== null && selection.cursor !== null)
    for (const left of between(ids, anchor, selection.cursor)) delete checked[left];
  for (const taken of between(ids, anchor, id)) checked[taken] = true;
  return { cursor: id, anchor, checked };
}

export function extend(selection: Selection, ids: readonly string[], step: number): Selection {
  const id = idAt(selection, ids, step);
  return id === null ? selection : extendTo(selection, ids, id);
}

export const selectAll = (selection: Selection, ids: readonly string[], whole?: Matching): Selection => ({
  ...selection,
  anchor: null,
  checked: checkedRows(ids),
  all: true,
  whole,
});

export const clear = (selection: Selection): Selection =>
  selection.anchor === null && Object.keys(selection.checked).length === 0
    ? selection
    : { ...selection, anchor: null, checked: nothing.checked, all: false, whole: undefined };

/**
 * After the rows changed: what is gone is no longer checked, so that nothing unseen can be acted on,
 * and the row that now stands where the cursor's row stood takes the cursor.
 */
export function settle(selection: Selection, before: readonly string[], ids: readonly string[]): Selection {
  const { all, whole } = selection;
  const chosen = Object.keys(selection.checked);
  if (selection.cursor === null && selection.anchor === null && chosen.length === 0 && !whole) return selection;
  const here = new Set(ids);
  const kept = chosen.filter((id) => here.has(id));
  const checked =
    whole && kept.length < ids.length ? checkedRows(ids) : kept.length === chosen.length ? selection.checked : checkedRows(kept);
  const anchor = selection.anchor !== null && here.has(selection.anchor) ? selection.anchor : null;
  const cursor =
    selection.cursor === null || here.has(selection.cursor) ? selection.cursor : heir(selection.cursor, before, here);
  const same = checked === selection.checked && anchor === selection.anchor && cursor === selection.cursor;
  return same ? selection : { cursor, anchor, checked, all, whole };
}

/** The nearest row below the one gone that is still there, else the nearest above. */
export function heir(gone: string, before: readonly string[], here: ReadonlySet<string>): string | null {
  const at = before.indexOf(gone);
  if (at < 0) return null;
  return before.slice(at + 1).find((id) => here.has(id)) ?? before.slice(0, at).findLast((id) => here.has(id)) ?? null;
}

function between(ids: readonly string[], a: string, b: string): readonly string[] {
  const from = ids.indexOf(a);
  const to = ids.indexOf(b);
  return from < 0 || to < 0 ? [] : ids.slice(Math.min(from, to), Math.max(from, to) + 1);
}
