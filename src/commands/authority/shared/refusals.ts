import { tMaybe, type TextKey, type Values } from '../../../lib/i18n/i18n.ts';
import { listed } from '../../../lib/i18n/punctuation.ts';
import { ApiError } from '../../../lib/net/client.ts';
import { CommandError } from '../../engine/command-error.ts';

/** A refusal of money in its own words: which rule, and by how much. */
export async function refusingMoney<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'MONEY_REFUSED') throw error;
    const data = (error.data ?? {}) as Record<string, unknown>;
    const said = String(data['reason']);
    const problem = Array.isArray(data['problem']) ? String(data['problem'][0]) : null;
    const problems = problem === null ? [] : [`deposits.log.${problem}`, `signing.log.${problem}`];
    const keys = [...problems, `deposits.refused.${said}`, `signing.refused.${said}`];
    const values: Values = Object.fromEntries(
      Object.entries(data).flatMap(([name, value]) => (Array.isArray(value) ? [[name, listed(value)]] : [])),
    );
    const reason = keys.find((key) => tMaybe(key, values) !== null) ?? 'errors.code.MONEY_REFUSED';
    throw Object.assign(new CommandError('MONEY_REFUSED', said, [], reason as TextKey), {
      values,
      data,
      requestId: error.requestId,
    });
  }
}
