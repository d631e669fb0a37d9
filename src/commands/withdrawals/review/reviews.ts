import { formatBtc, satoshiToWei } from '../../../../api/money.ts';
import type { WithdrawalRow } from '../../../../api/withdrawals/contract.ts';
import { bitcoinExplorerTarget, evmExplorerTarget } from '../../../lib/explorer.ts';
import { withUnit } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { amountText } from '../../../lib/money/amount-text.ts';
import { $loginEmail } from '../../../lib/session/session.ts';
import type { Party, Review } from '../../engine/review.ts';
import type { RefundAction, RefundReview } from '../refund-calls.ts';

const btcText = (satoshi: string): string => `${formatBtc(BigInt(satoshi))} BTC`;

const payoutTo = (receiver: string): Party => ({
  as: 'to',
  at: bitcoinExplorerTarget.address(receiver),
  name: t('withdrawals.effect.payoutAddress'),
});
const accountFrom = (address: string): Party => ({ as: 'from', at: evmExplorerTarget.address(address) });

interface Candidate {
  address: string;
  amount: string;
  txid: string;
  vout: number;
}

/** Recording a withdrawal signs and sends nothing yet. */
export const recordReview = ({ address, amount, txid, vout }: Candidate, receiver: string): Review => ({
  what: t('withdrawals.effect.what.add', { amount: btcText(amount) }),
  parties: [accountFrom(address), payoutTo(receiver)],
  facts: [
    { label: t('withdrawals.effect.deposit'), text: `${txid}:${vout}` },
    { label: t('withdrawals.effect.next'), text: t('withdrawals.effect.nextSigned') },
  ],
  undo: t('withdrawals.effect.undone.add'),
});

type SignedAction = 'signRefund' | 'cancel' | 'offerAgain';

/** What a press makes of a withdrawal in the panel, before or without the wallet. */
export function withdrawalReview(action: SignedAction, row: WithdrawalRow): Review {
  const { amount, address, receiver } = row;
  const review: Review = {
    what: t(`withdrawals.effect.what.${action}`, { amount: btcText(amount) }),
    parties: [accountFrom(address), payoutTo(receiver)],
    facts: depositFacts(row),
    undo: t(`withdrawals.effect.undone.${action}`),
  };
  if (action !== 'signRefund') return review;
  return { ...review, signatures: { ...signaturesOf(row), you: $loginEmail.get(), missing: Math.max(0, row.missing - 1) } };
}

const depositFacts = ({ txid, nonce }: WithdrawalRow) => [
  { label: t('withdrawals.field.txid'), text: txid },
  ...(nonce === null ? [] : [{ label: t('withdrawals.field.nonce'), text: String(nonce) }]),
];

const signaturesOf = ({ createdEmail, approvals }: WithdrawalRow) => ({
  recorded: createdEmail,
  signed: approvals.map(({ email }) => email),
});

/** What a press with the wallet makes of a refund. */
export function refundReview(action: RefundAction, row: WithdrawalRow, { chain, before, calls, problem }: RefundReview): Review {
  const wei = satoshiToWei(BigInt(row.amount));
  const amount = `${amountText(wei, 18)} YBTC`;
  const isRequest = action === 'requestRefund';
  const bridge = { at: evmExplorerTarget.address(chain.contracts.custodyBridge), name: t('withdrawals.bridge') };
  const total = (value: bigint) => withUnit(amountText(value, 18), 'YBTC');
  return {
    what: t(`withdrawals.effect.what.${action}`, { amount, btc: btcText(row.amount) }),
    parties: [
      ...(isRequest ? [accountFrom(row.address), { as: 'to', ...bridge } as const] : [{ as: 'from', ...bridge } as const]),
      payoutTo(row.receiver),
    ],
    facts: [
      { label: t('withdrawals.effect.payout'), text: btcText(row.amount) },
      ...depositFacts(row),
      { label: t('withdrawals.effect.chain'), text: `${chain.name} (${chain.chainId})` },
    ],
    changes: [
      {
        key: action,
        label: t(`withdrawals.effect.before.${action}`),
        before: before === null ? null : total(before),
        after: before === null ? null : total(before - wei),
      },
    ],
    signatures: { ...signaturesOf(row), you: $loginEmail.get(), missing: 0 },
    undo: t(`withdrawals.effect.undone.${action}`),
    calls: calls.map(({ contract, to, name, args }) => ({ contract, address: to, name, args: args.map(argumentOf) })),
    checked:
      problem === null && calls.length > 0
        ? t(calls.length > 1 ? 'withdrawals.review.approveHolds' : 'withdrawals.review.holds')
        : null,
  };
}

/** Amounts of the bridge and of YBTC are wei. */
const argumentOf = ({ name, value }: { name: string; value: string }) =>
  name === 'amount' || name === 'value'
    ? { name, text: `${amountText(BigInt(value), 18)} YBTC`, raw: value }
    : { name, text: value };
