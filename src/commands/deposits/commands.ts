import { formatUnits } from '../../../api/money.ts';
import type { DepositRow } from '../../../api/deposits/contract.ts';
import { depositNames } from '../../../api/deposits/names.ts';
import { secondsText } from '../../lib/authority/words.ts';
import { bitcoinExplorerTarget, evmExplorerTarget } from '../../lib/explorer.ts';
import { formatTime } from '../../lib/format.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import type { Target } from '../../lib/scope.ts';
import { $loginEmail } from '../../lib/session/session.ts';
import { openCommand } from '../engine/crud.ts';
import {
  invocation,
  defineCommand,
  manyTargets,
  blockedBecause,
  noTarget,
  oneTarget,
  type CommandResult,
  toItemVersions,
  copyCommand,
  firstOf,
  type ConfirmWording,
  type MessageRef,
} from '../engine/define.ts';
import { withMoneyRefusal } from '../authority/shared/refusals.ts';
import { withSigningKey } from '../authority/shared/signing.ts';
import { explorerCommandsWithPick } from '../engine/explorer-commands.ts';
import {
  choiceField,
  optionalTimeField,
  numberField,
  paramSpec,
  paramsCompleted,
  recordParams,
  textField,
} from '../engine/fields.ts';
import { targetOf } from '../engine/resource.ts';
import { cancelWithSignature, signMintApprovals, signSignatureRevocation } from './sign-versions.ts';

addNames(depositNames);

const btcText = (satoshi: string) => formatUnits(BigInt(satoshi), 8);

export const depositTarget = targetOf('deposits', ({ amount, txid, vout }) => `${btcText(amount)} BTC · ${txid}:${vout}`);
const screenPath = '/selfCustody/deposit';
const loadDepositSchema = () => import('../../../api/deposits/contract.ts').then(({ depositFields }) => depositFields);
const staleQueries = ['deposits', 'depositEvidence'];
const signedStaleQueries = [...staleQueries, 'statements', 'authority'];

const fields = {
  txid: { as: 'text', label: 'deposits.field.txid', hint: 'deposits.hint.txid', helper: 'transaction' },
  vout: { ...numberField('deposits.field.vout'), hint: 'deposits.hint.vout' },
  amount: { as: 'units', unit: 'BTC', decimals: 8, label: 'deposits.field.amount', hint: 'deposits.hint.amount' },
  coboAddress: textField('deposits.field.coboAddress'),
  userAddress: { as: 'text', label: 'deposits.field.userAddress', hint: 'deposits.hint.userAddress' },
  type: choiceField('deposits.field.type', [
    { value: 'cobo', label: 'deposits.type.cobo' },
    { value: 'multisig', label: 'deposits.type.multisig' },
  ]),
  lockTime: optionalTimeField('deposits.field.lockTime', 'deposits.hint.lockTime'),
  remarks: { as: 'multiline', label: 'deposits.field.remarks', optional: true },
} as const;

const loadReasonSchema = () => import('../../../api/deposits/contract.ts').then(({ mintReason }) => mintReason);
const reasonFields = { reason: { as: 'multiline', label: 'deposits.field.reason', hint: 'deposits.hint.reason' } } as const;
const fieldsOf = ({ userAddress, amount, coboAddress, txid, vout, type, lockTime, remarks }: DepositRow) => ({
  userAddress,
  amount,
  coboAddress,
  txid,
  vout,
  type,
  lockTime,
  remarks,
});

type Targets = readonly Target<'deposits'>[];

/** The last signature mints. Earlier ones only sign. */
function confirmationOf(row: DepositRow): ConfirmWording {
  if (row.missing > 1) return { lead: [{ key: 'deposits.sign.more', values: { count: row.missing - 1 } }], onlySigns: true };
  const hasSigned = row.approvals.some(({ own }) => own);
  return { variant: hasSigned ? 'confirm' : 'mint', lead: [mintTimeText(row, hasSigned ? 'confirm' : 'sign')] };
}

