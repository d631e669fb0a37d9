import { formatBtc } from '../../../api/money.ts';
import { withdrawalNames } from '../../../api/withdrawals/names.ts';
import { secondsText } from '../../lib/authority/words.ts';
import { formatTime, shortenMiddle, valueText } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { onBitcoin, onEvm } from '../../lib/explorer.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import type { WithdrawalRow } from '../../../api/withdrawals/contract.ts';
import type { Sent } from '../../lib/evm/contract-call.ts';
import { $evmWallet } from '../../lib/evm/store.ts';
import type { Api } from '../../lib/net/client.ts';
import type { Target } from '../../lib/scope.ts';
import { opening } from '../engine/crud.ts';
import { refusalOf, refusingMoney } from '../authority/shared/refusals.ts';
import { withKey } from '../authority/shared/signing.ts';
import {
  defineCommand,
  no,
  none,
  one,
  type Blocked,
  type Done,
  copies,
  itemOf,
  only,
  type Saying,
  type Sentence,
} from '../engine/define.ts';
import { exploringOneOf } from '../engine/exploring.ts';
import { followingPick, params, searchedPick, type FieldContext, type Option } from '../engine/fields.ts';
import { withWallet } from '../custody/shared/wallet-problem.ts';
import { refundCalls, refuseOther, sendRefund, type RefundAct } from './refund-calls.ts';
import { targetOf } from '../engine/resource.ts';
import { signedSeen } from './signed.ts';

addNames(withdrawalNames);

export const withdrawalTarget = targetOf(
  'withdrawals',
  ({ amount, receiver }) => `${formatBtc(BigInt(amount))} BTC → ${receiver}`,
);

const place = '/selfCustody/withdraw';
const stale = ['withdrawals', 'deposits'];
const signedStale = ['withdrawals', 'statements', 'authority'];

interface OnWithdrawal {
  api: Api;
  targets: readonly Target<'withdrawals'>[];
}

const refunding = (
  act: RefundAct,
  prepare: 'prepareRequest' | 'prepareConfirm',
  done: 'withdrawals.requested' | 'withdrawals.confirmed',
) => ({
  rereads: true as const,
  panel: 'refund' as const,
  vouched: true as const,
  run: async ({ api, targets: [target] }: OnWithdrawal) => {
    if (!target) throw new Error(`withdrawals.${act} runs on one withdrawal`);
    const chain = await api.chain.get();
    return withWallet(async () => {
      // Compare with the reviewed row before the server records anything.
      const calls = await refundCalls[act](target.row, chain);
      const { call } = await refusingMoney(api.withdrawals[prepare](itemOf(target)), 'withdrawals');
      await refuseOther(call, calls);
      return sendRefund(calls, (hash) => api.withdrawals[act]({ id: target.id, hash }));
    });
  },
  done: ({ hash, isMined }: Sent): Done => ({
    stale,
    toast: { key: isMined ? done : 'withdrawals.sent', values: { hash: shortenMiddle(hash) } },
  }),
});

const connected = (): true | Blocked => $evmWallet.get() !== null || no('evm.problem.none');

/** Undefined: it can be requested or canceled. */
function requested({ status, requestHash }: WithdrawalRow): Blocked | undefined {
  if (status !== 'todo') return no('withdrawals.blocked.notTodo');
  return requestHash === null ? undefined : no('withdrawals.blocked.sent', { hash: requestHash });
}

/** Undefined: the custodian did not reject it. */
const rejected = ({ block }: WithdrawalRow): Blocked | undefined =>
  block === null ? undefined : no('withdrawals.refused.BLOCKED', { said: block });

/** Undefined: the signatures and rules allow the request. */
function unsigned({ refusal }: WithdrawalRow): Blocked | undefined {
  if (refusal === null) return undefined;
  const { reason, values } = refusalOf(refusal, 'withdrawals');
  return no(reason, values);
}

const onlySigns = ({ missing }: WithdrawalRow): boolean => missing > 1;

/** Only the last signature allows the request. */
function signatureOf(row: WithdrawalRow): Saying {
  if (onlySigns(row)) return { lead: [{ key: 'withdrawals.sign.more', values: { count: row.missing - 1 } }] };
  const delay = row.rule?.delaySeconds ?? 0;
  const last: Sentence =
    delay === 0
      ? { key: 'withdrawals.sign.last' }
      : { key: 'withdrawals.sign.lastDelayed', values: { time: secondsText(delay) } };
  return { lead: [last] };
}

