import { beforeAll, describe, expect, it } from 'vitest';
import { rules } from '../../../../api/validation-rules.ts';
import { enPanel } from '../../i18n/en-US/index.ts';
import { enResources } from '../../i18n/en-US/resources.ts';
import { setDictionary, t } from '../../i18n/i18n.ts';
import { firstWrong, issueTexts } from './issues.ts';

const fields = { title: { label: 'list.search' }, items: { label: 'list.display' } } as const;

beforeAll(() => setDictionary('en-US', { ...enPanel, ...enResources }));

describe('broken rules in words', () => {
  it('name the field by its label', () => {
    expect(issueTexts([{ path: 'title', rule: 'required' }], fields)).toEqual({ title: 'Please enter: Search' });
  });

  it('say how many characters are allowed where the schema states a limit', () => {
    const texts = (limit?: number) =>
      issueTexts([{ path: 'title', rule: 'tooLong', ...(limit === undefined ? {} : { limit }) }], fields)['title'];
    expect(texts(1000)).toBe('Search can have at most 1,000 characters');
    expect(texts()).toBe('Search is too long');
  });

  it("miss a code in the specification's own words", () => {
    const code = { code: { label: 'list.search', as: 'code' } } as const;
    expect(issueTexts([{ path: 'code', rule: 'required' }], code)).toEqual({ code: 'Please enter the verification code' });
  });

  it('say of what is picked that it is to be chosen', () => {
    const role = { role: { label: 'list.search', as: 'picks' } } as const;
    expect(issueTexts([{ path: 'role', rule: 'required' }], role)).toEqual({ role: 'Choose Search' });
    expect(issueTexts([{ path: 'role', rule: 'tooMany' }], role)['role']).not.toContain('choose');
  });

  // The specification's taproot warning, and errors about a file or a count.
  const namesNoField = new Set<string>([
    'taproot',
    'tooMany',
    'extraCells',
    'strayQuote',
    'notReadableSo',
    'tooManyEdits',
    'clockChange',
    ...rules.slice(rules.indexOf('notCsv')),
  ]);

  it('have a text for every rule of the catalogue', () => {
    for (const rule of rules) {
      const text = issueTexts([{ path: 'title', rule }], fields)['title'];
      if (!namesNoField.has(rule)) expect(text).toContain(t('list.search'));
      expect(text).toBeTruthy();
      expect(text).not.toContain('form.rule');
    }
  });

  it('say the first rule of each field, count inner paths for it, and pass over fields not shown', () => {
    const texts = issueTexts(
      [
        { path: 'items.3.id', rule: 'invalid' },
        { path: 'items', rule: 'required' },
        { path: 'version', rule: 'invalid' },
      ],
      fields,
    );
    expect(texts).toEqual({ items: 'Display isn’t valid' });
  });

  it('put focus on the first wrong field in the order of the form', () => {
    expect(
      firstWrong(
        [
          { path: 'items.0', rule: 'invalid' },
          { path: 'title', rule: 'required' },
        ],
        fields,
      ),
    ).toBe('title');
    expect(firstWrong([{ path: 'version', rule: 'invalid' }], fields)).toBeNull();
  });
});
