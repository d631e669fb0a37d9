import type { Draft } from '../../prefs/drafts.ts';
import { isSecret, type FieldViews, type FormValues } from './field-view.ts';

export interface FormSheet {
  start: FormValues;
  values: FormValues;
  clashes: Readonly<Record<string, EditConflict>>;
}

/** Their value and the original. The field holds mine. */
export interface EditConflict {
  theirs: unknown;
  original: unknown;
}

/** '', [], undefined and null are equal. Lists ignore order. */
export function isSameValue(a: unknown, b: unknown): boolean {
  const normalize = (value: unknown) =>
    JSON.stringify(
      value === undefined || value === null || value === '' ? [] : Array.isArray(value) ? value.map(String).toSorted() : value,
    );
  return normalize(a) === normalize(b);
}

export const changedFields = ({ start, values }: Pick<FormSheet, 'start' | 'values'>, fields: FieldViews): string[] =>
  Object.keys(fields).filter((name) => !isSameValue(values[name], start[name]));

/** Fields that both changed become clashes. */
export function rebaseForm({ start, values, clashes }: FormSheet, current: FormValues, fields: FieldViews): FormSheet {
  const nextValues: Record<string, unknown> = { ...values };
  const nextConflicts: Record<string, EditConflict> = { ...clashes };
  const nextStart: Record<string, unknown> = { ...start };
  for (const name of Object.keys(fields)) {
    if (!(name in current)) continue;
    const savedValue = current[name];
    const originalValue = clashes[name] ? clashes[name].original : start[name];
    const isUnchanged = isSameValue(values[name], start[name]);
    if (isUnchanged) nextValues[name] = savedValue;
    // No clash if both made the same change, or theirs was undone.
    if (isUnchanged || isSameValue(values[name], savedValue) || isSameValue(savedValue, originalValue))
      delete nextConflicts[name];
    else if (!isSameValue(savedValue, start[name])) nextConflicts[name] = { theirs: savedValue, original: originalValue };
    nextStart[name] = savedValue;
  }
  return { start: nextStart, values: nextValues, clashes: nextConflicts };
}

export const fieldsChangedElsewhere = ({ start, values }: FormSheet, current: FormValues, fields: FieldViews): string[] =>
  Object.keys(fields).filter(
    (name) => name in current && isSameValue(values[name], start[name]) && !isSameValue(current[name], start[name]),
  );

/** A new record has no clashes, although its defaults may change, such as the current time. */
export function restoreDraft(start: FormValues, draft: Draft | null, fields: FieldViews, isRecord: boolean): FormSheet {
  const values: Record<string, unknown> = { ...start };
  const conflicts: Record<string, EditConflict> = {};
  for (const [name, value] of Object.entries(draft?.values ?? {})) {
    const field = fields[name];
    if (!field || isSecret(field)) continue;
    values[name] = value;
    const originalValue = draft?.base[name];
    if (isRecord && !isSameValue(originalValue, start[name]) && !isSameValue(value, start[name]))
      conflicts[name] = { theirs: start[name], original: originalValue };
  }
  return { start, values, clashes: conflicts };
}

/** Without secrets. Null if nothing changed. */
export function createDraft({ start, values, clashes }: FormSheet, fields: FieldViews): Omit<Draft, 'at'> | null {
  const names = changedFields({ start, values }, fields).filter((name) => !isSecret(fields[name]));
  if (names.length === 0) return null;
  const pickFields = (readField: (name: string) => unknown) =>
    Object.fromEntries(names.map((name) => [name, readField(name) ?? null]));
  return {
    values: pickFields((name) => values[name]),
    base: pickFields((name) => (clashes[name] ? clashes[name].original : start[name])),
  };
}
