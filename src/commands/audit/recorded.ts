import { tMaybe } from '../../lib/i18n/i18n.ts';
import { amountText } from '../../lib/money/amount-text.ts';
import {
  address,
  namedField,
  choiceField,
  count,
  exportFields,
  listField,
  number,
  percentField,
  recordsField,
  technicalField,
  text,
  time,
  type RecordedFields,
  type RecordFields,
} from '../../lib/ui/record/fields.ts';
import { refusalText } from '../../lib/ui/record/refusal-text.ts';
import { auditListFilters } from './filters.ts';

export const recorded = {
  audit: {
    rows: recordsField('record.field.archived', {
      first: number('record.field.first'),
      last: number('record.field.last'),
      prevHash: technicalField,
      hash: technicalField,
    }),
  },
  auditExport: exportFields(auditListFilters, 'audit.field'),
  database: {
    backupTime: time('record.field.backupTime'),
    reason: text('record.field.reason'),
    problems: number('record.field.auditProblems'),
    digest: technicalField,
  },
} as const satisfies RecordedFields;

/** Wei of YU, or a number of proposals. */
const maximumText = (max: string): string | null => {
  if (!/^\d+$/.test(max)) return null;
  return max.length > 9 ? `${amountText(BigInt(max), 18)} YU` : max;
};

const btcText = (amount: string): string | null => (/^\d+(?:\.\d+)?$/.test(amount) ? `${amount} BTC` : null);

const problemText = (code: string): string | null => tMaybe(`record.logProblem.${code}`) ?? refusalText(code);

export const refusedFields: RecordFields = {
  code: namedField('record.field.code', refusalText),
  reason: namedField('record.field.rule', refusalText),
  token: choiceField('record.field.rule', 'record.tokenProblem'),
  identifiers: listField('record.field.identifiers', { as: 'permission' }),
  inactiveRoles: listField('record.field.inactiveRoles', { as: 'role' }),
  verdict: listField('deposits.evidence.title', choiceField('deposits.evidence.title', 'deposits.evidence.verdict')),
  problem: listField('record.field.problem', namedField('record.field.problem', problemText)),
  who: listField('record.field.who', { as: 'text' }),
  said: listField('deposits.block.reason', { as: 'text' }),
  missing: listField('record.field.missing', { as: 'count' }),
  role: listField('record.field.role', { as: 'role' }),
  limit: listField('record.field.limit', namedField('record.field.limit', btcText)),
  used: listField('record.field.used', namedField('record.field.used', btcText)),
  owner: address('record.field.owner'),
  icr: percentField('record.field.icr'),
  trigger: percentField('record.field.TRGCR'),
  until: listField('record.field.until', { as: 'time' }),
  least: namedField('record.field.least', maximumText),
  most: listField('record.field.most', namedField('record.field.most', maximumText)),
  name: text('identity.field.provider'),
  email: text('identity.field.email'),
  seconds: number('record.field.clockSeconds'),
  alsoRefused: count('record.field.moreRefused'),
  cause: technicalField,
  subject: technicalField,
  id: technicalField,
};
