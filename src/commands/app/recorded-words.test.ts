import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { allNames } from '../../../api/all-names.ts';
import type { FilterField } from '../../../api/filter.ts';
import { enPanel } from '../../lib/i18n/en-US/index.ts';
import { enResources } from '../../lib/i18n/en-US/resources.ts';
import { setDictionary } from '../../lib/i18n/i18n.ts';
import { zhPanel } from '../../lib/i18n/zh-CN/index.ts';
import { zhResources } from '../../lib/i18n/zh-CN/resources.ts';
import type { Filters } from '../../lib/ui/list/filter/filters.ts';
import type { RecordFields, DisplayKind } from '../../lib/ui/record/fields.ts';
import { RecordedChange } from '../../lib/ui/record/record-diff.tsx';
import { FieldList } from '../../lib/ui/record/recorded-value.tsx';
import { refusedFields } from '../audit/recorded.ts';
import { recorded } from './all-recorded.ts';

const languages = [
  ['Chinese', () => setDictionary('zh-CN', { ...zhPanel, ...zhResources })],
  ['English', () => setDictionary('en-US', { ...enPanel, ...enResources })],
] as const;

const id = '01a21e70-c146-7610-8794-03aef57a64c9';
const unknownCode = 'someCodeOfALaterBuild';

function buildSample(displayKind: DisplayKind, seed: number): unknown {
  switch (displayKind.as) {
    case 'text':
      return `Words ${seed}`;
    case 'number':
    case 'count':
    case 'bytes':
    case 'statement':
      return 4200 + seed;
    case 'duration':
      return 7200 + seed;
    case 'flag':
      return seed % 2 === 0;
    case 'role':
      return { id, name: `Night ${seed}` };
    case 'permission':
      return seed % 2 === 0 ? 'news.add' : '/news';
    case 'freeze':
    case 'person':
    case 'technical':
      return id;
    case 'difference':
      return `supply ${seed}50000000000000000 ledger -12000000000000000000`;
    case 'choice':
      return unknownCode;
    case 'time':
      return `2026-11-2${seed}T11:06:00.000Z`;
    case 'percent':
    case 'amount':
      return `16${seed}0000000000000000`;
    case 'address':
      return `0x${'a'.repeat(39)}${seed}`;
    case 'hash':
      return `0x${'b'.repeat(63)}${seed}`;
    case 'link':
      return `https://example.com/${seed}`;
    case 'picture':
      return `/pictures/${id}`;
    case 'list':
      return [buildSample(displayKind.of, seed), buildSample(displayKind.of, seed + 1)];
    case 'record':
      return buildSamples(displayKind.fields, seed);
    case 'arguments':
      return Object.entries(buildSamples(displayKind.fields, seed)).map(([name, value]) => ({ name, value }));
    case 'filter':
      return conditionsByFilter(displayKind.filters);
  }
}

const buildSamples = (fields: RecordFields, seed: number): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, buildSample(field, seed)]));

const conditionsByFilter = (filters: Filters): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).map(([name, { field }]) => [name, conditionOf(field)]));

function conditionOf(field: FilterField): string {
  switch (field.kind) {
    case 'choice':
      return field.values.join(',');
    case 'flag':
      return 'true';
    case 'time':
      return '2026-11-01T00:00:00.000Z..2026-11-27T11:06:00.000Z';
    case 'number':
      return '1..2';
    case 'search':
    case 'value':
      return 'DE';
  }
}

const names = Object.keys(allNames)
  .join('|')
  .replaceAll('.', String.raw`\.`);
/** JSON, an id of ours, an instant, base units, a code of ours, a command's id, the words of an empty search box. */
const rawPatterns = [
  /[{[]"|\[object |undefined|NaN/,
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/,
  /\d{4}-\d\d-\d\dT\d\d:|\d\d:\d\d(?::\d\d)? UTC/,
  /(?<![\w.,])-?\d{9,}(?!\w)/,
  new RegExp(unknownCode, 'i'),
  new RegExp(String.raw`(?<![\w.])(?:${names})(?![\w.])`),
  /(?<![\w.])[a-z]+\.(?:field|filter|ask|kind|state|band)\.\w+/,
  /(?:搜索|Search)[^<]*…/,
];

function findRawTexts(page: string): string[] {
  return [...page.matchAll(/<(?:dt|dd|li|summary|p)\b[^>]*>([^]*?)<\/(?:dt|dd|li|summary|p)>/g)].flatMap(([, html = '']) => {
    const text = html.replaceAll(/<[^>]*>/g, '').replaceAll('&quot;', '"');
    return rawPatterns.some((pattern) => pattern.test(text)) ? [text] : [];
  });
}

const entities = [...recorded].filter(([, fields]) => Object.keys(fields).length > 0);

describe.each(languages)('the history of every entity, in %s', (_, setLocale) => {
  beforeAll(setLocale);

  it.each(entities)(
    'shows no JSON, UUID, base unit, instant or code of %s when it is created, changed or deleted',
    (_entity, fields) => {
      const [before, after] = [buildSamples(fields, 1), buildSamples(fields, 2)];
      const shownCount = Object.values(fields).filter(({ as }) => as !== 'technical').length;
      for (const change of [
        { before: null, after },
        { before, after },
        { before, after: null },
      ]) {
        const page = renderToStaticMarkup(createElement(RecordedChange, { fields, ...change }));
        expect(findRawTexts(page)).toEqual([]);
        if (shownCount > 0) expect(page).toContain('data-field');
      }
    },
  );

  it('shows no raw value of a refused request', () => {
    const page = renderToStaticMarkup(
      createElement(FieldList, { fields: refusedFields, record: buildSamples(refusedFields, 1) }),
    );
    expect(findRawTexts(page)).toEqual([]);
  });
});
