import { formatBtc } from '../../../api/money.ts';
import { withdrawalNames } from '../../../api/withdrawals/names.ts';
import { secondsText } from '../../lib/authority/words.ts';
import { formatTime, shortenMiddle, valueText } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { bitcoinExplorerTarget, evmExplorerTarget } from '../../lib/explorer.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import type { WithdrawalRow } from '../../../api/withdrawals/contract.ts';
import type { SendResult } from '../../lib/evm/contract-call.ts';
import { $evmWallet } from '../../lib/evm/store.ts';
import type { Api } from '../../lib/net/client.ts';
import type { Target } from '../../lib/scope.ts';
import { openCommand } from '../engine/crud.ts';
import { authorityRefusal, withMoneyRefusal } from '../authority/shared/refusals.ts';
import { withSigningKey } from '../authority/shared/signing.ts';
import {
  defineCommand,
  blockedBecause,
  noTarget,
  oneTarget,
  type BlockReason,
  type CommandResult,
  copyCommand,
  toItemVersion,
  firstOf,
  type ConfirmWording,
  type MessageRef,
} from '../engine/define.ts';
import { explorerCommandsWithPick } from '../engine/explorer-commands.ts';
import { dependentPick, paramSpec, searchPickField, type FieldContext, type FieldOption } from '../engine/fields.ts';
import { withWallet } from '../custody/shared/wallet-problem.ts';
import { refundCalls, requireSameCall, sendRefund, type RefundAction } from './refund-calls.ts';
import { targetOf } from '../engine/resource.ts';
import { signRefundVersion } from './sign-version.ts';

addNames(withdrawalNames);

export const withdrawalTarget = targetOf(
  'withdrawals',
  ({ amount, receiver }) => `${formatBtc(BigInt(amount))} BTC → ${receiver}`,
);

const screenPath = '/selfCustody/withdraw';
const staleQueries = ['withdrawals', 'deposits'];
const signedStaleQueries = ['withdrawals', 'statements', 'authority'];

/** Comes with the first review. */
const loadReviews = () => import('./review/reviews.ts');

interface WithdrawalTargets {
  api: Api;
  targets: readonly Target<'withdrawals'>[];
}

const refundCommand = (
  action: RefundAction,
  prepareRoute: 'prepareRequest' | 'prepareConfirm',
  resultKey: 'withdrawals.requested' | 'withdrawals.confirmed',
) => ({
  refreshesTargets: true as const,
  panel: 'refund' as const,
  requiresPanelApproval: true as const,
  run: async ({ api, targets: [target] }: WithdrawalTargets) => {
    if (!target) throw new Error(`withdrawals.${action} runs on one withdrawal`);
    const chain = await api.chain.get();
    return withWallet(async () => {
      // Compare with the reviewed row before the server records anything.
      const calls = await refundCalls[action](target.row, chain);
      const { call } = await withMoneyRefusal(api.withdrawals[prepareRoute](toItemVersion(target)), 'withdrawals');
      await requireSameCall(call, calls);
      return sendRefund(calls, (hash) => api.withdrawals[action]({ id: target.id, hash }));
    });
  },
  done: ({ hash, isMined }: SendResult): CommandResult => ({
    stale: staleQueries,
    toast: { key: isMined ? resultKey : 'withdrawals.sent', values: { hash: shortenMiddle(hash) } },
  }),
});

const checkConnected = (): true | BlockReason => $evmWallet.get() !== null || blockedBecause('evm.problem.none');

/** Undefined: it can be requested or canceled. */
function requestedReason({ status, requestHash }: WithdrawalRow): BlockReason | undefined {
  if (status !== 'todo') return blockedBecause('withdrawals.blocked.notTodo');
  return requestHash === null ? undefined : blockedBecause('withdrawals.blocked.sent', { hash: requestHash });
}

/** Undefined: the custodian did not reject it. */
const rejectedReason = ({ block }: WithdrawalRow): BlockReason | undefined =>
  block === null ? undefined : blockedBecause('withdrawals.refused.BLOCKED', { said: block });

/** Undefined: the signatures and rules allow the request. */
function unsignedReason({ refusal }: WithdrawalRow): BlockReason | undefined {
  if (refusal === null) return undefined;
  const { reason, values } = authorityRefusal(refusal, 'withdrawals');
  return blockedBecause(reason, values);
}

const onlySigns = ({ missing }: WithdrawalRow): boolean => missing > 1;

/** Only the last signature allows the request. */
function signatureWording(row: WithdrawalRow): ConfirmWording {
  if (onlySigns(row)) return { lead: [{ key: 'withdrawals.sign.more', values: { count: row.missing - 1 } }] };
  const delay = row.rule?.delaySeconds ?? 0;
  const lastEffect: MessageRef =
    delay === 0
      ? { key: 'withdrawals.sign.last' }
      : { key: 'withdrawals.sign.lastDelayed', values: { time: secondsText(delay) } };
  return { lead: [lastEffect] };
}

