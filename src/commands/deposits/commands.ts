import { formatUnits } from '../../../api/money.ts';
import type { DepositRow } from '../../../api/deposits/contract.ts';
import { depositNames } from '../../../api/deposits/names.ts';
import { secondsText } from '../../lib/authority/words.ts';
import { onBitcoin, onEvm } from '../../lib/explorer.ts';
import { formatTime } from '../../lib/format.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import type { Target } from '../../lib/scope.ts';
import { $loginEmail } from '../../lib/session/session.ts';
import { opening } from '../engine/crud.ts';
import {
  call,
  defineCommand,
  many,
  no,
  none,
  one,
  type Done,
  versioned,
  copies,
  only,
  type Saying,
  type Sentence,
} from '../engine/define.ts';
import { refusingMoney } from '../authority/shared/refusals.ts';
import { withKey } from '../authority/shared/signing.ts';
import { exploringOneOf } from '../engine/exploring.ts';
import { choice, maybeTime, number, params, paramsCompleted, recordParams, text } from '../engine/fields.ts';
import { targetOf } from '../engine/resource.ts';
import { cancelSigned, signedSeen } from './signed.ts';

addNames(depositNames);

const btc = (satoshi: string) => formatUnits(BigInt(satoshi), 8);

export const depositTarget = targetOf('deposits', ({ amount, txid, vout }) => `${btc(amount)} BTC · ${txid}:${vout}`);
const place = '/selfCustody/deposit';
const depositSchema = () => import('../../../api/deposits/contract.ts').then(({ depositFields }) => depositFields);
const stale = ['deposits', 'depositEvidence'];
const signedStale = [...stale, 'statements', 'authority'];

