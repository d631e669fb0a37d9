import { accessNames } from '../../../api/access/names.ts';
import { roleText } from '../../lib/i18n/role-text.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import type { AdministratorRow } from '../../../api/access/administrators.ts';
import type { Target } from '../../lib/scope.ts';
import { opening } from '../engine/crud.ts';
import { call, defineCommand, many, no, none, one, type Done, itemOf, only, versioned } from '../engine/define.ts';
import { multiline, newSecret, params, picks, recordParams, text } from '../engine/fields.ts';
import { targetOf } from '../engine/resource.ts';
import { viewPanel } from './view-as.ts';

addNames(accessNames);

export const administratorTarget = targetOf('administrators', ({ email }) => email);

const place = '/permissions/administrator';
const schemas = () => import('../../../api/access/administrators.ts');
const stale = ['administrators'];

const email = text('administrators.field.email');
const description = multiline('administrators.field.description');
const roles = picks('administrators.field.roles', 'administrators.noRoles', async ({ api, signal }) =>
  (await api.administrators.roles(undefined, { signal })).map(({ id, name, description: note, beyond }) => ({
    value: id,
    label: roleText(name),
    note: roleText(note),
    ...(beyond ? { blocked: 'administrators.blocked.roleBeyond' as const } : {}),
  })),
);

const fieldsOf = (row: AdministratorRow) => ({
  email: row.email,
  roles: row.roles.map(({ id }) => id),
  description: row.description,
});

type Targets = readonly Target<'administrators'>[];

/**
 * Prevents people from acting on themselves or on someone with more permissions. The server checks
 * this too.
 */
function mayManage({ targets }: { targets: Targets }) {
  if (targets.some(({ row }) => row.reach === 'own')) return no('administrators.blocked.own');
  return targets.every(({ row }) => row.reach === 'within') || no('administrators.blocked.beyond');
}

