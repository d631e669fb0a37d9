import { tMaybe } from '../../lib/i18n/i18n.ts';
import { amountText } from '../../lib/money/amount-text.ts';
import {
  address,
  called,
  choice,
  count,
  exported,
  list,
  number,
  percent,
  records,
  technical,
  text,
  time,
  type RecordedFields,
  type RecordFields,
} from '../../lib/ui/record/fields.ts';
import { auditFilters } from './filters.ts';

export const recorded = {
  audit: {
    rows: records('record.field.archived', {
      first: number('record.field.first'),
      last: number('record.field.last'),
      prevHash: technical,
      hash: technical,
    }),
  },
  auditExport: exported(auditFilters, 'audit.field'),
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

export const refused: RecordFields = {
  code: called('record.field.code', refusedWords),
  reason: called('record.field.rule', refusedWords),
  identifiers: list('record.field.identifiers', { as: 'permission' }),
  verdict: list('deposits.evidence.title', choice('deposits.evidence.title', 'deposits.evidence.verdict')),
  problem: list('record.field.problem', called('record.field.problem', problemWords)),
  who: list('record.field.who', { as: 'text' }),
  said: list('deposits.block.reason', { as: 'text' }),
  missing: list('record.field.missing', { as: 'count' }),
  role: list('record.field.role', { as: 'role' }),
  limit: list('record.field.limit', called('record.field.limit', inBtc)),
  used: list('record.field.used', called('record.field.used', inBtc)),
  owner: address('record.field.owner'),
  icr: percent('record.field.icr'),
  trigger: percent('record.field.TRGCR'),
  until: list('record.field.until', { as: 'time' }),
  least: called('record.field.least', maxWords),
  most: list('record.field.most', called('record.field.most', maxWords)),
  alsoRefused: count('record.field.moreRefused'),
  id: technical,
};