function signedToast({ missing, refusal }: WithdrawalRow): Sentence {
  if (missing > 0) return { key: 'withdrawals.signedDone', values: { count: missing } };
  const until = refusal?.['reason'] === 'DELAY' ? refusal['until'] : undefined;
  return Array.isArray(until)
    ? { key: 'withdrawals.signedUntil', values: { time: formatTime(String(until[0])) } }
    : { key: 'withdrawals.signedAll' };
}

/** Undefined: it counts. */
function signed({ own, rule, approvals, missing, refusal }: WithdrawalRow): Blocked | undefined {
  if (own) return no('withdrawals.blocked.own');
  if (rule === null) return no('withdrawals.refused.NO_POLICY');
  if (missing > 0 && approvals.some((one) => one.own)) return no('withdrawals.blocked.signedByYou', { count: missing });
  return missing === 0 && (refusal === null || refusal['reason'] === 'DELAY') ? no('withdrawals.blocked.signedByAll') : undefined;
}

/** Voiding a colleague's withdrawal takes two people. */
function cancellationOf({ recorded, createdEmail, cancelAsked }: WithdrawalRow): Saying {
  if (recorded) return {};
  if (cancelAsked) return { lead: [{ key: 'withdrawals.cancelAskedBy', values: { email: cancelAsked.email } }] };
  return createdEmail === null ? { variant: 'askApprover' } : { variant: 'ask', values: { email: createdEmail } };
}

async function payouts({ api, signal, values = {} }: FieldContext): Promise<Option[]> {
  const depositId = valueText(values['depositId']);
  if (!depositId) return [{ value: '', label: t('withdrawals.depositFirst'), blocked: 'withdrawals.depositFirst' }];
  const { institution, addresses } = await api.withdrawals.payouts({ depositId }, { signal });
  if (addresses.length === 0) return [{ value: '', label: t('withdrawals.noPayouts'), blocked: 'withdrawals.addPayout' }];
  return addresses.map((address) => ({ value: address, label: address, ...(institution && { note: institution }) }));
}

async function candidates({ api, signal, query }: FieldContext): Promise<Option[]> {
  const found = await api.withdrawals.candidates(query ? { q: query } : undefined, { signal });
  if (found.length === 0 && !query)
    return [{ value: '', label: t('withdrawals.noCandidates'), blocked: 'withdrawals.mintFirst' }];
  return found.map(({ id, address, institution, amount, txid, vout }) => ({
    value: id,
    label: [institution, `${formatBtc(BigInt(amount))} BTC`, address].filter((part) => part !== null).join(' · '),
    note: `${txid}:${vout}`,
  }));
}

