import { formatTime } from '../../../lib/format.ts';
import { tMaybe, type TextKey, type MessageValues } from '../../../lib/i18n/i18n.ts';
import { joinList } from '../../../lib/i18n/punctuation.ts';
import { amountText } from '../../../lib/money/amount-text.ts';
import { ApiError } from '../../../lib/net/client.ts';
import { CommandError } from '../../engine/command-error.ts';

interface Refusal {
  reason: TextKey;
  values: MessageValues;
}

function refusalValue(value: unknown): string {
  const text = String(value);
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return formatTime(text);
  return /^\d+\.\d{8}$/.test(text) ? amountText(BigInt(text.replace('.', '')), 8) : text;
}

type Feature = 'deposits' | 'withdrawals';

/** From the data of MONEY_REFUSED. */
export function authorityRefusal(data: Readonly<Record<string, unknown>>, feature: Feature = 'deposits'): Refusal {
  const problem = Array.isArray(data['problem']) ? String(data['problem'][0]) : null;
  const problems = problem === null ? [] : [`${feature}.log.${problem}`, `deposits.log.${problem}`, `signing.log.${problem}`];
  const keys = [
    ...problems,
    ...[feature, 'deposits', 'signing'].map((textGroup) => `${textGroup}.refused.${String(data['reason'])}`),
  ];
  const values: MessageValues = Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => (Array.isArray(value) ? [[name, joinList(value.map(refusalValue))]] : [])),
  );
  const reason = keys.find((key) => tMaybe(key, values) !== null) ?? 'errors.code.MONEY_REFUSED';
  return { reason: reason as TextKey, values };
}

export async function withMoneyRefusal<T>(response: Promise<T>, feature: Feature = 'deposits'): Promise<T> {
  try {
    return await response;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'MONEY_REFUSED') throw error;
    const data = (error.data ?? {}) as Record<string, unknown>;
    const { reason, values } = authorityRefusal(data, feature);
    throw Object.assign(new CommandError('MONEY_REFUSED', String(data['reason']), [], reason), {
      values,
      data,
      requestId: error.requestId,
    });
  }
}