function signedToast({ missing, refusal }: WithdrawalRow): MessageRef {
  if (missing > 0) return { key: 'withdrawals.signedDone', values: { count: missing } };
  const delayedUntil = refusal?.['reason'] === 'DELAY' ? refusal['until'] : undefined;
  return Array.isArray(delayedUntil)
    ? { key: 'withdrawals.signedUntil', values: { time: formatTime(String(delayedUntil[0])) } }
    : { key: 'withdrawals.signedAll' };
}

/** Undefined: it counts. */
function signedReason({ own, rule, approvals, missing, refusal }: WithdrawalRow): BlockReason | undefined {
  if (own) return blockedBecause('withdrawals.blocked.own');
  if (rule === null) return blockedBecause('withdrawals.refused.NO_POLICY');
  if (missing > 0 && approvals.some((approval) => approval.own))
    return blockedBecause('withdrawals.blocked.signedByYou', { count: missing });
  return missing === 0 && (refusal === null || refusal['reason'] === 'DELAY')
    ? blockedBecause('withdrawals.blocked.signedByAll')
    : undefined;
}

/** Voiding a colleague's withdrawal takes two people. */
function cancellationWording({ recorded, createdEmail, cancelAsked }: WithdrawalRow): ConfirmWording {
  if (recorded) return {};
  if (cancelAsked) return { lead: [{ key: 'withdrawals.cancelAskedBy', values: { email: cancelAsked.email } }] };
  return createdEmail === null ? { variant: 'askApprover' } : { variant: 'ask', values: { email: createdEmail } };
}

async function loadPayouts({ api, signal, values = {} }: FieldContext): Promise<FieldOption[]> {
  const depositId = valueText(values['depositId']);
  if (!depositId) return [{ value: '', label: '', blocked: 'withdrawals.depositFirst' }];
  const { institution, addresses } = await api.withdrawals.payouts({ depositId }, { signal });
  if (addresses.length === 0) return [{ value: '', label: t('withdrawals.noPayouts'), blocked: 'withdrawals.addPayout' }];
  return addresses.map((address) => ({ value: address, label: address, ...(institution && { note: institution }) }));
}

async function loadCandidates({ api, signal, query }: FieldContext): Promise<FieldOption[]> {
  const foundCandidates = await api.withdrawals.candidates(query ? { q: query } : undefined, { signal });
  if (foundCandidates.length === 0 && !query)
    return [{ value: '', label: t('withdrawals.noCandidates'), blocked: 'withdrawals.mintFirst' }];
  return foundCandidates.map(({ id, address, institution, amount, txid, vout }) => ({
    value: id,
    label: [institution, `${formatBtc(BigInt(amount))} BTC`, address].filter((labelPart) => labelPart !== null).join(' · '),
    note: `${txid}:${vout}`,
  }));
}