function signedToast({ status, missing, mint }: DepositRow): MessageRef {
  if (status === 'created') return { key: 'deposits.signedDone', values: { count: missing } };
  const signFrom = mint?.signFrom ?? null;
  return signFrom === null ? { key: 'deposits.queued' } : { key: 'deposits.queuedUntil', values: { time: formatTime(signFrom) } };
}

function mintTimeText({ rule }: DepositRow, actionKind: 'sign' | 'confirm' | 'retry'): MessageRef {
  const delay = rule?.delaySeconds ?? 0;
  return delay === 0
    ? { key: `deposits.minted.now.${actionKind}` }
    : { key: `deposits.minted.later.${actionKind}`, values: { time: secondsText(delay) } };
}
const isMintStopped = ({ mintStatus }: DepositRow) => mintStatus === 'failed' || mintStatus === 'canceled';
const checkOpen = (targets: Targets) =>
  targets.every(({ row }) => row.status === 'created') || blockedBecause('deposits.blocked.confirmed');

export const deposits = [
  defineCommand({
    id: 'deposits.add',
    permission: 'deposits.add',
    icon: 'plus',
    place: screenPath,
    target: noTarget,
    params: paramsCompleted(
      async (enteredValues, context) => (await import('./filling.ts')).completeDeposit(enteredValues, context),
      paramSpec(loadDepositSchema, fields, () => ({ vout: '0', type: 'cobo', lockTime: null, remarks: '' })),
    ),
    panel: 'deposit',
    danger: 'reversible',
    keys: ['c'],
    run: ({ api, params: values }) => api.deposits.add(values),
    done: (row): CommandResult => ({
      stale: staleQueries,
      undo: invocation('deposits.delete', { targets: toItemVersions([row]) }),
    }),
  }),
  defineCommand({
    id: 'deposits.edit',
    permission: 'deposits.edit',
    icon: 'pencil',
    place: screenPath,
    target: oneTarget('deposits'),
    params: recordParams('deposits', loadDepositSchema, fields, fieldsOf),
    panel: 'deposit',
    when: ({ targets }) => checkOpen(targets),
    danger: 'reversible',
    keys: ['e'],
    run: async ({ api, targets: [target], params: values }) => {
      if (!target) throw new Error('deposits.edit runs on one deposit');
      const row = await withMoneyRefusal(api.deposits.edit({ ...values, id: target.id, version: target.version }));
      return { row, before: fieldsOf(target.row) };
    },
    done: ({ row, before }): CommandResult => ({
      stale: staleQueries,
      undo: invocation('deposits.edit', { targets: toItemVersions([row]), params: before }),
    }),
  }),
  defineCommand({
    id: 'deposits.confirm',
    permission: 'deposits.confirm',
    icon: 'square-check',
    place: screenPath,
    target: oneTarget('deposits'),
    params: null,
    panel: 'deposit',
    requiresPanelApproval: true,
    refreshesTargets: true,
    confirmWording: ({ targets }) => confirmationOf(firstOf(targets).row),
    when: ({ targets: [target] }) => {
      if (!target) return true;
      const { row } = target;
      if (row.block) return blockedBecause('deposits.blocked.custodian');
      if (row.status !== 'created') return blockedBecause('deposits.blocked.confirmed');
      if (row.own) return blockedBecause('deposits.blocked.fourEyes');
      if (row.rule === null) return blockedBecause('deposits.blocked.noRule');
      const isSigned = row.approvals.some(({ own }) => own);
      return !isSigned || row.missing === 0 || blockedBecause('deposits.blocked.approvals', { n: row.missing });
    },
    danger: 'money',
    keys: ['shift+m'],
    run: ({ api, targets, onlySigns }) =>
      withSigningKey(async () => {
        const versions = await signMintApprovals(api, targets);
        return withMoneyRefusal(api.deposits.confirm({ ...versions, onlySigns }));
      }),
    done: (row): CommandResult => ({ stale: signedStaleQueries, toast: signedToast(row) }),
  }),
  defineCommand({
    id: 'deposits.revokeSignature',
    permission: 'deposits.confirm',
    icon: 'undo-2',
    place: screenPath,
    target: oneTarget('deposits'),
    params: paramSpec(loadReasonSchema, reasonFields),
    when: ({ targets }) => {
      const { status, approvals } = firstOf(targets).row;
      if (status !== 'created') return blockedBecause('deposits.blocked.noSignatureLeft');
      if (!approvals.some(({ own }) => own)) return blockedBecause('deposits.blocked.noOwnSignature');
      return approvals.every(({ own }) => own) || blockedBecause('deposits.blocked.othersSigned');
    },
    danger: 'irreversible',
    oneStep: true,
    refreshesTargets: true,
    run: ({ api, targets, params: { reason } }) =>
      withSigningKey(async () =>
        withMoneyRefusal(api.deposits.revokeSignature(await signSignatureRevocation(api, targets, reason))),
      ),
    done: (): CommandResult => ({ stale: signedStaleQueries, toast: { key: 'deposits.revoked' } }),
  }),
  defineCommand({
    id: 'deposits.retryMint',
    permission: 'deposits.retryMint',
    icon: 'repeat',
    place: screenPath,
    target: oneTarget('deposits'),
    params: null,
    panel: 'deposit',
    requiresPanelApproval: true,
    refreshesTargets: true,
    confirmWording: ({ targets }) => ({ lead: [mintTimeText(firstOf(targets).row, 'retry')] }),
    when: ({ targets }) => {
      if (targets.some(({ row }) => row.block)) return blockedBecause('deposits.blocked.custodian');
      return targets.every(({ row }) => row.mintStatus === 'failed') || blockedBecause('deposits.blocked.notFailed');
    },
    danger: 'money',
    keys: ['shift+r'],
    run: ({ api, targets: [target] }) => {
      if (!target) throw new Error('deposits.retryMint runs on one deposit');
      return withMoneyRefusal(api.deposits.retryMint({ id: target.id, version: target.version }));
    },
    done: (): CommandResult => ({ stale: staleQueries }),
  }),
  defineCommand({
    id: 'deposits.cancelMint',
    permission: 'deposits.cancelMint',
    icon: 'square-x',
    place: screenPath,
    target: oneTarget('deposits'),
    params: paramSpec(loadReasonSchema, reasonFields),
    when: ({ targets }) =>
      targets.every(({ row }) => row.mint?.state === 'queued') ||
      blockedBecause(targets.some(({ row }) => row.status === 'created') ? 'deposits.blocked.noMint' : 'deposits.blocked.signed'),
    danger: 'irreversible',
    oneStep: true,
    voids: true,
    refreshesTargets: true,
    confirmWording: ({ targets: [target] }) => ({
      lead: [{ key: target?.row.mint?.cancelSigns ? 'deposits.voids.signed' : 'deposits.voids.unsigned' }],
    }),
    run: ({ api, targets, params: { reason } }) => withSigningKey(() => cancelWithSignature(api, targets, reason)),
    done: ({ isSigned }): CommandResult => ({
      stale: signedStaleQueries,
      toast: { key: isSigned ? 'deposits.canceled' : 'deposits.canceledUnsigned' },
    }),
  }),
  defineCommand({
    id: 'deposits.closeFailed',
    permission: 'deposits.closeFailed',
    icon: 'unlink',
    place: screenPath,
    target: oneTarget('deposits'),
    params: paramSpec(loadReasonSchema, reasonFields),
    when: ({ targets }) => {
      if (!targets.every(({ row }) => isMintStopped(row))) return blockedBecause('deposits.blocked.notClosable');
      const isOwn = targets.some(({ row }) => row.confirmedEmail !== null && row.confirmedEmail === $loginEmail.get());
      return !isOwn || blockedBecause('deposits.refused.CONFIRMED_BY_YOU');
    },
    danger: 'money',
    oneStep: true,
    run: ({ api, targets: [target], params: { reason } }) => {
      if (!target) throw new Error('deposits.closeFailed runs on one deposit');
      return withMoneyRefusal(api.deposits.closeFailed({ id: target.id, version: target.version, reason }));
    },
    done: (): CommandResult => ({ stale: staleQueries, toast: { key: 'deposits.closed' } }),
  }),
  defineCommand({
    id: 'deposits.unblock',
    permission: 'deposits.unblock',
    icon: 'shield-check',
    place: screenPath,
    target: oneTarget('deposits'),
    params: paramSpec(loadReasonSchema, reasonFields),
    confirmWording: ({ targets }) => {
      const missing = firstOf(targets).row.block?.missing ?? 0;
      return missing > 1
        ? { lead: [{ key: 'deposits.unblock.more', values: { count: missing - 1 } }] }
        : { variant: 'last', lead: [{ key: 'deposits.unblock.last' }] };
    },
    when: ({ targets }) => {
      const { block, own } = firstOf(targets).row;
      if (!block) return blockedBecause('deposits.blocked.notBlocked');
      if (own) return blockedBecause('deposits.blocked.unblockFourEyes');
      return !block.signed.some((approval) => approval.own) || blockedBecause('deposits.blocked.approvals', { n: block.missing });
    },
    danger: 'money',
    oneStep: true,
    run: ({ api, targets, params: { reason } }) => {
      const { id, version, row } = firstOf(targets);
      if (!row.block) throw new Error('deposits.unblock runs on a blocked deposit');
      return withMoneyRefusal(api.deposits.unblock({ id, version, block: row.block.id, reason }));
    },
    done: ({ block }): CommandResult => ({
      stale: staleQueries,
      toast: block ? { key: 'deposits.unblock.signed', values: { count: block.missing } } : { key: 'deposits.unblock.done' },
    }),
  }),
  defineCommand({
    id: 'deposits.delete',
    permission: 'deposits.delete',
    icon: 'trash-2',
    place: screenPath,
    target: manyTargets('deposits', { max: 200 }),
    params: null,
    when: ({ targets }) => checkOpen(targets),
    danger: 'irreversible',
    keys: ['#', 'delete'],
    run: ({ api, targets }) => withMoneyRefusal(api.deposits.remove({ items: toItemVersions(targets) })),
    done: ({ failed }): CommandResult => ({ stale: staleQueries, failed }),
  }),
  openCommand('deposits.open', 'deposits', screenPath),
  defineCommand({
    ...copyCommand,
    id: 'deposits.copyHash',
    permission: screenPath,
    place: screenPath,
    target: oneTarget('deposits'),
    run: ({ ui, targets }) => ui.copy(`${firstOf(targets).row.txid}:${firstOf(targets).row.vout}`),
  }),
  explorerCommandsWithPick('deposits.explore', 'deposits', screenPath, {
    txid: { label: 'deposits.field.txid', of: ({ row }) => bitcoinExplorerTarget.tx(row.txid) },
    mint: { label: 'deposits.mint.hash', of: ({ row: { mint } }) => (mint?.hash ? evmExplorerTarget.tx(mint.hash) : null) },
    custody: { label: 'deposits.field.coboAddress', of: ({ row }) => bitcoinExplorerTarget.address(row.coboAddress) },
    user: { label: 'deposits.field.userAddress', of: ({ row }) => evmExplorerTarget.address(row.userAddress) },
  }),
  defineCommand({
    id: 'deposits.toConfirm',
    permission: 'deposits.confirm',
    icon: 'list-checks',
    place: 'global',
    target: noTarget,
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    run: ({ ui }) => ui.navigate(`${screenPath}?status=created`),
  }),
];
