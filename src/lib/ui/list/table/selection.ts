import type { RowSelectionState } from '@tanstack/react-table';
import type { MatchingSelection } from '../../../scope.ts';

/** Pure functions over ids in list order, so that a refetch moves nothing. */
export interface Selection {
  cursor: string | null;
  anchor: string | null;
  checked: RowSelectionState;
  /** All loaded rows were checked. More may have loaded since. */
  all?: boolean | undefined;
  /** Set while the checked rows stand for all that match. */
  whole?: MatchingSelection | undefined;
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
export function idAtStep(selection: Selection, ids: readonly string[], step: number): string | null {
  if (ids.length === 0) return null;
  const startIndex = selection.cursor === null ? -1 : ids.indexOf(selection.cursor);
  if (startIndex < 0) return ids.at(step < 0 ? -1 : 0) ?? null;
  return ids[clamp(startIndex + step, ids.length)] ?? null;
}

export const moveTo = (selection: Selection, id: string | null): Selection =>
  selection.cursor === id && selection.anchor === null ? selection : { ...selection, cursor: id, anchor: null };

export const moveBy = (selection: Selection, ids: readonly string[], step: number): Selection =>
  moveTo(selection, idAtStep(selection, ids, step));

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
    for (const uncheckedId of idsBetween(ids, anchor, selection.cursor)) delete checked[uncheckedId];
  for (const checkedId of idsBetween(ids, anchor, id)) checked[checkedId] = true;
  return { cursor: id, anchor, checked };
}

export function extendBy(selection: Selection, ids: readonly string[], step: number): Selection {
  const id = idAtStep(selection, ids, step);
  return id === null ? selection : extendTo(selection, ids, id);
}

export const selectAll = (selection: Selection, ids: readonly string[], matchingSelection?: MatchingSelection): Selection => ({
  ...selection,
  anchor: null,
  checked: checkedRows(ids),
  all: true,
  whole: matchingSelection,
});

export const clearChecks = (selection: Selection): Selection =>
  selection.anchor === null && Object.keys(selection.checked).length === 0
    ? selection
    : { ...selection, anchor: null, checked: emptySelection.checked, all: false, whole: undefined };

/**
 * Missing rows are unchecked, so that nothing unseen can be changed. The cursor moves to the row in
 * its place.
 */
export function reconcileSelection(selection: Selection, previousIds: readonly string[], ids: readonly string[]): Selection {
  const { all, whole } = selection;
  const checkedIds = Object.keys(selection.checked);
  if (selection.cursor === null && selection.anchor === null && checkedIds.length === 0 && !whole) return selection;
  const presentIds = new Set(ids);
  const keepPresent = checkedIds.filter((id) => presentIds.has(id));
  const checked =
    whole && keepPresent.length < ids.length
      ? checkedRows(ids)
      : keepPresent.length === checkedIds.length
        ? selection.checked
        : checkedRows(keepPresent);
  const anchor = selection.anchor !== null && presentIds.has(selection.anchor) ? selection.anchor : null;
  const cursor =
    selection.cursor === null || presentIds.has(selection.cursor)
      ? selection.cursor
      : nearestRemaining(selection.cursor, previousIds, presentIds);
  const isUnchanged = checked === selection.checked && anchor === selection.anchor && cursor === selection.cursor;
  return isUnchanged ? selection : { cursor, anchor, checked, all, whole };
}

/** The nearest remaining row below, else above. */
export function nearestRemaining(
  removedId: string,
  previousIds: readonly string[],
  presentIds: ReadonlySet<string>,
): string | null {
  const removedIndex = previousIds.indexOf(removedId);
  if (removedIndex < 0) return null;
  return (
    previousIds.slice(removedIndex + 1).find((id) => presentIds.has(id)) ??
    previousIds.slice(0, removedIndex).findLast((id) => presentIds.has(id)) ??
    null
  );
}

function idsBetween(ids: readonly string[], startId: string, endId: string): readonly string[] {
  const startIndex = ids.indexOf(startId);
  const endIndex = ids.indexOf(endId);
  return startIndex < 0 || endIndex < 0 ? [] : ids.slice(Math.min(startIndex, endIndex), Math.max(startIndex, endIndex) + 1);
}
