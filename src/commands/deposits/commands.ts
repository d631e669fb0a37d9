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
import { cancelSigned, signVersions } from './sign-versions.ts';

addNames(depositNames);

const btc = (satoshi: string) => formatUnits(BigInt(satoshi), 8);

export const depositTarget = targetOf('deposits', ({ amount, txid, vout }) => `${btc(amount)} BTC · ${txid}:${vout}`);
const place = '/selfCustody/deposit';
const depositSchema = () => import('../../../api/deposits/contract.ts').then(({ depositFields }) => depositFields);
const stale = ['deposits', 'depositEvidence'];
const signedStale = [...stale, 'statements', 'authority'];

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

const reasonSchema = () => import('../../../api/deposits/contract.ts').then(({ mintReason }) => mintReason);
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
  return { variant: hasSigned ? 'confirm' : 'mint', lead: [mintedWhen(row, hasSigned ? 'confirm' : 'sign')] };
}

function signedToast({ status, missing, mint }: DepositRow): MessageRef {
  if (status === 'created') return { key: 'deposits.signedDone', values: { count: missing } };
  const from = mint?.signFrom ?? null;
  return from === null ? { key: 'deposits.queued' } : { key: 'deposits.queuedUntil', values: { time: formatTime(from) } };
}

function mintedWhen({ rule }: DepositRow, press: 'sign' | 'confirm' | 'retry'): MessageRef {
  const delay = rule?.delaySeconds ?? 0;
  return delay === 0
    ? { key: `deposits.minted.now.${press}` }
    : { key: `deposits.minted.later.${press}`, values: { time: secondsText(delay) } };
}
const isStopped = ({ mintStatus }: DepositRow) => mintStatus === 'failed' || mintStatus === 'canceled';
const open = (targets: Targets) =>
  targets.every(({ row }) => row.status === 'created') || blockedBecause('deposits.blocked.confirmed');