export const administrators = [
  defineCommand({
    id: 'administrators.add',
    permission: 'administrators.add',
    icon: 'plus',
    place,
    target: none,
    params: params(() => schemas().then(({ newAdministratorFields }) => newAdministratorFields), {
      email,
      password: newSecret('administrators.field.password', 'administrators.field.passwordHint'),
      roles,
      description,
    }),
    danger: 'reversible',
    keys: ['c'],
    run: ({ api, params: values }) => api.administrators.add(values),
    done: (row): Done => ({ stale, undo: call('administrators.delete', { targets: versioned([row]) }) }),
  }),
  defineCommand({
    id: 'administrators.edit',
    permission: 'administrators.edit',
    icon: 'pencil',
    place,
    target: one('administrators'),
    params: recordParams(
      'administrators',
      () => schemas().then(({ administratorFields }) => administratorFields),
      { email, roles, description },
      fieldsOf,
    ),
    when: mayManage,
    danger: 'reversible',
    keys: ['e'],
    run: async ({ api, targets, params: values }) => {
      const target = only(targets);
      const row = await api.administrators.edit({ ...values, ...itemOf(target) });
      return { row, before: fieldsOf(target.row) };
    },
    done: ({ row, before }): Done => ({
      stale,
      undo: call('administrators.edit', { targets: versioned([row]), params: before }),
    }),
  }),
  defineCommand({
    id: 'administrators.enable',
    permission: 'administrators.enable',
    icon: 'user-check',
    place,
    target: many('administrators', { max: 200 }),
    params: null,
    when: ({ targets }) =>
      targets.every(({ row }) => row.enabled) ? no('administrators.blocked.enabled') : mayManage({ targets }),
    danger: 'reversible',
    confirm: true,
    keys: ['a'],
    run: ({ api, targets }) => api.administrators.enable({ items: versioned(targets.filter(({ row }) => !row.enabled)) }),
    done: ({ done, failed }): Done => ({
      stale,
      failed,
      undo: call('administrators.disable', { targets: versioned(done) }),
    }),
  }),
  defineCommand({
    id: 'administrators.disable',
    permission: 'administrators.disable',
    icon: 'user-x',
    place,
    target: many('administrators', { max: 200 }),
    params: null,
    when: ({ targets }) =>
      targets.some(({ row }) => row.enabled) ? mayManage({ targets }) : no('administrators.blocked.disabled'),
    danger: 'reversible',
    confirm: true,
    keys: ['d'],
    run: ({ api, targets }) => api.administrators.disable({ items: versioned(targets.filter(({ row }) => row.enabled)) }),
    done: ({ done, failed }): Done => ({
      stale,
      failed,
      undo: call('administrators.enable', { targets: versioned(done) }),
    }),
  }),
  defineCommand({
    id: 'administrators.resetPassword',
    permission: 'administrators.resetPassword',
    icon: 'key-round',
    place,
    target: one('administrators'),
    params: null,
    when: ({ targets }) => (only(targets).row.enabled ? mayManage({ targets }) : no('administrators.blocked.disabled')),
    danger: 'none',
    confirm: true,
    keys: ['p'],
    run: ({ api, targets }) => api.administrators.resetPassword(itemOf(only(targets))),
    done: (): Done => ({ stale, toast: { key: 'common.sent' } }),
  }),
  defineCommand({
    id: 'administrators.resetFactor',
    permission: 'administrators.resetFactor',
    icon: 'shield-off',
    place,
    target: one('administrators'),
    params: null,
    when: ({ targets }) => (only(targets).row.factor === 'none' ? no('administrators.blocked.noFactor') : mayManage({ targets })),
    danger: 'irreversible',
    run: ({ api, targets }) => api.administrators.resetFactor(itemOf(only(targets))),
    done: (): Done => ({ stale }),
  }),
  defineCommand({
    id: 'administrators.bindWallet',
    permission: 'administrators.bindWallet',
    icon: 'link',
    place,
    target: one('administrators'),
    params: params(() => schemas().then(({ walletFields }) => walletFields), { address: text('administrators.field.address') }),
    when: mayManage,
    danger: 'reversible',
    keys: ['w'],
    run: async ({ api, targets, params: { address } }) => {
      const target = only(targets);
      return { row: await api.administrators.bindWallet({ address, ...itemOf(target) }), before: target.row.walletAddress };
    },
    done: ({ row, before }): Done => ({
      stale,
      undo:
        before === null
          ? call('administrators.unbindWallet', { targets: versioned([row]) })
          : call('administrators.bindWallet', { targets: versioned([row]), params: { address: before } }),
    }),
  }),
  defineCommand({
    id: 'administrators.unbindWallet',
    permission: 'administrators.unbindWallet',
    icon: 'unlink',
    place,
    target: one('administrators'),
    params: null,
    when: ({ targets }) =>
      only(targets).row.walletAddress === null ? no('administrators.blocked.noWallet') : mayManage({ targets }),
    danger: 'reversible',
    confirm: true,
    run: async ({ api, targets }) => {
      const target = only(targets);
      return { row: await api.administrators.unbindWallet(itemOf(target)), before: target.row.walletAddress ?? '' };
    },
    done: ({ row, before }): Done => ({
      stale,
      undo: call('administrators.bindWallet', { targets: versioned([row]), params: { address: before } }),
    }),
  }),
  defineCommand({
    id: 'administrators.endSessions',
    permission: 'administrators.endSessions',
    icon: 'log-out',
    place,
    target: many('administrators', { max: 200 }),
    params: null,
    when: mayManage,
    danger: 'none',
    confirm: true,
    run: ({ api, targets }) => api.administrators.endSessions({ items: versioned(targets) }),
    done: ({ failed }): Done => ({ stale, failed }),
  }),
  defineCommand({
    id: 'administrators.delete',
    permission: 'administrators.delete',
    icon: 'trash-2',
    place,
    target: many('administrators', { max: 200 }),
    params: null,
    when: mayManage,
    danger: 'irreversible',
    keys: ['#', 'delete'],
    run: ({ api, targets }) => api.administrators.remove({ items: versioned(targets) }),
    done: ({ failed }): Done => ({ stale, failed }),
  }),
  opening('administrators.open', 'administrators', place),
  defineCommand({
    id: 'administrators.viewAs',
    permission: place,
    icon: 'eye',
    place,
    target: one('administrators'),
    params: null,
    danger: 'none',
    passing: true,
    run: ({ ui, targets }) => viewPanel(ui, 'administrator', only(targets)),
  }),
];
