import { accessNames } from '../../../api/access/names.ts';
import { roleText } from '../../lib/i18n/role-text.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import type { AdministratorRow } from '../../../api/access/administrators.ts';
import type { Target } from '../../lib/scope.ts';
import { openCommand } from '../engine/crud.ts';
import {
  invocation,
  defineCommand,
  manyTargets,
  blockedBecause,
  noTarget,
  oneTarget,
  type CommandResult,
  toItemVersion,
  firstOf,
  toItemVersions,
} from '../engine/define.ts';
import { multilineField, newSecretField, paramSpec, multiPickField, recordParams, textField } from '../engine/fields.ts';
import { targetOf } from '../engine/resource.ts';
import { ssoProblem } from '../account/shared/provider.ts';
import { viewPanel } from './view-as.ts';

addNames(accessNames);

export const administratorTarget = targetOf('administrators', ({ email }) => email);

const screenPath = '/permissions/administrator';
const loadSchemas = () => import('../../../api/access/administrators.ts');
const staleQueries = ['administrators'];

const email = textField('administrators.field.email');
const description = multilineField('administrators.field.description');
const roles = multiPickField('administrators.field.roles', 'administrators.noRoles', async ({ api, targets, signal }) =>
  (await api.administrators.roles(undefined, { signal })).map(({ id, name, description: roleNote, beyond }) => ({
    value: id,
    label: roleText(name),
    note: roleText(roleNote),
    ...(isFromProvider(targets, id)
      ? { blocked: 'administrators.blocked.providerRole' as const }
      : beyond
        ? { blocked: 'administrators.blocked.roleBeyond' as const }
        : {}),
  })),
);

/** The edit form can't remove it. */
const isFromProvider = (targets: readonly Target[], roleId: string): boolean =>
  targets.some(
    (target) =>
      target.entity === 'administrators' && target.row.roles.some(({ id, givenBy }) => id === roleId && givenBy === 'idp'),
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
  if (targets.some(({ row }) => row.reach === 'own')) return blockedBecause('administrators.blocked.own');
  return targets.every(({ row }) => row.reach === 'within') || blockedBecause('administrators.blocked.beyond');
}

