import { beforeAll, describe, expect, it } from 'vitest';
import { validationRules } from '../../../../api/validation-rules.ts';
import { enPanel } from '../../i18n/en-US/index.ts';
import { enResources } from '../../i18n/en-US/resources.ts';
import { setDictionary, t } from '../../i18n/i18n.ts';
import { firstInvalid, issueTexts } from './issues.ts';

const fields = { title: { label: 'list.search' }, items: { label: 'list.display' } } as const;

beforeAll(() => setDictionary('en-US', { ...enPanel, ...enResources }));

describe('the text of a broken rule', () => {
  it('names the field by its label', () => {
    expect(issueTexts([{ path: 'title', rule: 'required' }], fields)).toEqual({ title: 'Please enter: Search' });
  });

  it('states the character limit of the schema', () => {
    const readIssueTexts = (limit?: number) =>
      issueTexts([{ path: 'title', rule: 'tooLong', ...(limit === undefined ? {} : { limit }) }], fields)['title'];
    expect(readIssueTexts(1000)).toBe('Search can have at most 1,000 characters');
    expect(readIssueTexts()).toBe('Search is too long');
  });

  it("uses the specification's words for a missing code", () => {
    const code = { code: { label: 'list.search', as: 'code' } } as const;
    expect(issueTexts([{ path: 'code', rule: 'required' }], code)).toEqual({ code: 'Please enter the verification code' });
  });

  it('asks to choose a missing option', () => {
    const role = { role: { label: 'list.search', as: 'picks' } } as const;
    expect(issueTexts([{ path: 'role', rule: 'required' }], role)).toEqual({ role: 'Choose Search' });
    expect(issueTexts([{ path: 'role', rule: 'tooMany' }], role)['role']).not.toContain('choose');
  });

  // The specification's taproot warning, and errors about a file or a count.
  const rulesWithoutFieldName = new Set<string>([
    'taproot',
    'tooMany',
    'extraCells',
    'strayQuote',
    'notReadableSo',
    'tooManyEdits',
    'clockChange',
    'enrollmentCode',
    ...validationRules.slice(validationRules.indexOf('notCsv')),
  ]);

  it('exists for every rule of the catalog', () => {
    for (const rule of validationRules) {
      const text = issueTexts([{ path: 'title', rule }], fields)['title'];
      if (!rulesWithoutFieldName.has(rule)) expect(text).toContain(t('list.search'));
      expect(text).toBeTruthy();
      expect(text).not.toContain('form.rule');
    }
  });

  it('is of the first rule per field, includes inner paths, and leaves out hidden fields', () => {
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

  it('comes with focus on the first wrong field in the order of the form', () => {
    expect(
      firstInvalid(
        [
          { path: 'items.0', rule: 'invalid' },
          { path: 'title', rule: 'required' },
        ],
        fields,
      ),
    ).toBe('title');
    expect(firstInvalid([{ path: 'version', rule: 'invalid' }], fields)).toBeNull();
  });
});
