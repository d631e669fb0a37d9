import { formatUnits } from '../../../api/money.ts';
import type { DepositRow } from '../../../api/deposits/contract.ts';
import { depositNames } from '../../../api/deposits/names.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import type { Target } from '../../lib/scope.ts';
import { opening } from '../engine/crud.ts';
import { call, defineCommand, many, no, none, one, type Done, versioned } from '../engine/define.ts';
import { refusingMoney } from '../authority/shared/refusals.ts';
import { withKey } from '../authority/shared/signing.ts';
import { choice, maybeTime, number, params, pick, recordParams, text } from '../engine/fields.ts';
import { targetOf } from '../engine/resource.ts';
import { missingApprovals, missingForMe } from './mint-rule.ts';
import { signedSeen } from './signed.ts';

addNames(depositNames);

const btc = (satoshi: string) => formatUnits(BigInt(satoshi), 8);

/** A deposit is called by its amount and where it is on Bitcoin. */
export const depositTarget = targetOf('deposits', ({ amount, txid, vout }) => `${btc(amount)} BTC · ${txid}:${vout}`);
/** A mint rule by the amounts it is for. */
export const mintRuleTarget = targetOf('mintRules', ({ from, below }) =>
  below === null ? `≥ ${btc(from)} BTC` : `${btc(from)} – ${btc(below)} BTC`,
);

const place = '/selfCustody/deposit';
const depositSchema = () => import('../../../api/deposits/contract.ts').then(({ depositFields }) => depositFields);
const stale = ['deposits', 'depositEvidence', 'depositRules'];
const signedStale = [...stale, 'statements', 'authority'];

const fields = {
  userAddress: { as: 'text', label: 'deposits.field.userAddress', hint: 'deposits.hint.userAddress' },
  amount: { as: 'units', unit: 'BTC', decimals: 8, label: 'deposits.field.amount', hint: 'deposits.hint.amount' },
  coboAddress: text('deposits.field.coboAddress'),
  txid: { as: 'text', label: 'deposits.field.txid', hint: 'deposits.hint.txid' },
  vout: { ...number('deposits.field.vout'), hint: 'deposits.hint.vout' },
  type: choice('deposits.field.type', [
    { value: 'cobo', label: 'deposits.type.cobo' },
    { value: 'multisig', label: 'deposits.type.multisig' },
  ]),
  lockTime: maybeTime('deposits.field.lockTime', 'deposits.hint.lockTime'),
  remarks: { as: 'multiline', label: 'deposits.field.remarks', optional: true },
} as const;

const ruleFields = {
  from: { as: 'units', unit: 'BTC', decimals: 8, label: 'deposits.rule.field.from' },
  below: {
    as: 'units',
    unit: 'BTC',
    decimals: 8,
    label: 'deposits.rule.field.below',
    optional: true,
    hint: 'deposits.rule.hint.below',
  },
  approvals: { ...number('deposits.rule.field.approvals'), hint: 'deposits.rule.hint.approvals' },
  role: {
    ...pick('deposits.rule.field.role', async ({ api, signal }) => [
      { value: '', label: t('deposits.rule.anyRole') },
      ...(await api.deposits.ruleRoles(undefined, { signal })).map(({ id, name }) => ({ value: id, label: name })),
    ]),
  },
  perDay: {
    as: 'units',
    unit: 'BTC',
    decimals: 8,
    label: 'deposits.rule.field.perDay',
    optional: true,
    hint: 'deposits.rule.hint.perDay',
  },
} as const;
const ruleSchema = () => import('../../../api/deposits/contract.ts').then(({ mintRuleFields }) => mintRuleFields);
const reasonSchema = () => import('../../../api/deposits/contract.ts').then(({ mintReason }) => mintReason);
const reasonFields = { reason: { as: 'multiline', label: 'deposits.field.reason', hint: 'deposits.hint.reason' } } as const;
const rulesStale = ['depositRules', 'deposits'];

/** What a person fills in, of a row. */
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
const isStopped = ({ mintStatus }: DepositRow) => mintStatus === 'failed' || mintStatus === 'cancelled';
const open = (targets: Targets) => targets.every(({ row }) => row.status === 'created') || no('deposits.blocked.confirmed');

