import type { Draft } from '../../prefs/drafts.ts';
import { isSecret, type FieldViews, type FormValues } from './field-view.ts';

/** A form's values against what they started from. */
export interface Sheet {
  /** What the record holds, as far as this form knows. */
  start: FormValues;
  values: FormValues;
  /** Where somebody else has changed what this person typed at, until one of the three is chosen. */
  clashes: Readonly<Record<string, Clash>>;
}

/** What somebody else made of a field, and what it was before both. Mine stands in the field. */
export interface Clash {
  theirs: unknown;
  original: unknown;
}

/** Empty is empty, however it is written: '', [], undefined, null. A list is what is in it, in any order. */
export function sameValue(a: unknown, b: unknown): boolean {
  const plain = (value: unknown) =>
    JSON.stringify(
      value === undefined || value === null || value === '' ? [] : Array.isArray(value) ? value.map(String).toSorted() : value,
    );
  return plain(a) === plain(b);
}

/** Names of the fields whose value is not the one they started with. */
export const changedFields = ({ start, values }: Pick<Sheet, 'start' | 'values'>, fields: FieldViews): string[] =>
  Object.keys(fields).filter((name) => !sameValue(values[name], start[name]));

/** The record is now `current`: what this person has not touched follows it, what both changed is shown side by side. */
export function rebase({ start, values, clashes }: Sheet, current: FormValues, fields: FieldViews): Sheet {
  const next: Record<string, unknown> = { ...values };
  const both: Record<string, Clash> = { ...clashes };
  const begin: Record<string, unknown> = { ...start };
  for (const name of Object.keys(fields)) {
    if (!(name in current)) continue;
    const theirs = current[name];
    const original = clashes[name] ? clashes[name].original : start[name];
    const isUntouched = sameValue(values[name], start[name]);
    if (isUntouched) next[name] = theirs;
    // Mine where I typed; no clash where they did the same, or went back to what it was.
    if (isUntouched || sameValue(values[name], theirs) || sameValue(theirs, original)) delete both[name];
    else if (!sameValue(theirs, start[name])) both[name] = { theirs, original };
    begin[name] = theirs;
  }
  return { start: begin, values: next, clashes: both };
}

/** Names of the fields that somebody else changed and that follow them without a word. */
export const followed = ({ start, values }: Sheet, current: FormValues, fields: FieldViews): string[] =>
  Object.keys(fields).filter(
    (name) => name in current && sameValue(values[name], start[name]) && !sameValue(current[name], start[name]),
  );

/**
 * A form opened again with what was typed before, laid over the record as it is now. Of a record that is still to be made nobody
 * else has changed anything, though it may start with something else, such as the time it is now.
 */
export function restore(start: FormValues, draft: Draft | null, fields: FieldViews, isRecord: boolean): Sheet {
  const values: Record<string, unknown> = { ...start };
  const clashes: Record<string, Clash> = {};
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

/** What is worth keeping: the changed fields without secrets. Null when there is nothing. */
export function draftOf({ start, values, clashes }: Sheet, fields: FieldViews): Omit<Draft, 'at'> | null {
  const names = changedFields({ start, values }, fields).filter((name) => !isSecret(fields[name]));
  if (names.length === 0) return null;
  const pick = (of: (name: string) => unknown) => Object.fromEntries(names.map((name) => [name, of(name) ?? null]));
  // A clash that is not settled comes back with the draft.
  return { values: pick((name) => values[name]), base: pick((name) => (clashes[name] ? clashes[name].original : start[name])) };
}
