import type { Draft } from '../../drafts.ts';
import type { FieldViews, FormValues } from './field-view.ts';

/** A form's values against what they started from. */
export interface Sheet {
  /** What the record holds, as far as this form knows. */
  start: FormValues;
  values: FormValues;
  /** What somebody else put where this person has typed too. */
  theirs: FormValues;
}

/** What is never kept in a draft. */
export const isSecret = (field: { as: string } | undefined): boolean => ['secret', 'code', 'file'].includes(field?.as ?? '');

/** Empty is empty, however it is written: '', [], undefined, null. */
export function sameValue(a: unknown, b: unknown): boolean {
  const plain = (value: unknown) => JSON.stringify(value === undefined || value === null || value === '' ? [] : value);
  return plain(a) === plain(b);
}

/** Names of the fields whose value is not the one they started with. */
export const changedFields = ({ start, values }: Pick<Sheet, 'start' | 'values'>, fields: FieldViews): string[] =>
  Object.keys(fields).filter((name) => !sameValue(values[name], start[name]));

/** The record is now `current`: what this person has not touched follows it, what both changed is shown side by side. */
export function rebase({ start, values, theirs }: Sheet, current: FormValues, fields: FieldViews): Sheet {
  const next: Record<string, unknown> = { ...values };
  const other: Record<string, unknown> = { ...theirs };
  const begin: Record<string, unknown> = { ...start };
  for (const name of Object.keys(fields)) {
    if (!(name in current)) continue;
    const untouched = sameValue(values[name], start[name]);
    if (untouched) next[name] = current[name];
    if (untouched || sameValue(values[name], current[name])) delete other[name];
    else if (!sameValue(current[name], start[name])) other[name] = current[name];
    begin[name] = current[name];
  }
  return { start: begin, values: next, theirs: other };
}

/** A form opened again with what was typed before, laid over the record as it is now. */
export function restore(start: FormValues, draft: Draft | null, fields: FieldViews): Sheet {
  const values: Record<string, unknown> = { ...start };
  const theirs: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(draft?.values ?? {})) {
    const field = fields[name];
    if (!field || isSecret(field)) continue;
    values[name] = value;
    const moved = !sameValue(draft?.base[name], start[name]);
    if (moved && !sameValue(value, start[name])) theirs[name] = start[name];
  }
  return { start, values, theirs };
}

/** What is worth keeping: the changed fields without secrets. Null when there is nothing. */
export function draftOf({ start, values }: Sheet, fields: FieldViews): Omit<Draft, 'at'> | null {
  const names = changedFields({ start, values }, fields).filter((name) => !isSecret(fields[name]));
  if (names.length === 0) return null;
  const pick = (from: FormValues) => Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
  return { values: pick(values), base: pick(start) };
}