export const withdrawals = [
  defineCommand({
    id: 'withdrawals.add',
    permission: 'withdrawals.add',
    icon: 'plus',
    place,
    target: none,
    params: params(() => import('../../../api/withdrawals/contract.ts').then(({ withdrawalFields }) => withdrawalFields), {
      depositId: searchedPick('withdrawals.field.depositId', candidates),
      receiver: followingPick('withdrawals.field.receiver', 'depositId', payouts),
    }),
    danger: 'money',
    keys: ['c'],
    consequences: async ({ api, params: { depositId, receiver } }) => {
      const deposit = (await api.withdrawals.candidates({ id: depositId })).find(({ id }) => id === depositId);
      if (!deposit) return [t('withdrawals.noCandidates')];
      const { address, amount, txid, vout } = deposit;
      return [
        t('withdrawals.review.amount', { amount: formatBtc(BigInt(amount)), receiver }),
        t('withdrawals.review.by', { address }),
        t('withdrawals.review.deposit', { output: `${txid}:${vout}` }),
      ];
    },
    run: ({ api, params: fields }) => refusingMoney(api.withdrawals.add(fields), 'withdrawals'),
    done: (): Done => ({ stale }),
  }),
  defineCommand({
    id: 'withdrawals.signRefund',
    permission: 'withdrawals.signRefund',
    icon: 'user-check',
    place,
    target: one('withdrawals'),
    params: null,
    panel: 'refund',
    rereads: true,
    says: ({ targets }) => signatureOf(only(targets).row),
    when: ({ targets: [target] }) => (target && (requested(target.row) ?? rejected(target.row) ?? signed(target.row))) ?? true,
    danger: 'money',
    keys: ['shift+m'],
    run: ({ api, targets }) =>
      withKey(async () => {
        const asked = await signedSeen(api, only(targets));
        return refusingMoney(api.withdrawals.signRefund({ ...asked, onlySigns: onlySigns(only(targets).row) }), 'withdrawals');
      }),
    done: (row): Done => ({ stale: signedStale, toast: signedToast(row) }),
  }),
  defineCommand({
    id: 'withdrawals.requestRefund',
    permission: 'withdrawals.requestRefund',
    icon: 'send',
    place,
    target: one('withdrawals'),
    params: null,
    when: ({ targets: [target] }) =>
      (target && (requested(target.row) ?? rejected(target.row) ?? unsigned(target.row))) ?? connected(),
    danger: 'money',
    keys: ['shift+r'],
    ...refunding('requestRefund', 'prepareRequest', 'withdrawals.requested'),
  }),
  defineCommand({
    id: 'withdrawals.confirmRefund',
    permission: 'withdrawals.confirmRefund',
    icon: 'square-check',
    place,
    target: one('withdrawals'),
    params: null,
    when: ({ targets: [target] }) => {
      const { status, coolsUntil, confirmHash } = target?.row ?? {};
      if (status !== 'doing' || !coolsUntil) return no('withdrawals.blocked.notDoing');
      if (confirmHash) return no('withdrawals.blocked.sent', { hash: confirmHash });
      const isRejected = target && rejected(target.row);
      if (isRejected) return isRejected;
      return Date.parse(coolsUntil) <= Date.now() ? connected() : no('withdrawals.blocked.cooling');
    },
    danger: 'money',
    keys: ['shift+c'],
    ...refunding('confirmRefund', 'prepareConfirm', 'withdrawals.confirmed'),
  }),
  defineCommand({
    id: 'withdrawals.offerAgain',
    permission: 'withdrawals.offerAgain',
    icon: 'undo-2',
    place,
    target: one('withdrawals'),
    params: null,
    when: ({ targets: [target] }) => target?.row.status === 'gone' || no('withdrawals.blocked.notGone'),
    danger: 'money',
    consequences: async ({ targets: [target] }) =>
      target ? [t('withdrawals.review.offerAgain', { nonce: String(target.row.nonce) })] : [],
    run: ({ api, targets: [target] }) => {
      if (!target) throw new Error('withdrawals.offerAgain runs on one withdrawal');
      return api.withdrawals.offerAgain({ id: target.id, version: target.version });
    },
    done: (): Done => ({ stale }),
  }),
  defineCommand({
    id: 'withdrawals.cancel',
    permission: 'withdrawals.cancel',
    icon: 'square-x',
    place,
    target: one('withdrawals'),
    params: null,
    rereads: true,
    says: ({ targets }) => cancellationOf(only(targets).row),
    when: ({ targets: [target] }) => {
      if (!target) return true;
      const { createdEmail, cancelAsked } = target.row;
      const isAsked = cancelAsked?.own && no('withdrawals.blocked.cancelAsked', { email: createdEmail ?? '' });
      return requested(target.row) ?? (isAsked || true);
    },
    danger: 'irreversible',
    voids: true,
    keys: ['#', 'delete'],
    run: ({ api, targets: [target] }) => {
      if (!target) throw new Error('withdrawals.cancel runs on one withdrawal');
      return refusingMoney(api.withdrawals.cancel(itemOf(target)), 'withdrawals');
    },
    done: ({ status }): Done => ({ stale, ...(status !== 'canceled' && { toast: { key: 'withdrawals.cancelAsked' } }) }),
  }),
  opening('withdrawals.open', 'withdrawals', place),
  defineCommand({
    ...copies,
    id: 'withdrawals.copyReceiver',
    permission: place,
    place,
    target: one('withdrawals'),
    run: ({ ui, targets }) => ui.copy(only(targets).row.receiver),
  }),
  exploringOneOf('withdrawals.explore', 'withdrawals', place, {
    receiver: { label: 'withdrawals.field.receiver', of: ({ row }) => onBitcoin.address(row.receiver) },
    txid: { label: 'withdrawals.field.txid', of: ({ row }) => onBitcoin.tx(row.txid) },
    request: {
      label: 'withdrawals.field.requestHash',
      of: ({ row }) => (row.requestHash === null ? null : onEvm.tx(row.requestHash)),
    },
    confirm: {
      label: 'withdrawals.field.confirmHash',
      of: ({ row }) => (row.confirmHash === null ? null : onEvm.tx(row.confirmHash)),
    },
    user: { label: 'withdrawals.field.address', of: ({ row }) => onEvm.address(row.address) },
  }),
];