const fields = {
  txid: { as: 'text', label: 'deposits.field.txid', hint: 'deposits.hint.txid', helper: 'transaction' },
  vout: { ...number('deposits.field.vout'), hint: 'deposits.hint.vout' },
  amount: { as: 'units', unit: 'BTC', decimals: 8, label: 'deposits.field.amount', hint: 'deposits.hint.amount' },
  coboAddress: text('deposits.field.coboAddress'),
  userAddress: { as: 'text', label: 'deposits.field.userAddress', hint: 'deposits.hint.userAddress' },
  type: choice('deposits.field.type', [
    { value: 'cobo', label: 'deposits.type.cobo' },
    { value: 'multisig', label: 'deposits.type.multisig' },
  ]),
  lockTime: maybeTime('deposits.field.lockTime', 'deposits.hint.lockTime'),
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
function confirmationOf(row: DepositRow): Saying {
  if (row.missing > 1) return { lead: [{ key: 'deposits.sign.more', values: { count: row.missing - 1 } }], onlySigns: true };
  const hasSigned = row.approvals.some(({ own }) => own);
  return { variant: hasSigned ? 'confirm' : 'mint', lead: [mintedWhen(row, hasSigned ? 'confirm' : 'sign')] };
}

function signedToast({ status, missing, mint }: DepositRow): Sentence {
  if (status === 'created') return { key: 'deposits.signedDone', values: { count: missing } };
  const from = mint?.signFrom ?? null;
  return from === null ? { key: 'deposits.queued' } : { key: 'deposits.queuedUntil', values: { time: formatTime(from) } };
}

function mintedWhen({ rule }: DepositRow, press: 'sign' | 'confirm' | 'retry'): Sentence {
  const delay = rule?.delaySeconds ?? 0;
  return delay === 0
    ? { key: `deposits.minted.now.${press}` }
    : { key: `deposits.minted.later.${press}`, values: { time: secondsText(delay) } };
}
const isStopped = ({ mintStatus }: DepositRow) => mintStatus === 'failed' || mintStatus === 'canceled';
const open = (targets: Targets) => targets.every(({ row }) => row.status === 'created') || no('deposits.blocked.confirmed');

export const deposits = [
  defineCommand({
    id: 'deposits.add',
    permission: 'deposits.add',
    icon: 'plus',
    place,
    target: none,
    params: paramsCompleted(
      async (said, context) => (await import('./filling.ts')).completeDeposit(said, context),
      params(depositSchema, fields, () => ({ vout: '0', type: 'cobo', lockTime: null, remarks: '' })),
    ),
    panel: 'deposit',
    danger: 'reversible',
    keys: ['c'],
    run: ({ api, params: values }) => api.deposits.add(values),
    done: (row): Done => ({ stale, undo: call('deposits.delete', { targets: versioned([row]) }) }),
  }),
  defineCommand({
    id: 'deposits.edit',
    permission: 'deposits.edit',
    icon: 'pencil',
    place,
    target: one('deposits'),
    params: recordParams('deposits', depositSchema, fields, fieldsOf),
    panel: 'deposit',
    when: ({ targets }) => open(targets),
    danger: 'reversible',
    keys: ['e'],
    run: async ({ api, targets: [target], params: values }) => {
      if (!target) throw new Error('deposits.edit runs on one deposit');
      const row = await refusingMoney(api.deposits.edit({ ...values, id: target.id, version: target.version }));
      return { row, before: fieldsOf(target.row) };
    },
    done: ({ row, before }): Done => ({ stale, undo: call('deposits.edit', { targets: versioned([row]), params: before }) }),
  }),
  defineCommand({
    id: 'deposits.confirm',
    permission: 'deposits.confirm',
    icon: 'square-check',
    place,
    target: one('deposits'),
    params: null,
    panel: 'deposit',
    vouched: true,
    rereads: true,
    says: ({ targets }) => confirmationOf(only(targets).row),
    when: ({ targets: [target] }) => {
      if (!target) return true;
      const { row } = target;
      if (row.block) return no('deposits.blocked.custodian');
      if (row.status !== 'created') return no('deposits.blocked.confirmed');
      if (row.own) return no('deposits.blocked.fourEyes');
      if (row.rule === null) return no('deposits.blocked.noRule');
      const isSigned = row.approvals.some(({ own }) => own);
      return !isSigned || row.missing === 0 || no('deposits.blocked.approvals', { n: row.missing });
    },
    danger: 'money',
    keys: ['shift+m'],
    run: ({ api, targets, onlySigns }) =>
      withKey(async () => {
        const seen = await signedSeen(api, targets);
        return refusingMoney(api.deposits.confirm({ ...seen, onlySigns }));
      }),
    done: (row): Done => ({ stale: signedStale, toast: signedToast(row) }),
  }),
  defineCommand({
    id: 'deposits.retryMint',
    permission: 'deposits.retryMint',
    icon: 'repeat',
    place,
    target: one('deposits'),
    params: null,
    panel: 'deposit',
    vouched: true,
    rereads: true,
    says: ({ targets }) => ({ lead: [mintedWhen(only(targets).row, 'retry')] }),
    when: ({ targets }) => {
      if (targets.some(({ row }) => row.block)) return no('deposits.blocked.custodian');
      return targets.every(({ row }) => row.mintStatus === 'failed') || no('deposits.blocked.notFailed');
    },
    danger: 'money',
    keys: ['shift+r'],
    run: ({ api, targets: [target] }) => {
      if (!target) throw new Error('deposits.retryMint runs on one deposit');
      return refusingMoney(api.deposits.retryMint({ id: target.id, version: target.version }));
    },
    done: (): Done => ({ stale }),
  }),
  defineCommand({
    id: 'deposits.cancelMint',
    permission: 'deposits.cancelMint',
    icon: 'square-x',
    place,
    target: one('deposits'),
    params: params(reasonSchema, reasonFields),
    when: ({ targets }) =>
      targets.every(({ row }) => row.mint?.state === 'queued') ||
      no(targets.some(({ row }) => row.status === 'created') ? 'deposits.blocked.noMint' : 'deposits.blocked.signed'),
    danger: 'irreversible',
    oneStep: true,
    voids: true,
    rereads: true,
    says: ({ targets: [target] }) => ({
      lead: [{ key: target?.row.mint?.cancelSigns ? 'deposits.voids.signed' : 'deposits.voids.unsigned' }],
    }),
    run: ({ api, targets, params: { reason } }) => withKey(() => cancelSigned(api, targets, reason)),
    done: ({ isSigned }): Done => ({
      stale: signedStale,
      toast: { key: isSigned ? 'deposits.canceled' : 'deposits.canceledUnsigned' },
    }),
  }),
  defineCommand({
    id: 'deposits.closeFailed',
    permission: 'deposits.closeFailed',
    icon: 'unlink',
    place,
    target: one('deposits'),
    params: params(reasonSchema, reasonFields),
    when: ({ targets }) => {
      if (!targets.every(({ row }) => isStopped(row))) return no('deposits.blocked.notClosable');
      const isOwn = targets.some(({ row }) => row.confirmedEmail !== null && row.confirmedEmail === $loginEmail.get());
      return !isOwn || no('deposits.refused.CONFIRMED_BY_YOU');
    },
    danger: 'money',
    oneStep: true,
    run: ({ api, targets: [target], params: { reason } }) => {
      if (!target) throw new Error('deposits.closeFailed runs on one deposit');
      return refusingMoney(api.deposits.closeFailed({ id: target.id, version: target.version, reason }));
    },
    done: (): Done => ({ stale, toast: { key: 'deposits.closed' } }),
  }),
  defineCommand({
    id: 'deposits.unblock',
    permission: 'deposits.unblock',
    icon: 'shield-check',
    place,
    target: one('deposits'),
    params: params(reasonSchema, reasonFields),
    says: ({ targets }) => {
      const missing = only(targets).row.block?.missing ?? 0;
      return missing > 1
        ? { lead: [{ key: 'deposits.unblock.more', values: { count: missing - 1 } }] }
        : { variant: 'last', lead: [{ key: 'deposits.unblock.last' }] };
    },
    when: ({ targets }) => {
      const { block, own } = only(targets).row;
      if (!block) return no('deposits.blocked.notBlocked');
      if (own) return no('deposits.blocked.unblockFourEyes');
      return !block.signed.some((one) => one.own) || no('deposits.blocked.approvals', { n: block.missing });
    },
    danger: 'money',
    oneStep: true,
    run: ({ api, targets, params: { reason } }) => {
      const { id, version, row } = only(targets);
      if (!row.block) throw new Error('deposits.unblock runs on a blocked deposit');
      return refusingMoney(api.deposits.unblock({ id, version, block: row.block.id, reason }));
    },
    done: ({ block }): Done => ({
      stale,
      toast: block ? { key: 'deposits.unblock.signed', values: { count: block.missing } } : { key: 'deposits.unblock.done' },
    }),
  }),
  defineCommand({
    id: 'deposits.delete',
    permission: 'deposits.delete',
    icon: 'trash-2',
    place,
    target: many('deposits', { max: 200 }),
    params: null,
    when: ({ targets }) => open(targets),
    danger: 'irreversible',
    keys: ['#', 'delete'],
    run: ({ api, targets }) => refusingMoney(api.deposits.remove({ items: versioned(targets) })),
    done: ({ failed }): Done => ({ stale, failed }),
  }),
  opening('deposits.open', 'deposits', place),
  defineCommand({
    ...copies,
    id: 'deposits.copyHash',
    permission: place,
    place,
    target: one('deposits'),
    run: ({ ui, targets }) => ui.copy(`${only(targets).row.txid}:${only(targets).row.vout}`),
  }),
  exploringOneOf('deposits.explore', 'deposits', place, {
    txid: { label: 'deposits.field.txid', of: ({ row }) => onBitcoin.tx(row.txid) },
    mint: { label: 'deposits.mint.hash', of: ({ row: { mint } }) => (mint?.hash ? onEvm.tx(mint.hash) : null) },
    custody: { label: 'deposits.field.coboAddress', of: ({ row }) => onBitcoin.address(row.coboAddress) },
    user: { label: 'deposits.field.userAddress', of: ({ row }) => onEvm.address(row.userAddress) },
  }),
  defineCommand({
    id: 'deposits.toConfirm',
    permission: 'deposits.confirm',
    icon: 'list-checks',
    place: 'global',
    target: none,
    params: null,
    danger: 'none',
    passing: true,
    run: ({ ui }) => ui.navigate(`${place}?status=created`),
  }),
];