export const deposits = [
  defineCommand({
    id: 'deposits.add',
    permission: 'deposits.add',
    icon: 'plus',
    place,
    target: noTarget,
    params: paramsCompleted(
      async (said, context) => (await import('./filling.ts')).completeDeposit(said, context),
      paramSpec(depositSchema, fields, () => ({ vout: '0', type: 'cobo', lockTime: null, remarks: '' })),
    ),
    panel: 'deposit',
    danger: 'reversible',
    keys: ['c'],
    run: ({ api, params: values }) => api.deposits.add(values),
    done: (row): CommandResult => ({ stale, undo: invocation('deposits.delete', { targets: toItemVersions([row]) }) }),
  }),
  defineCommand({
    id: 'deposits.edit',
    permission: 'deposits.edit',
    icon: 'pencil',
    place,
    target: oneTarget('deposits'),
    params: recordParams('deposits', depositSchema, fields, fieldsOf),
    panel: 'deposit',
    when: ({ targets }) => open(targets),
    danger: 'reversible',
    keys: ['e'],
    run: async ({ api, targets: [target], params: values }) => {
      if (!target) throw new Error('deposits.edit runs on one deposit');
      const row = await withMoneyRefusal(api.deposits.edit({ ...values, id: target.id, version: target.version }));
      return { row, before: fieldsOf(target.row) };
    },
    done: ({ row, before }): CommandResult => ({
      stale,
      undo: invocation('deposits.edit', { targets: toItemVersions([row]), params: before }),
    }),
  }),
  defineCommand({
    id: 'deposits.confirm',
    permission: 'deposits.confirm',
    icon: 'square-check',
    place,
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
        const versions = await signVersions(api, targets);
        return withMoneyRefusal(api.deposits.confirm({ ...versions, onlySigns }));
      }),
    done: (row): CommandResult => ({ stale: signedStale, toast: signedToast(row) }),
  }),
  defineCommand({
    id: 'deposits.retryMint',
    permission: 'deposits.retryMint',
    icon: 'repeat',
    place,
    target: oneTarget('deposits'),
    params: null,
    panel: 'deposit',
    requiresPanelApproval: true,
    refreshesTargets: true,
    confirmWording: ({ targets }) => ({ lead: [mintedWhen(firstOf(targets).row, 'retry')] }),
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
    done: (): CommandResult => ({ stale }),
  }),
  defineCommand({
    id: 'deposits.cancelMint',
    permission: 'deposits.cancelMint',
    icon: 'square-x',
    place,
    target: oneTarget('deposits'),
    params: paramSpec(reasonSchema, reasonFields),
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
    run: ({ api, targets, params: { reason } }) => withSigningKey(() => cancelSigned(api, targets, reason)),
    done: ({ isSigned }): CommandResult => ({
      stale: signedStale,
      toast: { key: isSigned ? 'deposits.canceled' : 'deposits.canceledUnsigned' },
    }),
  }),
  defineCommand({
    id: 'deposits.closeFailed',
    permission: 'deposits.closeFailed',
    icon: 'unlink',
    place,
    target: oneTarget('deposits'),
    params: paramSpec(reasonSchema, reasonFields),
    when: ({ targets }) => {
      if (!targets.every(({ row }) => isStopped(row))) return blockedBecause('deposits.blocked.notClosable');
      const isOwn = targets.some(({ row }) => row.confirmedEmail !== null && row.confirmedEmail === $loginEmail.get());
      return !isOwn || blockedBecause('deposits.refused.CONFIRMED_BY_YOU');
    },
    danger: 'money',
    oneStep: true,
    run: ({ api, targets: [target], params: { reason } }) => {
      if (!target) throw new Error('deposits.closeFailed runs on one deposit');
      return withMoneyRefusal(api.deposits.closeFailed({ id: target.id, version: target.version, reason }));
    },
    done: (): CommandResult => ({ stale, toast: { key: 'deposits.closed' } }),
  }),
  defineCommand({
    id: 'deposits.unblock',
    permission: 'deposits.unblock',
    icon: 'shield-check',
    place,
    target: oneTarget('deposits'),
    params: paramSpec(reasonSchema, reasonFields),
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
      return !block.signed.some((one) => one.own) || blockedBecause('deposits.blocked.approvals', { n: block.missing });
    },
    danger: 'money',
    oneStep: true,
    run: ({ api, targets, params: { reason } }) => {
      const { id, version, row } = firstOf(targets);
      if (!row.block) throw new Error('deposits.unblock runs on a blocked deposit');
      return withMoneyRefusal(api.deposits.unblock({ id, version, block: row.block.id, reason }));
    },
    done: ({ block }): CommandResult => ({
      stale,
      toast: block ? { key: 'deposits.unblock.signed', values: { count: block.missing } } : { key: 'deposits.unblock.done' },
    }),
  }),
  defineCommand({
    id: 'deposits.delete',
    permission: 'deposits.delete',
    icon: 'trash-2',
    place,
    target: manyTargets('deposits', { max: 200 }),
    params: null,
    when: ({ targets }) => open(targets),
    danger: 'irreversible',
    keys: ['#', 'delete'],
    run: ({ api, targets }) => withMoneyRefusal(api.deposits.remove({ items: toItemVersions(targets) })),
    done: ({ failed }): CommandResult => ({ stale, failed }),
  }),
  openCommand('deposits.open', 'deposits', place),
  defineCommand({
    ...copyCommand,
    id: 'deposits.copyHash',
    permission: place,
    place,
    target: oneTarget('deposits'),
    run: ({ ui, targets }) => ui.copy(`${firstOf(targets).row.txid}:${firstOf(targets).row.vout}`),
  }),
  explorerCommandsWithPick('deposits.explore', 'deposits', place, {
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
    run: ({ ui }) => ui.navigate(`${place}?status=created`),
  }),
];
