import { describe, expect, it } from 'vitest';
import type { FieldViews } from './field-view.ts';
import { changedFields, createDraft, fieldsChangedElsewhere, rebaseForm, restoreDraft, isSameValue } from './merge.ts';

const fields: FieldViews = {
  title: { as: 'text', label: 'list.search' },
  link: { as: 'url', label: 'list.search' },
  password: { as: 'secret', fills: 'new-password', label: 'list.search' },
};
const start = { title: 'One', link: 'https://a/', password: '' };

describe('a draft', () => {
  it('contains only changed fields with their original values, and no secret', () => {
    expect(createDraft({ start, values: { ...start, title: 'Two', password: 'x' }, clashes: {} }, fields)).toEqual({
      values: { title: 'Two' },
      base: { title: 'One' },
    });
    expect(createDraft({ start, values: { ...start, password: 'x' }, clashes: {} }, fields)).toBeNull();
  });

  it('restores typed values onto an unchanged record', () => {
    const draft = { at: 0, values: { title: 'Two' }, base: { title: 'One' } };
    expect(restoreDraft(start, draft, fields, true)).toEqual({ start, values: { ...start, title: 'Two' }, clashes: {} });
  });

  it('reports a conflict with a record that has changed', () => {
    const currentValues = { ...start, title: 'Three', link: 'https://b/' };
    const draft = { at: 0, values: { title: 'Two' }, base: { title: 'One' } };
    expect(restoreDraft(currentValues, draft, fields, true)).toEqual({
      start: currentValues,
      values: { ...currentValues, title: 'Two' },
      clashes: { title: { theirs: 'Three', original: 'One' } },
    });
  });

  it('ignores fields that were removed or are secret', () => {
    const draft = { at: 0, values: { gone: 1, password: 'x' }, base: {} };
    expect(restoreDraft(start, draft, fields, true).values).toEqual(start);
  });

  it('of a new record wins over changed defaults', () => {
    const draft = { at: 0, values: { title: 'Two' }, base: { title: 'One' } };
    const currentValues = { ...start, title: 'Three' };
    expect(restoreDraft(currentValues, draft, fields, false)).toEqual({
      start: currentValues,
      values: { ...currentValues, title: 'Two' },
      clashes: {},
    });
  });
});

describe('two people who edit one record', () => {
  it("get each other's changes to untouched fields", () => {
    const formSheet = rebaseForm(
      { start, values: { ...start, title: 'Mine' }, clashes: {} },
      { ...start, link: 'https://b/' },
      fields,
    );
    expect(formSheet.values).toMatchObject({ title: 'Mine', link: 'https://b/' });
    expect(formSheet.clashes).toEqual({});
    expect(changedFields(formSheet, fields)).toEqual(['title']);
  });

  it('see both values of a field that both changed', () => {
    const formSheet = rebaseForm(
      { start, values: { ...start, title: 'Mine' }, clashes: {} },
      { ...start, title: 'Theirs' },
      fields,
    );
    expect(formSheet.values['title']).toBe('Mine');
    expect(formSheet.clashes).toEqual({ title: { theirs: 'Theirs', original: 'One' } });
  });

  it('have no conflict after the same change', () => {
    const formSheet = rebaseForm(
      { start, values: { ...start, title: 'Same' }, clashes: {} },
      { ...start, title: 'Same' },
      fields,
    );
    expect(formSheet.clashes).toEqual({});
    expect(changedFields(formSheet, fields)).toEqual([]);
  });

  it("see the other's latest change", () => {
    const rebasedOnce = rebaseForm(
      { start, values: { ...start, title: 'Mine' }, clashes: {} },
      { ...start, title: 'Theirs' },
      fields,
    );
    expect(rebaseForm(rebasedOnce, { ...start, title: 'Again' }, fields).clashes).toEqual({
      title: { theirs: 'Again', original: 'One' },
    });
  });
});

describe('a conflict', () => {
  const ownSheet = { start, values: { ...start, title: 'Mine' }, clashes: {} };
  const conflictedSheet = rebaseForm(ownSheet, { ...start, title: 'Theirs' }, fields);

  it('ends when the other person restores the original', () => {
    const formSheet = rebaseForm(conflictedSheet, { ...start, title: 'One' }, fields);
    expect([formSheet.clashes, formSheet.values['title'], formSheet.start['title']]).toEqual([{}, 'Mine', 'One']);
  });

  it('that is unresolved is restored with the draft', () => {
    const draft = createDraft(conflictedSheet, fields);
    expect(draft).toEqual({ values: { title: 'Mine' }, base: { title: 'One' } });
    expect(restoreDraft({ ...start, title: 'Theirs' }, draft && { at: 0, ...draft }, fields, true).clashes).toEqual(
      conflictedSheet.clashes,
    );
  });

  it('of lists ignores their order', () => {
    const listFields: FieldViews = { grants: { as: 'tree', label: 'list.search', nodes: async () => [] } };
    const formSheet = { start: { grants: ['a', 'b'] }, values: { grants: ['b', 'a'] }, clashes: {} };
    expect(changedFields(formSheet, listFields)).toEqual([]);
    expect(
      rebaseForm({ ...formSheet, values: { grants: ['c', 'a', 'b'] } }, { grants: ['b', 'a', 'c'] }, listFields).clashes,
    ).toEqual({});
    const rebasedSheet = rebaseForm({ ...formSheet, values: { grants: ['a'] } }, { grants: ['a', 'b', 'c'] }, listFields);
    expect(rebasedSheet.clashes).toEqual({ grants: { theirs: ['a', 'b', 'c'], original: ['a', 'b'] } });
  });

  it('lists the fields that were updated without asking', () => {
    expect(fieldsChangedElsewhere(ownSheet, { ...start, title: 'Theirs', link: 'https://b/' }, fields)).toEqual(['link']);
  });
});

describe('an empty value', () => {
  it('equals every other empty value', () => {
    for (const emptyValue of ['', null, undefined, []])
      for (const otherEmptyValue of ['', null, undefined, []]) expect(isSameValue(emptyValue, otherEmptyValue)).toBe(true);
    expect(isSameValue('', 0)).toBe(false);
    expect(isSameValue(['a'], ['b'])).toBe(false);
  });
});
