import { amountText } from '../../money/amount-text.ts';
import { toBaseUnits } from '../../../../api/money.ts';
import { formatTime, groupDigits } from '../../format.ts';
import { t, tMaybe } from '../../i18n/i18n.ts';
import { roleText } from '../../i18n/role-text.ts';

/** How the audit's fields are said that hold base units or a code: by the audit's word for the record. */
const amounts: Readonly<Record<string, readonly [decimals: number, unit: string]>> = {
  'deposit.amount': [8, 'BTC'],
  'withdrawal.amount': [8, 'BTC'],
  'mintRule.from': [8, 'BTC'],
  'mintRule.below': [8, 'BTC'],
  'mintRule.perDay': [8, 'BTC'],
  'freeze.supplyOff': [18, 'YBTC'],
  'freeze.ledgerOff': [18, 'YBTC'],
};

/** Where the words of a field's codes stand. */
const codes: Readonly<Record<string, string>> = {
  'deposit.type': 'deposits.type',
  'deposit.status': 'deposits.status',
  'deposit.mintStatus': 'deposits.mintStatus',
  'deposit.withdrawStatus': 'record.withdrawStatus',
  'mint.state': 'record.happened.mint',
  'withdrawal.status': 'withdrawals.status',
  'crsm.state': 'crsm.state',
  'notice.platform': 'notices.platform',
  'points.source': 'points.source',
  'import.state': 'imports.state',
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const isInstant = (value: string): boolean => instant.test(value);

/** Nothing that people can read: an id of ours, whatever the field is called. */
export const isOurs = (value: unknown): boolean => typeof value === 'string' && uuid.test(value);

/** A recorded value in words. */
export function saidOf(entity: string, field: string, value: unknown): string {
  if (value === null || value === undefined) return '—';
  if (typeof value === 'boolean') return t(value ? 'record.diff.yes' : 'record.diff.no');
  if (typeof value === 'number') return groupDigits(value);
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  if (value === '') return '""';
  if (isInstant(value)) return formatTime(value);
  const amount = amounts[`${entity}.${field}`];
  const base = amount && toBaseUnits(value);
  if (amount && base != null) return `${amountText(base, amount[0])} ${amount[1]}`;
  const words = codes[`${entity}.${field}`];
  if (entity === 'role') return roleText(value);
  return (words && tMaybe(`${words}.${value}`)) || value;
}