export const administrators = [
  defineCommand({
    id: 'administrators.add',
    permission: 'administrators.add',
    icon: 'plus',
    place: screenPath,
    target: noTarget,
    params: paramSpec(() => loadSchemas().then(({ newAdministratorFields }) => newAdministratorFields), {
      email,
      password: newSecretField('administrators.field.password', 'administrators.field.passwordHint'),
      roles,
      description,
    }),
    danger: 'reversible',
    keys: ['c'],
    run: ({ api, params: values }) => api.administrators.add(values),
    done: (row): CommandResult => ({
      stale: staleQueries,
      undo: invocation('administrators.delete', { targets: toItemVersions([row]) }),
    }),
  }),
  defineCommand({
    id: 'administrators.invite',
    permission: 'administrators.invite',
    icon: 'plus',
    place: screenPath,
    target: noTarget,
    params: paramSpec(() => loadSchemas().then(({ administratorFields }) => administratorFields), { email, roles, description }),
    when: () => ssoProblem() ?? true,
    danger: 'reversible',
    run: ({ api, params: values }) => api.administrators.invite(values),
    done: (row): CommandResult => ({
      stale: staleQueries,
      undo: invocation('administrators.delete', { targets: toItemVersions([row]) }),
    }),
  }),
  defineCommand({
    id: 'administrators.sendSsoLink',
    permission: 'administrators.sendSsoLink',
    icon: 'link',
    place: screenPath,
    target: oneTarget('administrators'),
    params: null,
    when: ({ targets }) =>
      ssoProblem() ?? (firstOf(targets).row.enabled ? mayManage({ targets }) : blockedBecause('administrators.blocked.disabled')),
    danger: 'none',
    confirm: true,
    run: ({ api, targets }) => api.administrators.sendSsoLink(toItemVersion(firstOf(targets))),
    done: (): CommandResult => ({ stale: staleQueries, toast: { key: 'common.sent' } }),
  }),
  defineCommand({
    id: 'administrators.unlinkSso',
    permission: 'administrators.unlinkSso',
    icon: 'unlink',
    place: screenPath,
    target: oneTarget('administrators'),
    params: null,
    when: ({ targets }) =>
      firstOf(targets).row.sso === null ? blockedBecause('administrators.blocked.notLinked') : mayManage({ targets }),
    danger: 'irreversible',
    run: ({ api, targets }) => api.administrators.unlinkSso(toItemVersion(firstOf(targets))),
    done: (): CommandResult => ({ stale: staleQueries }),
  }),
  defineCommand({
    id: 'administrators.letIdpManage',
    permission: 'administrators.letIdpManage',
    icon: 'link',
    place: screenPath,
    target: manyTargets('administrators', { max: 200 }),
    params: null,
    when: ({ targets }) =>
      targets.some(({ row }) => !row.managed) ? mayManage({ targets }) : blockedBecause('administrators.blocked.managed'),
    danger: 'reversible',
    confirm: true,
    run: ({ api, targets }) =>
      api.administrators.letIdpManage({ items: toItemVersions(targets.filter(({ row }) => !row.managed)) }),
    done: ({ done, failed }): CommandResult => ({
      stale: [...staleQueries, 'identity'],
      failed,
      undo: invocation('administrators.stopIdpManaging', { targets: toItemVersions(done) }),
    }),
  }),
  defineCommand({
    id: 'administrators.stopIdpManaging',
    permission: 'administrators.stopIdpManaging',
    icon: 'unlink',
    place: screenPath,
    target: manyTargets('administrators', { max: 200 }),
    params: null,
    when: ({ targets }) =>
      targets.some(({ row }) => row.managed) ? mayManage({ targets }) : blockedBecause('administrators.blocked.notManaged'),
    danger: 'irreversible',
    run: ({ api, targets }) =>
      api.administrators.stopIdpManaging({ items: toItemVersions(targets.filter(({ row }) => row.managed)) }),
    done: ({ failed }): CommandResult => ({ stale: [...staleQueries, 'identity'], failed }),
  }),
  defineCommand({
    id: 'administrators.acceptIdpEmail',
    permission: 'administrators.acceptIdpEmail',
    icon: 'pencil',
    place: screenPath,
    target: oneTarget('administrators'),
    params: null,
    when: ({ targets }) =>
      firstOf(targets).row.managed ? mayManage({ targets }) : blockedBecause('administrators.blocked.notManaged'),
    danger: 'irreversible',
    run: ({ api, targets }) => api.administrators.acceptIdpEmail(toItemVersion(firstOf(targets))),
    done: (): CommandResult => ({ stale: staleQueries }),
  }),
  defineCommand({
    id: 'administrators.edit',
    permission: 'administrators.edit',
    icon: 'pencil',
    place: screenPath,
    target: oneTarget('administrators'),
    params: recordParams(
      'administrators',
      () => loadSchemas().then(({ administratorFields }) => administratorFields),
      { email, roles, description },
      fieldsOf,
    ),
    when: mayManage,
    danger: 'reversible',
    keys: ['e'],
    run: async ({ api, targets, params: values }) => {
      const target = firstOf(targets);
      const row = await api.administrators.edit({ ...values, ...toItemVersion(target) });
      return { row, before: fieldsOf(target.row) };
    },
    done: ({ row, before }): CommandResult => ({
      stale: staleQueries,
      undo: invocation('administrators.edit', { targets: toItemVersions([row]), params: before }),
    }),
  }),
  defineCommand({
    id: 'administrators.enable',
    permission: 'administrators.enable',
    icon: 'user-check',
    place: screenPath,
    target: manyTargets('administrators', { max: 200 }),
    params: null,
    when: ({ targets }) =>
      targets.every(({ row }) => row.enabled) ? blockedBecause('administrators.blocked.enabled') : mayManage({ targets }),
    danger: 'reversible',
    confirm: true,
    keys: ['a'],
    run: ({ api, targets }) => api.administrators.enable({ items: toItemVersions(targets.filter(({ row }) => !row.enabled)) }),
    done: ({ done, failed }): CommandResult => ({
      stale: staleQueries,
      failed,
      undo: invocation('administrators.disable', { targets: toItemVersions(done) }),
    }),
  }),
  defineCommand({
    id: 'administrators.disable',
    permission: 'administrators.disable',
    icon: 'user-x',
    place: screenPath,
    target: manyTargets('administrators', { max: 200 }),
    params: null,
    when: ({ targets }) =>
      targets.some(({ row }) => row.enabled) ? mayManage({ targets }) : blockedBecause('administrators.blocked.disabled'),
    danger: 'reversible',
    confirm: true,
    keys: ['d'],
    run: ({ api, targets }) => api.administrators.disable({ items: toItemVersions(targets.filter(({ row }) => row.enabled)) }),
    done: ({ done, failed }): CommandResult => ({
      stale: staleQueries,
      failed,
      undo: invocation('administrators.enable', { targets: toItemVersions(done) }),
    }),
  }),
  defineCommand({
    id: 'administrators.resetPassword',
    permission: 'administrators.resetPassword',
    icon: 'key-round',
    place: screenPath,
    target: oneTarget('administrators'),
    params: null,
    when: ({ targets }) =>
      firstOf(targets).row.enabled ? mayManage({ targets }) : blockedBecause('administrators.blocked.disabled'),
    danger: 'none',
    confirm: true,
    keys: ['p'],
    run: ({ api, targets }) => api.administrators.resetPassword(toItemVersion(firstOf(targets))),
    done: (): CommandResult => ({ stale: staleQueries, toast: { key: 'common.sent' } }),
  }),
  defineCommand({
    id: 'administrators.resetFactor',
    permission: 'administrators.resetFactor',
    icon: 'shield-off',
    place: screenPath,
    target: oneTarget('administrators'),
    params: null,
    when: ({ targets }) =>
      firstOf(targets).row.factor === 'none' ? blockedBecause('administrators.blocked.noFactor') : mayManage({ targets }),
    danger: 'irreversible',
    run: ({ api, targets }) => api.administrators.resetFactor(toItemVersion(firstOf(targets))),
    done: (): CommandResult => ({ stale: staleQueries }),
  }),
  defineCommand({
    id: 'administrators.giveEnrollmentCode',
    permission: 'administrators.giveEnrollmentCode',
    icon: 'key-round',
    place: screenPath,
    target: oneTarget('administrators'),
    params: null,
    when: ({ targets }) => {
      const { row } = firstOf(targets);
      if (!row.enabled) return blockedBecause('administrators.blocked.disabled');
      return row.factorGap === null ? blockedBecause('administrators.blocked.noCodeNeeded') : mayManage({ targets });
    },
    danger: 'none',
    confirm: true,
    keys: ['shift+e'],
    run: async ({ api, ui, targets }) => {
      const target = firstOf(targets);
      const given = await api.administrators.giveEnrollmentCode(toItemVersion(target));
      ui.openFactor({ kind: 'enrollmentCode', email: target.row.email, ...given });
      return given;
    },
    done: (): CommandResult => ({}),
  }),
  defineCommand({
    id: 'administrators.bindWallet',
    permission: 'administrators.bindWallet',
    icon: 'link',
    place: screenPath,
    target: oneTarget('administrators'),
    params: paramSpec(() => loadSchemas().then(({ walletFields }) => walletFields), {
      address: textField('administrators.field.address'),
    }),
    when: mayManage,
    danger: 'reversible',
    keys: ['w'],
    run: async ({ api, targets, params: { address } }) => {
      const target = firstOf(targets);
      return {
        row: await api.administrators.bindWallet({ address, ...toItemVersion(target) }),
        before: target.row.walletAddress,
      };
    },
    done: ({ row, before }): CommandResult => ({
      stale: staleQueries,
      undo:
        before === null
          ? invocation('administrators.unbindWallet', { targets: toItemVersions([row]) })
          : invocation('administrators.bindWallet', { targets: toItemVersions([row]), params: { address: before } }),
    }),
  }),
  defineCommand({
    id: 'administrators.unbindWallet',
    permission: 'administrators.unbindWallet',
    icon: 'unlink',
    place: screenPath,
    target: oneTarget('administrators'),
    params: null,
    when: ({ targets }) =>
      firstOf(targets).row.walletAddress === null ? blockedBecause('administrators.blocked.noWallet') : mayManage({ targets }),
    danger: 'reversible',
    confirm: true,
    run: async ({ api, targets }) => {
      const target = firstOf(targets);
      return { row: await api.administrators.unbindWallet(toItemVersion(target)), before: target.row.walletAddress ?? '' };
    },
    done: ({ row, before }): CommandResult => ({
      stale: staleQueries,
      undo: invocation('administrators.bindWallet', { targets: toItemVersions([row]), params: { address: before } }),
    }),
  }),
  defineCommand({
    id: 'administrators.endSessions',
    permission: 'administrators.endSessions',
    icon: 'log-out',
    place: screenPath,
    target: manyTargets('administrators', { max: 200 }),
    params: null,
    when: mayManage,
    danger: 'none',
    confirm: true,
    run: ({ api, targets }) => api.administrators.endSessions({ items: toItemVersions(targets) }),
    done: ({ failed }): CommandResult => ({ stale: staleQueries, failed }),
  }),
  defineCommand({
    id: 'administrators.delete',
    permission: 'administrators.delete',
    icon: 'trash-2',
    place: screenPath,
    target: manyTargets('administrators', { max: 200 }),
    params: null,
    when: mayManage,
    danger: 'irreversible',
    keys: ['#', 'delete'],
    run: ({ api, targets }) => api.administrators.remove({ items: toItemVersions(targets) }),
    done: ({ failed }): CommandResult => ({ stale: staleQueries, failed }),
  }),
  openCommand('administrators.open', 'administrators', screenPath),
  defineCommand({
    id: 'administrators.viewAs',
    permission: screenPath,
    icon: 'eye',
    place: screenPath,
    target: oneTarget('administrators'),
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    run: ({ ui, targets }) => viewPanel(ui, 'administrator', firstOf(targets)),
  }),
];
