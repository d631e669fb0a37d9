import type { DepositTransaction } from '../../../api/deposits/contract.ts';
import { parseTransactionText, type TransactionText } from '../../../api/deposits/transaction-text.ts';
import { toSafeInteger } from '../../../api/integers.ts';
import { formatBtc } from '../../../api/money.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { loadWords } from '../../lib/i18n/words.ts';
import type { Api } from '../../lib/net/client.ts';
import { CommandError } from '../engine/command-error.ts';
import type { MessageRef } from '../engine/define.ts';
import type { ParamValues } from '../engine/fields.ts';

// A new deposit filled in from its transaction, in the form and for scripts.

export type OurOutput = DepositTransaction['ours'][number];

/** The fields that follow from an output. The receiver only where no other institution is possible. */
export const filledNames = ['vout', 'amount', 'coboAddress', 'userAddress'] as const;
export type FilledFields = Partial<Record<(typeof filledNames)[number], string>>;

export function toFieldValues({ vout, amount, address, receivers }: OurOutput): FilledFields {
  const [receiver, ...otherReceivers] = receivers;
  return {
    vout: String(vout),
    amount,
    coboAddress: address,
    ...(receiver && otherReceivers.length === 0 && { userAddress: receiver.address }),
  };
}

/** Why nothing can be filled in. Null: there is an output to choose. */
export function notFilledReason(
  transaction: DepositTransaction,
  { network }: Pick<TransactionText, 'network'>,
): MessageRef | null {
  if (network !== null && network !== transaction.network)
    return {
      key: 'deposits.fill.network',
      values: { link: t(`value.network.${network}`), own: t(`value.network.${transaction.network}`) },
    };
  if (transaction.verdict !== 'found') return { key: `deposits.fill.${transaction.verdict}` };
  if (transaction.ours.length === 0) return { key: 'deposits.fill.notOurs', values: { count: transaction.outputs } };
  return null;
}

/** The output that is meant: the one that the text names, or the only one. */
export function matchingOutput({ ours }: DepositTransaction, vout: number | null): OurOutput | undefined {
  const [firstOutput, ...otherReceivers] = ours;
  return vout === null ? (otherReceivers.length === 0 ? firstOutput : undefined) : ours.find((output) => output.vout === vout);
}

/** For a script: what it left out, from `txid`, which may be a link. Throws INVALID where a person would have to choose. */
export async function completeDeposit(enteredValues: Readonly<ParamValues>, { api }: { api: Api }): Promise<ParamValues> {
  const { txid } = enteredValues;
  const text = typeof txid === 'string' ? parseTransactionText(txid) : null;
  if (text === null) return {};
  if (['amount', 'coboAddress', 'userAddress'].every((name) => name in enteredValues)) return { txid: text.txid };
  const [transaction] = await Promise.all([api.deposits.transaction({ txid: text.txid }), loadWords('deposits')]);
  const missingReason = notFilledReason(transaction, text);
  if (missingReason) throw invalidError(t(missingReason.key, missingReason.values));
  const output = matchingOutput(transaction, requestedOutput(enteredValues) ?? text.vout);
  if (!output)
    throw invalidError(
      `vout is one of ${transaction.ours.map(({ vout, amount }) => `${vout} (${formatBtc(BigInt(amount))} BTC)`).join(', ')}`,
    );
  if (output.known !== null) throw invalidError(t('deposits.fill.known'));
  const filledFields = toFieldValues(output);
  if (!('userAddress' in enteredValues) && filledFields.userAddress === undefined && output.receivers.length > 0)
    throw invalidError(
      `userAddress is one of ${output.receivers.map(({ address, institution }) => `${address} (${institution})`).join(', ')}`,
    );
  const missingFields = Object.entries(filledFields).filter(([name]) => !(name in enteredValues));
  return { txid: text.txid, ...Object.fromEntries(missingFields) };
}

function requestedOutput({ vout }: Readonly<ParamValues>): number | null {
  const text = typeof vout === 'number' || typeof vout === 'string' ? String(vout) : '';
  return /^\d{1,9}$/.test(text) ? toSafeInteger(text) : null;
}

const invalidError = (message: string) => new CommandError('INVALID', `deposits.add: ${message}`);
