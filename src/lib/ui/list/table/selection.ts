import type { RowSelectionState } from '@tanstack/react-table';
import type { Matching } from '../../../scope.ts';

/** Pure functions over ids in list order, so that a refetch moves nothing. */
export interface Selection {
  cursor: string | null;
  anchor: string | null;
  checked: RowSelectionState;
  /** All loaded rows were checked. More may have loaded since. */
  all?: boolean | undefined;
  /** Set while the checked rows stand for all that match. */
  whole?: Matching | undefined;
}

/** Without a prototype, because an id may have any name. */
function checkedRows(ids: readonly string[]): RowSelectionState {
  const checked: RowSelectionState = Object.create(null);
  for (const id of ids) checked[id] = true;
  return checked;
}

export const emptySelection: Selection = { cursor: null, anchor: null, checked: checkedRows([]) };

const clamp = (index: number, length: number) => Math.max(0, Math.min(length - 1, index));

/** Without a cursor: the first row going down, the last going up. */
export function idAt(selection: Selection, ids: readonly string[], step: number): string | null {
  if (ids.length === 0) return null;
  const from = selection.cursor === null ? -1 : ids.indexOf(selection.cursor);
  if (from < 0) return ids.at(step < 0 ? -1 : 0) ?? null;
  return ids[clamp(from + step, ids.length)] ?? null;
}

export const moveTo = (selection: Selection, id: string | null): Selection =>
  selection.cursor === id && selection.anchor === null ? selection : { ...selection, cursor: id, anchor: null };

export const moveBy = (selection: Selection, ids: readonly string[], step: number): Selection =>
  moveTo(selection, idAt(selection, ids, step));

export function toggleRow(selection: Selection, id: string): Selection {
  const checked = checkedRows(Object.keys(selection.checked));
  if (checked[id]) delete checked[id];
  else checked[id] = true;
  return { cursor: id, anchor: null, checked };
}

/** Rows that the range leaves are unchecked. */
export function extendTo(selection: Selection, ids: readonly string[], id: string): Selection {
  const anchor = selection.anchor ?? selection.cursor ?? id;
  const checked = checkedRows(Object.keys(selection.checked));
  if (selection.anchor !== null && selection.cursor !== null)
    for (const left of between(ids, anchor, selection.cursor)) delete checked[left];
  for (const used of between(ids, anchor, id)) checked[used] = true;
  return { cursor: id, anchor, checked };
}

export function extendBy(selection: Selection, ids: readonly string[], step: number): Selection {
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

export const clearChecks = (selection: Selection): Selection =>
  selection.anchor === null && Object.keys(selection.checked).length === 0
    ? selection
    : { ...selection, anchor: null, checked: emptySelection.checked, all: false, whole: undefined };

/**
 * Missing rows are unchecked, so that nothing unseen can be changed. The cursor moves to the row in
 * its place.
 */
export function reconcileSelection(selection: Selection, before: readonly string[], ids: readonly string[]): Selection {
  const { all, whole } = selection;
  const chosen = Object.keys(selection.checked);
  if (selection.cursor === null && selection.anchor === null && chosen.length === 0 && !whole) return selection;
  const here = new Set(ids);
  const stillShown = chosen.filter((id) => here.has(id));
  const checked =
    whole && stillShown.length < ids.length
      ? checkedRows(ids)
      : stillShown.length === chosen.length
        ? selection.checked
        : checkedRows(stillShown);
  const anchor = selection.anchor !== null && here.has(selection.anchor) ? selection.anchor : null;
  const cursor =
    selection.cursor === null || here.has(selection.cursor) ? selection.cursor : nearestRemaining(selection.cursor, before, here);
  const same = checked === selection.checked && anchor === selection.anchor && cursor === selection.cursor;
  return same ? selection : { cursor, anchor, checked, all, whole };
}

/** The nearest remaining row below, else above. */
export function nearestRemaining(removed: string, before: readonly string[], here: ReadonlySet<string>): string | null {
  const at = before.indexOf(removed);
  if (at < 0) return null;
  return before.slice(at + 1).find((id) => here.has(id)) ?? before.slice(0, at).findLast((id) => here.has(id)) ?? null;
}

function between(ids: readonly string[], a: string, b: string): readonly string[] {
  const from = ids.indexOf(a);
  const to = ids.indexOf(b);
  return from < 0 || to < 0 ? [] : ids.slice(Math.min(from, to), Math.max(from, to) + 1);
}
