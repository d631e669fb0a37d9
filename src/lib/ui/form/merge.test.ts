import { describe, expect, it } from 'vitest';
import type { FieldViews } from './field-view.ts';
import { changedFields, draftOf, followed, rebase, restore, sameValue } from './merge.ts';

const fields: FieldViews = {
  title: { as: 'text', label: 'list.search' },
  link: { as: 'url', label: 'list.search' },
  password: { as: 'secret', fills: 'new-password', label: 'list.search' },
};
const start = { title: 'One', link: 'https://a/', password: '' };

describe('a draft', () => {
  it('holds only what was changed, with what stood there, and no secret', () => {
    expect(draftOf({ start, values: { ...start, title: 'Two', password: 'x' }, clashes: {} }, fields)).toEqual({
      values: { title: 'Two' },
      base: { title: 'One' },
    });
    expect(draftOf({ start, values: { ...start, password: 'x' }, clashes: {} }, fields)).toBeNull();
  });

  it('laid over the same record brings back what was typed', () => {
    const draft = { at: 0, values: { title: 'Two' }, base: { title: 'One' } };
    expect(restore(start, draft, fields, true)).toEqual({ start, values: { ...start, title: 'Two' }, clashes: {} });
  });

  it('laid over a record changed meanwhile says what it was changed to', () => {
    const now = { ...start, title: 'Three', link: 'https://b/' };
    const draft = { at: 0, values: { title: 'Two' }, base: { title: 'One' } };
    expect(restore(now, draft, fields, true)).toEqual({
      start: now,
      values: { ...now, title: 'Two' },
      clashes: { title: { theirs: 'Three', original: 'One' } },
    });
  });

  it('of fields that are no more, or that are secret, is passed over', () => {
    const draft = { at: 0, values: { gone: 1, password: 'x' }, base: {} };
    expect(restore(start, draft, fields, true).values).toEqual(start);
  });

  it('of a new record wins over what that starts with by now', () => {
    const draft = { at: 0, values: { title: 'Two' }, base: { title: 'One' } };
    const now = { ...start, title: 'Three' };
    expect(restore(now, draft, fields, false)).toEqual({ start: now, values: { ...now, title: 'Two' }, clashes: {} });
  });
});

describe('two people at one record', () => {
  it('what one has not touched follows the other without a word', () => {
    const sheet = rebase({ start, values: { ...start, title: 'Mine' }, clashes: {} }, { ...start, link: 'https://b/' }, fields);
    expect(sheet.values).toMatchObject({ title: 'Mine', link: 'https://b/' });
    expect(sheet.clashes).toEqual({});
    expect(changedFields(sheet, fields)).toEqual(['title']);
  });

  it('what both changed keeps mine and shows theirs', () => {
    const sheet = rebase({ start, values: { ...start, title: 'Mine' }, clashes: {} }, { ...start, title: 'Theirs' }, fields);
    expect(sheet.values['title']).toBe('Mine');
    expect(sheet.clashes).toEqual({ title: { theirs: 'Theirs', original: 'One' } });
  });

  it('the same change by both is no conflict', () => {
    const sheet = rebase({ start, values: { ...start, title: 'Same' }, clashes: {} }, { ...start, title: 'Same' }, fields);
    expect(sheet.clashes).toEqual({});
    expect(changedFields(sheet, fields)).toEqual([]);
  });

  it('a second change by the other replaces the first', () => {
    const once = rebase({ start, values: { ...start, title: 'Mine' }, clashes: {} }, { ...start, title: 'Theirs' }, fields);
    expect(rebase(once, { ...start, title: 'Again' }, fields).clashes).toEqual({ title: { theirs: 'Again', original: 'One' } });
  });
});

describe('a clash', () => {
  const mine = { start, values: { ...start, title: 'Mine' }, clashes: {} };
  const clashed = rebase(mine, { ...start, title: 'Theirs' }, fields);

  it('is none any more when the other goes back to what it was', () => {
    const sheet = rebase(clashed, { ...start, title: 'One' }, fields);
    expect([sheet.clashes, sheet.values['title'], sheet.start['title']]).toEqual([{}, 'Mine', 'One']);
  });

  it('that is not settled comes back with the draft', () => {
    const draft = draftOf(clashed, fields);
    expect(draft).toEqual({ values: { title: 'Mine' }, base: { title: 'One' } });
    expect(restore({ ...start, title: 'Theirs' }, draft && { at: 0, ...draft }, fields, true).clashes).toEqual(clashed.clashes);
  });

  it('of lists is about what is in them, not about their order', () => {
    const lists: FieldViews = { grants: { as: 'tree', label: 'list.search', nodes: async () => [] } };
    const sheet = { start: { grants: ['a', 'b'] }, values: { grants: ['b', 'a'] }, clashes: {} };
    expect(changedFields(sheet, lists)).toEqual([]);
    expect(rebase({ ...sheet, values: { grants: ['c', 'a', 'b'] } }, { grants: ['b', 'a', 'c'] }, lists).clashes).toEqual({});
    const both = rebase({ ...sheet, values: { grants: ['a'] } }, { grants: ['a', 'b', 'c'] }, lists);
    expect(both.clashes).toEqual({ grants: { theirs: ['a', 'b', 'c'], original: ['a', 'b'] } });
  });

  it('names what follows the other without a word', () => {
    expect(followed(mine, { ...start, title: 'Theirs', link: 'https://b/' }, fields)).toEqual(['link']);
  });
});

describe('emptiness', () => {
  it('is the same however it is written', () => {
    for (const one of ['', null, undefined, []])
      for (const other of ['', null, undefined, []]) expect(sameValue(one, other)).toBe(true);
    expect(sameValue('', 0)).toBe(false);
    expect(sameValue(['a'], ['b'])).toBe(false);
  });
});
