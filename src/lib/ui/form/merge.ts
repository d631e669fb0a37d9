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
export function sameValue(a: unknown, b: unknown): boolean {
  const plain = (value: unknown) =>
    JSON.stringify(
      value === undefined || value === null || value === '' ? [] : Array.isArray(value) ? value.map(String).toSorted() : value,
    );
  return plain(a) === plain(b);
}

export const changedFields = ({ start, values }: Pick<FormSheet, 'start' | 'values'>, fields: FieldViews): string[] =>
  Object.keys(fields).filter((name) => !sameValue(values[name], start[name]));

/** Fields that both changed become clashes. */
export function rebaseForm({ start, values, clashes }: FormSheet, current: FormValues, fields: FieldViews): FormSheet {
  const next: Record<string, unknown> = { ...values };
  const both: Record<string, EditConflict> = { ...clashes };
  const begin: Record<string, unknown> = { ...start };
  for (const name of Object.keys(fields)) {
    if (!(name in current)) continue;
    const theirs = current[name];
    const original = clashes[name] ? clashes[name].original : start[name];
    const isUntouched = sameValue(values[name], start[name]);
    if (isUntouched) next[name] = theirs;
    // No clash if both made the same change, or theirs was undone.
    if (isUntouched || sameValue(values[name], theirs) || sameValue(theirs, original)) delete both[name];
    else if (!sameValue(theirs, start[name])) both[name] = { theirs, original };
    begin[name] = theirs;
  }
  return { start: begin, values: next, clashes: both };
}

export const changedElsewhere = ({ start, values }: FormSheet, current: FormValues, fields: FieldViews): string[] =>
  Object.keys(fields).filter(
    (name) => name in current && sameValue(values[name], start[name]) && !sameValue(current[name], start[name]),
  );

/** A new record has no clashes, although its defaults may change, such as the current time. */
export function restoreDraft(start: FormValues, draft: Draft | null, fields: FieldViews, isRecord: boolean): FormSheet {
  const values: Record<string, unknown> = { ...start };
  const clashes: Record<string, EditConflict> = {};
  for (const [name, value] of Object.entries(draft?.values ?? {})) {
    const field = fields[name];
    if (!field || isSecret(field)) continue;
    values[name] = value;
    const original = draft?.base[name];
    if (isRecord && !sameValue(original, start[name]) && !sameValue(value, start[name]))
      clashes[name] = { theirs: start[name], original };
  }
  return { start, values, clashes };
}

/** Without secrets. Null if nothing changed. */
export function draftOf({ start, values, clashes }: FormSheet, fields: FieldViews): Omit<Draft, 'at'> | null {
  const names = changedFields({ start, values }, fields).filter((name) => !isSecret(fields[name]));
  if (names.length === 0) return null;
  const pick = (of: (name: string) => unknown) => Object.fromEntries(names.map((name) => [name, of(name) ?? null]));
  return { values: pick((name) => values[name]), base: pick((name) => (clashes[name] ? clashes[name].original : start[name])) };
}
