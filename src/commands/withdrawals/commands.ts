import { formatBtc } from '../../../api/money.ts';
import { withdrawalNames } from '../../../api/withdrawals/names.ts';
import { shortenMiddle } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { onBitcoin, onEvm } from '../../lib/explorer.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import type { WithdrawalRow } from '../../../api/withdrawals/contract.ts';
import type { Sent } from '../../lib/evm/contract-call.ts';
import { $evmWallet } from '../../lib/evm/store.ts';
import type { Api } from '../../lib/net/client.ts';
import type { Target } from '../../lib/scope.ts';
import { opening } from '../engine/crud.ts';
import { defineCommand, no, none, one, type Blocked, type Consequences, type Done, copies, only } from '../engine/define.ts';
import { exploringOneOf } from '../engine/exploring.ts';
import { params, searchedPick, text, type FieldContext, type Option } from '../engine/fields.ts';
import { withWallet } from '../custody/shared/wallet-problem.ts';
import { confirmCalls, refuseOther, requestCalls, reviewOf, sendRefund } from './refund-calls.ts';
import { targetOf } from '../engine/resource.ts';

addNames(withdrawalNames);

export const withdrawalTarget = targetOf(
  'withdrawals',
  ({ amount, receiver }) => `${formatBtc(BigInt(amount))} BTC → ${receiver}`,
);

const place = '/selfCustody/withdraw';
const stale = ['withdrawals', 'deposits'];

interface OnWithdrawal {
  api: Api;
  targets: readonly Target<'withdrawals'>[];
}

/** What a wallet is asked to sign, is reviewed, prepared, compared and sent as: of the request of a refund, and of its confirmation. */
const refunding = (
  act: 'requestRefund' | 'confirmRefund',
  prepare: 'prepareRequest' | 'prepareConfirm',
  callsOf: typeof requestCalls,
  done: 'withdrawals.requested' | 'withdrawals.confirmed',
) => ({
  rereads: true as const,
  consequences: async ({ api, targets: [target] }: OnWithdrawal): Promise<Consequences> =>
    target ? reviewOf(target.row, await api.chain.get(), callsOf) : { lines: [] },
  run: async ({ api, targets: [target] }: OnWithdrawal) => {
    if (!target) throw new Error(`withdrawals.${act} runs on one withdrawal`);
    const chain = await api.chain.get();
    return withWallet(async () => {
      // Of what was reviewed, not of what the server answers now; and before it writes anything down: it asks the wallet.
      const calls = await callsOf(target.row, chain);
      const { call } = await api.withdrawals[prepare]({ id: target.id, version: target.version });
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

/** Why a withdrawal can no longer be requested or given up; undefined: it can. */
function requested({ status, requestHash }: WithdrawalRow): Blocked | undefined {
  if (status !== 'todo') return no('withdrawals.blocked.notTodo');
  return requestHash === null ? undefined : no('withdrawals.blocked.sent', { hash: requestHash });
}

async function candidates({ api, signal, query }: FieldContext): Promise<Option[]> {
  const found = await api.withdrawals.candidates(query ? { q: query } : undefined, { signal });
  if (found.length === 0 && !query)
    return [{ value: '', label: t('withdrawals.noCandidates'), blocked: 'withdrawals.mintFirst' }];
  return found.map(({ id, address, amount, txid, vout }) => ({
    value: id,
    label: `${formatBtc(BigInt(amount))} BTC · ${address}`,
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
      receiver: text('withdrawals.field.receiver'),
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
    run: ({ api, params: fields }) => api.withdrawals.add(fields),
    done: (): Done => ({ stale }),
  }),
  defineCommand({
    id: 'withdrawals.requestRefund',
    permission: 'withdrawals.requestRefund',
    icon: 'send',
    place,
    target: one('withdrawals'),
    params: null,
    when: ({ targets: [target] }) => (target && requested(target.row)) ?? connected(),
    danger: 'money',
    keys: ['shift+r'],
    ...refunding('requestRefund', 'prepareRequest', requestCalls, 'withdrawals.requested'),
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
      return Date.parse(coolsUntil) <= Date.now() ? connected() : no('withdrawals.blocked.cooling');
    },
    danger: 'money',
    keys: ['shift+c'],
    ...refunding('confirmRefund', 'prepareConfirm', confirmCalls, 'withdrawals.confirmed'),
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
    when: ({ targets: [target] }) => (target && requested(target.row)) ?? true,
    danger: 'irreversible',
    voids: true,
    keys: ['#', 'delete'],
    run: ({ api, targets: [target] }) => {
      if (!target) throw new Error('withdrawals.cancel runs on one withdrawal');
      return api.withdrawals.cancel({ id: target.id, version: target.version });
    },
    done: (): Done => ({ stale }),
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
