import { tMaybe } from '../../lib/i18n/i18n.ts';
import { amountText } from '../../lib/money/amount-text.ts';
import {
  address,
  named,
  choice,
  count,
  exportFields,
  listField,
  number,
  percent,
  recordsField,
  technical,
  text,
  time,
  type RecordedFields,
  type RecordFields,
} from '../../lib/ui/record/fields.ts';
import { auditListFilters } from './filters.ts';

export const recorded = {
  audit: {
    rows: recordsField('record.field.archived', {
      first: number('record.field.first'),
      last: number('record.field.last'),
      prevHash: technical,
      hash: technical,
    }),
  },
  auditExport: exportFields(auditListFilters, 'audit.field'),
  database: {
    backupTime: time('record.field.backupTime'),
    reason: text('record.field.reason'),
    problems: number('record.field.auditProblems'),
    digest: technical,
  },
} as const satisfies RecordedFields;

/** Wei of YU, or a number of proposals. */
const maxWords = (max: string): string | null => {
  if (!/^\d+$/.test(max)) return null;
  return max.length > 9 ? `${amountText(BigInt(max), 18)} YU` : max;
};

const inBtc = (amount: string): string | null => (/^\d+(?:\.\d+)?$/.test(amount) ? `${amount} BTC` : null);

const refusedWords = (code: string): string | null => tMaybe(`record.refused.${code}`) ?? tMaybe(`errors.code.${code}`);
const problemWords = (code: string): string | null => tMaybe(`record.logProblem.${code}`) ?? refusedWords(code);

export const refusedFields: RecordFields = {
  code: named('record.field.code', refusedWords),
  reason: named('record.field.rule', refusedWords),
  token: choice('record.field.rule', 'record.tokenProblem'),
  identifiers: listField('record.field.identifiers', { as: 'permission' }),
  verdict: listField('deposits.evidence.title', choice('deposits.evidence.title', 'deposits.evidence.verdict')),
  problem: listField('record.field.problem', named('record.field.problem', problemWords)),
  who: listField('record.field.who', { as: 'text' }),
  said: listField('deposits.block.reason', { as: 'text' }),
  missing: listField('record.field.missing', { as: 'count' }),
  role: listField('record.field.role', { as: 'role' }),
  limit: listField('record.field.limit', named('record.field.limit', inBtc)),
  used: listField('record.field.used', named('record.field.used', inBtc)),
  owner: address('record.field.owner'),
  icr: percent('record.field.icr'),
  trigger: percent('record.field.TRGCR'),
  until: listField('record.field.until', { as: 'time' }),
  least: named('record.field.least', maxWords),
  most: listField('record.field.most', named('record.field.most', maxWords)),
  alsoRefused: count('record.field.moreRefused'),
  id: technical,
};
