import { describe, expect, it } from 'vitest';
import type { FieldViews } from './field-view.ts';
import { changedFields, draftOf, changedElsewhere, rebaseForm, restoreDraft, sameValue } from './merge.ts';

const fields: FieldViews = {
  title: { as: 'text', label: 'list.search' },
  link: { as: 'url', label: 'list.search' },
  password: { as: 'secret', fills: 'new-password', label: 'list.search' },
};
const start = { title: 'One', link: 'https://a/', password: '' };

describe('a draft', () => {
  it('contains only changed fields with their original values, and no secret', () => {
    expect(draftOf({ start, values: { ...start, title: 'Two', password: 'x' }, clashes: {} }, fields)).toEqual({
      values: { title: 'Two' },
      base: { title: 'One' },
    });
    expect(draftOf({ start, values: { ...start, password: 'x' }, clashes: {} }, fields)).toBeNull();
  });

  it('restores typed values onto an unchanged record', () => {
    const draft = { at: 0, values: { title: 'Two' }, base: { title: 'One' } };
    expect(restoreDraft(start, draft, fields, true)).toEqual({ start, values: { ...start, title: 'Two' }, clashes: {} });
  });

  it('reports a conflict with a record that has changed', () => {
    const now = { ...start, title: 'Three', link: 'https://b/' };
    const draft = { at: 0, values: { title: 'Two' }, base: { title: 'One' } };
    expect(restoreDraft(now, draft, fields, true)).toEqual({
      start: now,
      values: { ...now, title: 'Two' },
      clashes: { title: { theirs: 'Three', original: 'One' } },
    });
  });

  it('ignores fields that were removed or are secret', () => {
    const draft = { at: 0, values: { gone: 1, password: 'x' }, base: {} };
    expect(restoreDraft(start, draft, fields, true).values).toEqual(start);
  });

  it('of a new record wins over changed defaults', () => {
    const draft = { at: 0, values: { title: 'Two' }, base: { title: 'One' } };
    const now = { ...start, title: 'Three' };
    expect(restoreDraft(now, draft, fields, false)).toEqual({ start: now, values: { ...now, title: 'Two' }, clashes: {} });
  });
});

describe('two people who edit one record', () => {
  it("get each other's changes to untouched fields", () => {
    const sheet = rebaseForm(
      { start, values: { ...start, title: 'Mine' }, clashes: {} },
      { ...start, link: 'https://b/' },
      fields,
    );
    expect(sheet.values).toMatchObject({ title: 'Mine', link: 'https://b/' });
    expect(sheet.clashes).toEqual({});
    expect(changedFields(sheet, fields)).toEqual(['title']);
  });

  it('see both values of a field that both changed', () => {
    const sheet = rebaseForm({ start, values: { ...start, title: 'Mine' }, clashes: {} }, { ...start, title: 'Theirs' }, fields);
    expect(sheet.values['title']).toBe('Mine');
    expect(sheet.clashes).toEqual({ title: { theirs: 'Theirs', original: 'One' } });
  });

  it('have no conflict after the same change', () => {
    const sheet = rebaseForm({ start, values: { ...start, title: 'Same' }, clashes: {} }, { ...start, title: 'Same' }, fields);
    expect(sheet.clashes).toEqual({});
    expect(changedFields(sheet, fields)).toEqual([]);
  });

  it("see the other's latest change", () => {
    const once = rebaseForm({ start, values: { ...start, title: 'Mine' }, clashes: {} }, { ...start, title: 'Theirs' }, fields);
    expect(rebaseForm(once, { ...start, title: 'Again' }, fields).clashes).toEqual({
      title: { theirs: 'Again', original: 'One' },
    });
  });
});

describe('a conflict', () => {
  const mine = { start, values: { ...start, title: 'Mine' }, clashes: {} };
  const clashed = rebaseForm(mine, { ...start, title: 'Theirs' }, fields);

  it('ends when the other person restores the original', () => {
    const sheet = rebaseForm(clashed, { ...start, title: 'One' }, fields);
    expect([sheet.clashes, sheet.values['title'], sheet.start['title']]).toEqual([{}, 'Mine', 'One']);
  });

  it('that is unresolved is restored with the draft', () => {
    const draft = draftOf(clashed, fields);
    expect(draft).toEqual({ values: { title: 'Mine' }, base: { title: 'One' } });
    expect(restoreDraft({ ...start, title: 'Theirs' }, draft && { at: 0, ...draft }, fields, true).clashes).toEqual(
      clashed.clashes,
    );
  });

  it('of lists ignores their order', () => {
    const lists: FieldViews = { grants: { as: 'tree', label: 'list.search', nodes: async () => [] } };
    const sheet = { start: { grants: ['a', 'b'] }, values: { grants: ['b', 'a'] }, clashes: {} };
    expect(changedFields(sheet, lists)).toEqual([]);
    expect(rebaseForm({ ...sheet, values: { grants: ['c', 'a', 'b'] } }, { grants: ['b', 'a', 'c'] }, lists).clashes).toEqual({});
    const both = rebaseForm({ ...sheet, values: { grants: ['a'] } }, { grants: ['a', 'b', 'c'] }, lists);
    expect(both.clashes).toEqual({ grants: { theirs: ['a', 'b', 'c'], original: ['a', 'b'] } });
  });

  it('lists the fields that were updated without asking', () => {
    expect(changedElsewhere(mine, { ...start, title: 'Theirs', link: 'https://b/' }, fields)).toEqual(['link']);
  });
});

describe('an empty value', () => {
  it('equals every other empty value', () => {
    for (const one of ['', null, undefined, []])
      for (const other of ['', null, undefined, []]) expect(sameValue(one, other)).toBe(true);
    expect(sameValue('', 0)).toBe(false);
    expect(sameValue(['a'], ['b'])).toBe(false);
  });
});
