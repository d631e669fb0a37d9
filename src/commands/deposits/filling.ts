import type { DepositTransaction } from '../../../api/deposits/contract.ts';
import { transactionOf, type TransactionText } from '../../../api/deposits/transaction-text.ts';
import { integerOf } from '../../../api/integers.ts';
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
  const [receiver, ...others] = receivers;
  return {
    vout: String(vout),
    amount,
    coboAddress: address,
    ...(receiver && others.length === 0 && { userAddress: receiver.address }),
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
  const [only, ...others] = ours;
  return vout === null ? (others.length === 0 ? only : undefined) : ours.find((output) => output.vout === vout);
}

/** For a script: what it left out, from `txid`, which may be a link. Throws INVALID where a person would have to choose. */
export async function completeDeposit(said: Readonly<ParamValues>, { api }: { api: Api }): Promise<ParamValues> {
  const { txid } = said;
  const text = typeof txid === 'string' ? transactionOf(txid) : null;
  if (text === null) return {};
  if (['amount', 'coboAddress', 'userAddress'].every((name) => name in said)) return { txid: text.txid };
  const [transaction] = await Promise.all([api.deposits.transaction({ txid: text.txid }), loadWords('deposits')]);
  const why = notFilledReason(transaction, text);
  if (why) throw refused(t(why.key, why.values));
  const output = matchingOutput(transaction, requestedOutput(said) ?? text.vout);
  if (!output)
    throw refused(
      `vout is one of ${transaction.ours.map(({ vout, amount }) => `${vout} (${formatBtc(BigInt(amount))} BTC)`).join(', ')}`,
    );
  if (output.known !== null) throw refused(t('deposits.fill.known'));
  const filled = toFieldValues(output);
  if (!('userAddress' in said) && filled.userAddress === undefined && output.receivers.length > 0)
    throw refused(
      `userAddress is one of ${output.receivers.map(({ address, institution }) => `${address} (${institution})`).join(', ')}`,
    );
  const left = Object.entries(filled).filter(([name]) => !(name in said));
  return { txid: text.txid, ...Object.fromEntries(left) };
}

function requestedOutput({ vout }: Readonly<ParamValues>): number | null {
  const text = typeof vout === 'number' || typeof vout === 'string' ? String(vout) : '';
  return /^\d{1,9}$/.test(text) ? integerOf(text) : null;
}

const refused = (message: string) => new CommandError('INVALID', `deposits.add: ${message}`);