export const withdrawals = [
  defineCommand({
    id: 'withdrawals.add',
    permission: 'withdrawals.add',
    icon: 'plus',
    place: screenPath,
    target: noTarget,
    params: paramSpec(() => import('../../../api/withdrawals/contract.ts').then(({ withdrawalFields }) => withdrawalFields), {
      depositId: searchPickField('withdrawals.field.depositId', loadCandidates),
      receiver: dependentPick('withdrawals.field.receiver', 'depositId', loadPayouts),
    }),
    danger: 'money',
    oneStep: 'form',
    keys: ['c'],
    reviewNamesParams: true,
    consequences: async ({ api, params: { depositId, receiver } }) => {
      const deposit = (await api.withdrawals.candidates({ id: depositId })).find(({ id }) => id === depositId);
      if (!deposit) return { lines: [], blocked: t('withdrawals.noCandidates') };
      const { recordReview } = await loadReviews();
      return { lines: [], reviews: [recordReview(deposit, receiver)] };
    },
    run: ({ api, params: fields }) => withMoneyRefusal(api.withdrawals.add(fields), 'withdrawals'),
    done: (): CommandResult => ({ stale: staleQueries }),
  }),
  defineCommand({
    id: 'withdrawals.signRefund',
    permission: 'withdrawals.signRefund',
    icon: 'user-check',
    place: screenPath,
    target: oneTarget('withdrawals'),
    params: null,
    panel: 'refund',
    refreshesTargets: true,
    confirmWording: ({ targets }) => signatureWording(firstOf(targets).row),
    when: ({ targets: [target] }) =>
      (target && (requestedReason(target.row) ?? rejectedReason(target.row) ?? signedReason(target.row))) ?? true,
    danger: 'money',
    keys: ['shift+m'],
    run: ({ api, targets }) =>
      withSigningKey(async () => {
        const signedVersion = await signRefundVersion(api, firstOf(targets));
        return withMoneyRefusal(
          api.withdrawals.signRefund({ ...signedVersion, onlySigns: onlySigns(firstOf(targets).row) }),
          'withdrawals',
        );
      }),
    done: (row): CommandResult => ({ stale: signedStaleQueries, toast: signedToast(row) }),
  }),
  defineCommand({
    id: 'withdrawals.requestRefund',
    permission: 'withdrawals.requestRefund',
    icon: 'send',
    place: screenPath,
    target: oneTarget('withdrawals'),
    params: null,
    when: ({ targets: [target] }) =>
      (target && (requestedReason(target.row) ?? rejectedReason(target.row) ?? unsignedReason(target.row))) ?? checkConnected(),
    danger: 'money',
    keys: ['shift+r'],
    ...refundCommand('requestRefund', 'prepareRequest', 'withdrawals.requested'),
  }),
  defineCommand({
    id: 'withdrawals.confirmRefund',
    permission: 'withdrawals.confirmRefund',
    icon: 'square-check',
    place: screenPath,
    target: oneTarget('withdrawals'),
    params: null,
    when: ({ targets: [target] }) => {
      const { status, coolsUntil, confirmHash } = target?.row ?? {};
      if (status !== 'doing' || !coolsUntil) return blockedBecause('withdrawals.blocked.notDoing');
      if (confirmHash) return blockedBecause('withdrawals.blocked.sent', { hash: confirmHash });
      const rejection = target && rejectedReason(target.row);
      if (rejection) return rejection;
      return Date.parse(coolsUntil) <= Date.now() ? checkConnected() : blockedBecause('withdrawals.blocked.cooling');
    },
    danger: 'money',
    keys: ['shift+c'],
    ...refundCommand('confirmRefund', 'prepareConfirm', 'withdrawals.confirmed'),
  }),
  defineCommand({
    id: 'withdrawals.offerAgain',
    permission: 'withdrawals.offerAgain',
    icon: 'undo-2',
    place: screenPath,
    target: oneTarget('withdrawals'),
    params: null,
    when: ({ targets: [target] }) => target?.row.status === 'gone' || blockedBecause('withdrawals.blocked.notGone'),
    danger: 'money',
    consequences: async ({ targets }) => ({
      lines: [t('withdrawals.review.offerAgain', { nonce: String(firstOf(targets).row.nonce) })],
      reviews: [(await loadReviews()).withdrawalReview('offerAgain', firstOf(targets).row)],
    }),
    run: ({ api, targets: [target] }) => {
      if (!target) throw new Error('withdrawals.offerAgain runs on one withdrawal');
      return api.withdrawals.offerAgain({ id: target.id, version: target.version });
    },
    done: (): CommandResult => ({ stale: staleQueries }),
  }),
  defineCommand({
    id: 'withdrawals.cancel',
    permission: 'withdrawals.cancel',
    icon: 'square-x',
    place: screenPath,
    target: oneTarget('withdrawals'),
    params: null,
    refreshesTargets: true,
    confirmWording: ({ targets }) => cancellationWording(firstOf(targets).row),
    when: ({ targets: [target] }) => {
      if (!target) return true;
      const { createdEmail, cancelAsked } = target.row;
      const requestedBlock = cancelAsked?.own && blockedBecause('withdrawals.blocked.cancelAsked', { email: createdEmail ?? '' });
      return requestedReason(target.row) ?? (requestedBlock || true);
    },
    danger: 'irreversible',
    voids: true,
    consequences: async ({ targets }) => ({
      lines: [],
      reviews: [(await loadReviews()).withdrawalReview('cancel', firstOf(targets).row)],
    }),
    keys: ['#', 'delete'],
    run: ({ api, targets: [target] }) => {
      if (!target) throw new Error('withdrawals.cancel runs on one withdrawal');
      return withMoneyRefusal(api.withdrawals.cancel(toItemVersion(target)), 'withdrawals');
    },
    done: ({ status }): CommandResult => ({
      stale: staleQueries,
      ...(status !== 'canceled' && { toast: { key: 'withdrawals.cancelAsked' } }),
    }),
  }),
  openCommand('withdrawals.open', 'withdrawals', screenPath),
  defineCommand({
    ...copyCommand,
    id: 'withdrawals.copyReceiver',
    permission: screenPath,
    place: screenPath,
    target: oneTarget('withdrawals'),
    run: ({ ui, targets }) => ui.copy(firstOf(targets).row.receiver),
  }),
  explorerCommandsWithPick('withdrawals.explore', 'withdrawals', screenPath, {
    receiver: { label: 'withdrawals.field.receiver', of: ({ row }) => bitcoinExplorerTarget.address(row.receiver) },
    txid: { label: 'withdrawals.field.txid', of: ({ row }) => bitcoinExplorerTarget.tx(row.txid) },
    request: {
      label: 'withdrawals.field.requestHash',
      of: ({ row }) => (row.requestHash === null ? null : evmExplorerTarget.tx(row.requestHash)),
    },
    confirm: {
      label: 'withdrawals.field.confirmHash',
      of: ({ row }) => (row.confirmHash === null ? null : evmExplorerTarget.tx(row.confirmHash)),
    },
    user: { label: 'withdrawals.field.address', of: ({ row }) => evmExplorerTarget.address(row.address) },
  }),
];