export const deposits = [
  defineCommand({
    id: 'deposits.add',
    permission: 'deposits.add',
    icon: 'plus',
    place,
    target: none,
    params: params(depositSchema, fields, () => ({ vout: '0', type: 'cobo', lockTime: null, remarks: '' })),
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
    id: 'deposits.approve',
    permission: 'deposits.approve',
    icon: 'user-check',
    place,
    target: one('deposits'),
    params: null,
    panel: 'deposit',
    when: ({ targets }) => {
      if (targets.some(({ row }) => row.own)) return no('deposits.blocked.own');
      return targets.every(({ row }) => !row.approvals.some(({ own }) => own)) ? open(targets) : no('deposits.blocked.approved');
    },
    danger: 'money',
    keys: ['shift+a'],
    run: ({ api, targets }) => withKey(async () => refusingMoney(api.deposits.approve(await signedSeen(api, targets)))),
    done: (): Done => ({ stale: signedStale, toast: { key: 'deposits.approvedDone' } }),
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
    when: ({ targets: [target] }) => {
      if (!target) return true;
      const { row } = target;
      if (row.status !== 'created') return no('deposits.blocked.confirmed');
      if (row.own && row.fourEyes) return no('deposits.blocked.fourEyes');
      if (row.rule === null) return no('deposits.blocked.noRule');
      const missing = missingForMe(row);
      return missing === 0 || no('deposits.blocked.approvals', { n: missing });
    },
    danger: 'money',
    keys: ['shift+m'],
    run: ({ api, targets }) => withKey(async () => refusingMoney(api.deposits.confirm(await signedSeen(api, targets)))),
    done: (row): Done => ({
      stale: signedStale,
      toast:
        row.status === 'created'
          ? { key: 'deposits.signedDone', values: { count: missingApprovals(row) } }
          : { key: 'deposits.queued' },
    }),
  }),
  defineCommand({
    id: 'deposits.retryMint',
    permission: 'deposits.retryMint',
    icon: 'repeat',
    place,
    target: one('deposits'),
    params: null,
    panel: 'deposit',
    when: ({ targets }) => targets.every(({ row }) => row.mintStatus === 'failed') || no('deposits.blocked.notFailed'),
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
    when: ({ targets }) => targets.every(({ row }) => row.mint?.state === 'queued') || no('deposits.blocked.signed'),
    danger: 'irreversible',
    run: ({ api, targets: [target], params: { reason } }) => {
      if (!target) throw new Error('deposits.cancelMint runs on one deposit');
      return refusingMoney(api.deposits.cancelMint({ id: target.id, version: target.version, reason }));
    },
    done: (): Done => ({ stale, toast: { key: 'deposits.cancelled' } }),
  }),
  defineCommand({
    id: 'deposits.closeFailed',
    permission: 'deposits.closeFailed',
    icon: 'unlink',
    place,
    target: one('deposits'),
    params: params(reasonSchema, reasonFields),
    when: ({ targets }) => targets.every(({ row }) => isStopped(row)) || no('deposits.blocked.notClosable'),
    danger: 'money',
    run: ({ api, targets: [target], params: { reason } }) => {
      if (!target) throw new Error('deposits.closeFailed runs on one deposit');
      return refusingMoney(api.deposits.closeFailed({ id: target.id, version: target.version, reason }));
    },
    done: (): Done => ({ stale, toast: { key: 'deposits.closed' } }),
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
    id: 'deposits.copyHash',
    permission: place,
    icon: 'copy',
    place,
    target: one('deposits'),
    params: null,
    danger: 'none',
    passing: true,
    keys: ['shift+y'],
    run: ({ ui, targets: [target] }) => ui.copy(target ? `${target.row.txid}:${target.row.vout}` : ''),
    done: (): Done => ({ toast: { key: 'common.copied' } }),
  }),
  defineCommand({
    id: 'deposits.toApprove',
    permission: 'deposits.confirm',
    icon: 'list-checks',
    place: 'global',
    target: none,
    params: null,
    danger: 'none',
    passing: true,
    run: ({ ui }) => ui.navigate(`${place}?status=created`),
  }),
  defineCommand({
    id: 'deposits.addRule',
    permission: 'deposits.addRule',
    icon: 'plus',
    place,
    target: none,
    params: params(ruleSchema, ruleFields, () => ({ below: '', approvals: '1', role: '', perDay: '' })),
    danger: 'money',
    run: ({ api, params: values }) => api.deposits.addRule(values),
    done: (): Done => ({ stale: rulesStale }),
  }),
  defineCommand({
    id: 'deposits.editRule',
    permission: 'deposits.editRule',
    icon: 'pencil',
    place,
    target: one('mintRules'),
    params: recordParams('mintRules', ruleSchema, ruleFields, ({ from, below, approvals, roleId, perDay }) => ({
      from,
      below: below ?? '',
      approvals,
      role: roleId ?? '',
      perDay: perDay ?? '',
    })),
    danger: 'money',
    run: ({ api, targets: [target], params: values }) => {
      if (!target) throw new Error('deposits.editRule runs on one rule');
      return api.deposits.editRule({ ...values, id: target.id, version: target.version });
    },
    done: (): Done => ({ stale: rulesStale }),
  }),
  defineCommand({
    id: 'deposits.deleteRule',
    permission: 'deposits.deleteRule',
    icon: 'trash-2',
    place,
    target: one('mintRules'),
    params: null,
    danger: 'money',
    run: ({ api, targets: [target] }) => {
      if (!target) throw new Error('deposits.deleteRule runs on one rule');
      return api.deposits.deleteRule({ id: target.id, version: target.version });
    },
    done: (): Done => ({ stale: rulesStale }),
  }),
  defineCommand({
    id: 'deposits.policies',
    permission: place,
    icon: 'layers',
    place,
    target: none,
    params: null,
    danger: 'none',
    passing: true,
    run: ({ ui }) => {
      const query = new URLSearchParams(typeof location !== 'undefined' && location.pathname === place ? location.search : '');
      query.set('rules', '1');
      ui.navigate(`${place}?${query}`);
    },
  }),
];
