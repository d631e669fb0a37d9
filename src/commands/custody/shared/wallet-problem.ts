import { EvmError, toEvmError } from '../../../lib/evm/problem.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { CommandError } from '../../engine/command-error.ts';

export async function withWallet<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (!(error instanceof EvmError)) throw error;
    const refusal = new CommandError('BLOCKED', evmText(error), [], `evm.problem.${error.code}`);
    throw Object.assign(refusal, { values: error.values });
  }
}

export function evmText(error: unknown): string {
  const { code, values } = toEvmError(error);
  return t(`evm.problem.${code}`, values);
}
