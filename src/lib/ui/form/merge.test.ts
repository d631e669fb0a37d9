import { describe, expect, it } from 'vitest';
import type { FieldViews } from './field-view.ts';
import { changedFields, draftOf, rebase, restore, sameValue } from './merge.ts';

const fields: FieldViews = {
  title: { as: 'text', label: 'list.sort' },
  link: { as: 'url', label: 'list.sort' },
  password: { as: 'secret', fills: 'new-password', label: 'list.sort' },
};
const start = { title: 'One', link: 'https://a/', password: '' };

describe('a draft', () => {
  it('holds only what was changed, with what stood there, and no secret', () => {
    expect(draftOf({ start, values: { ...start, title: 'Two', password: 'x' }, theirs: {} }, fields)).toEqual({
      values: { title: 'Two' },
      base: { title: 'One' },
    });
    expect(draftOf({ start, values: { ...start, password: 'x' }, theirs: {} }, fields)).toBeNull();
  });

  it('laid over the same record brings back what was typed', () => {
    const draft = { at: 0, values: { title: 'Two' }, base: { title: 'One' } };
    expect(restore(start, draft, fields)).toEqual({ start, values: { ...start, title: 'Two' }, theirs: {} });
  });

  it('laid over a record changed meanwhile says what it was changed to', () => {
    const now = { ...start, title: 'Three', link: 'https://b/' };
    const draft = { at: 0, values: { title: 'Two' }, base: { title: 'One' } };
    expect(restore(now, draft, fields)).toEqual({ start: now, values: { ...now, title: 'Two' }, theirs: { title: 'Three' } });
  });

  it('of fields that are no more, or that are secret, is passed over', () => {
    const draft = { at: 0, values: { gone: 1, password: 'x' }, base: {} };
    expect(restore(start, draft, fields).values).toEqual(start);
  });
});

describe('two people at one record', () => {
  it('what one has not touched follows the other without a word', () => {
    const sheet = rebase({ start, values: { ...start, title: 'Mine' }, theirs: {} }, { ...start, link: 'https://b/' }, fields);
    expect(sheet.values).toMatchObject({ title: 'Mine', link: 'https://b/' });
    expect(sheet.theirs).toEqual({});
    expect(changedFields(sheet, fields)).toEqual(['title']);
  });

  it('what both changed keeps mine and shows theirs', () => {
    const sheet = rebase({ start, values: { ...start, title: 'Mine' }, theirs: {} }, { ...start, title: 'Theirs' }, fields);
    expect(sheet.values['title']).toBe('Mine');
    expect(sheet.theirs).toEqual({ title: 'Theirs' });
  });

  it('the same change by both is no conflict', () => {
    const sheet = rebase({ start, values: { ...start, title: 'Same' }, theirs: {} }, { ...start, title: 'Same' }, fields);
    expect(sheet.theirs).toEqual({});
    expect(changedFields(sheet, fields)).toEqual([]);
  });

  it('a second change by the other replaces the first', () => {
    const once = rebase({ start, values: { ...start, title: 'Mine' }, theirs: {} }, { ...start, title: 'Theirs' }, fields);
    expect(rebase(once, { ...start, title: 'Again' }, fields).theirs).toEqual({ title: 'Again' });
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
