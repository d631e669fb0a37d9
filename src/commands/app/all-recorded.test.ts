import * as z from 'zod/mini';
import { beforeAll, describe, expect, it } from 'vitest';
import { contents } from '../../../api/authority/statements.ts';
import { crsmCall } from '../../../api/crsm/contract.ts';
import { depositRecord } from '../../../api/deposits/contract.ts';
import { feedbackRow } from '../../../api/feedback/contract.ts';
import { newsRow } from '../../../api/news/contract.ts';
import { noticeRow } from '../../../api/notices/contract.ts';
import { airdropRow } from '../../../api/rewards/airdrops.ts';
import { pointsRow } from '../../../api/rewards/points.ts';
import { withdrawalRecord } from '../../../api/withdrawals/contract.ts';
import { refusedFields } from '../audit/recorded.ts';
import { callArguments } from '../crsm/recorded.ts';
import { enPanel } from '../../lib/i18n/en-US/index.ts';
import { enResources } from '../../lib/i18n/en-US/resources.ts';
import { setDictionary, t, tMaybe } from '../../lib/i18n/i18n.ts';
import { zhPanel } from '../../lib/i18n/zh-CN/index.ts';
import { zhResources } from '../../lib/i18n/zh-CN/resources.ts';
import type { RecordField, RecordFields, DisplayKind } from '../../lib/ui/record/fields.ts';
import { recorded } from './all-recorded.ts';

const languages = [
  ['Chinese', () => setDictionary('zh-CN', { ...zhPanel, ...zhResources })],
  ['English', () => setDictionary('en-US', { ...enPanel, ...enResources })],
] as const;

const labeledFieldsOf = (fields: RecordFields, path = ''): [string, Exclude<RecordField, { as: 'technical' }>][] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.as === 'technical' ? [] : [[`${path}${name}`, field], ...nestedFieldsOf(field, `${path}${name}.`)],
  );
function nestedFieldsOf(displayKind: DisplayKind, path: string): ReturnType<typeof labeledFieldsOf> {
  if (displayKind.as === 'list') return nestedFieldsOf(displayKind.of, path);
  return displayKind.as === 'record' || displayKind.as === 'arguments' ? labeledFieldsOf(displayKind.fields, path) : [];
}

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  enum?: string[];
  anyOf?: JsonSchema[];
}

function missingFields(fields: RecordFields, schema: JsonSchema, path = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, of]) => {
    const field = fields[name];
    return field ? missingNestedFields(field, of, `${path}${name}`) : [`${path}${name}`];
  });
}
function missingNestedFields(displayKind: DisplayKind, schema: JsonSchema, path: string): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap((variant) => missingNestedFields(displayKind, variant, path));
  if (displayKind.as === 'list') return missingNestedFields(displayKind.of, schema.items ?? schema, path);
  if (displayKind.as === 'record') return missingFields(displayKind.fields, schema, `${path}.`);
  return displayKind.as === 'choice'
    ? (schema.enum ?? []).filter((code) => !displayKind.words(code)).map((code) => `${path}: ${code}`)
    : [];
}

describe.each(languages)('the audit’s records, in %s', (_, setLocale) => {
  beforeAll(setLocale);

  it('has a word for every kind of record', () => {
    expect([...recorded.keys()].filter((entity) => tMaybe(`kinds.${entity}`) === null)).toEqual([]);
  });

  it.each([...recorded, ['a refusal', refusedFields] as const, ['a call', callArguments] as const])(
    'has a name for every field of %s',
    (entity, fields) => {
      const unlabeledFields = labeledFieldsOf(fields).filter(([, { label }]) => t(label) === label);
      expect(
        unlabeledFields.map(([path]) => path),
        entity,
      ).toEqual([]);
    },
  );

  it.each([
    ['news', newsRow],
    ['notice', noticeRow],
    ['feedback', feedbackRow],
    ['points', pointsRow],
    ['airdrop', airdropRow],
    ['deposit', depositRecord],
    ['withdrawal', withdrawalRecord],
    ['crsm', crsmCall],
  ])('shows every field and every code of the contract’s %s', (entity, row) => {
    const schema = z.toJSONSchema(row, { io: 'output', unrepresentable: 'any' }) as JsonSchema;
    expect(missingFields(recorded.get(entity) ?? {}, schema)).toEqual([]);
  });

  it.each(Object.entries(contents).filter(([kind]) => kind !== 'genesis'))(
    'shows every field of a statement %s',
    (_kind, content) => {
      const field = recorded.get('statement')?.['content'];
      const schema = z.toJSONSchema(content, { io: 'output', unrepresentable: 'any' }) as JsonSchema;
      expect(field?.as === 'record' && missingFields(field.fields, schema)).toEqual([]);
    },
  );
});
