import { accessNames } from '../../../api/access/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import type { RoleRow } from '../../../api/access/roles.ts';
import { roleText } from '../../lib/i18n/role-text.ts';
import { pickLocaleName, t } from '../../lib/i18n/i18n.ts';
import { openCommand } from '../engine/crud.ts';
import {
  invocation,
  blockedBecause,
  defineCommand,
  manyTargets,
  noTarget,
  oneTarget,
  type CommandResult,
  toItemVersion,
  firstOf,
} from '../engine/define.ts';
import {
  flagField,
  multilineField,
  optionalPicksField,
  paramSpec,
  recordParams,
  textField,
  treeField,
  type FieldContext,
  type ParamField,
  type TreeOption,
} from '../engine/fields.ts';
import { targetOf } from '../engine/resource.ts';
import { viewPanel } from './view-as.ts';

addNames(accessNames);

export const roleTarget = targetOf('roles', ({ name }) => roleText(name));

const screenPath = '/permissions/role';
const loadSchemas = () => import('../../../api/access/roles.ts');
const roleSchema = () => loadSchemas().then(({ roleFields }) => roleFields);

async function grantTree({ api, signal }: FieldContext): Promise<TreeOption[]> {
  const nodes = await api.roles.tree(undefined, { signal });
  return nodes.map(({ id, parentId, kind, identifier, zh, en, grantable, hasEffect }) => ({
    id,
    parentId,
    label: pickLocaleName({ zh, en }),
    identifier,
    also: `${zh} ${en}`,
    isMenu: kind === 'menu',
    ...(grantable ? {} : { blocked: 'roles.blocked.notHeld' as const }),
    ...(hasEffect ? {} : { note: 'roles.noEffect' as const }),
  }));
}

const fields = {
  name: textField('roles.field.name'),
  description: multilineField('roles.field.description'),
  needsFactor: flagField('roles.field.needsFactor', 'roles.needsFactor'),
  grants: treeField('roles.field.grants', grantTree),
  mayGrant: optionalPicksField('roles.field.mayGrant', 'roles.noneToGrant', async ({ api, signal }) =>
    (await api.roles.choices(undefined, { signal })).map(({ id, name, description, blocked }) => ({
      value: id,
      label: roleText(name),
      note: roleText(description),
      ...(blocked ? { blocked: `roles.blocked.${blocked}` as const } : {}),
    })),
  ),
  networks: {
    as: 'multiline',
    label: 'roles.field.networks',
    hint: 'roles.limits.networksHint',
    optional: true,
    group: 'roles.limits.group',
    helper: 'networks',
  },
  idleMinutes: { as: 'number', label: 'roles.field.idleMinutes', optional: true, group: 'roles.limits.group' },
  sessionHours: {
    as: 'number',
    label: 'roles.field.sessionHours',
    optional: true,
    group: 'roles.limits.group',
    helper: 'sessionLimits',
  },
} as const satisfies Record<string, ParamField>;

const fieldsOf = ({ name, description, needsFactor, grants, mayGrant, networks, idleMinutes, sessionHours }: RoleRow) => ({
  name,
  description,
  needsFactor,
  grants,
  mayGrant: mayGrant.map(({ id }) => id),
  networks: networks.join('\n'),
  idleMinutes: idleMinutes ?? '',
  sessionHours: sessionHours ?? '',
});

/** A built-in role is shown in the page's language. */
const toFormValues = (row: RoleRow) => ({ ...fieldsOf(row), name: roleText(row.name), description: roleText(row.description) });

/** Text that was only translated for display keeps its stored value. */
const keepUnchanged = (storedText: string, enteredText: string): string =>
  enteredText === roleText(storedText) ? storedText : enteredText;

export const roles = [
  defineCommand({
    id: 'roles.add',
    permission: 'roles.add',
    icon: 'plus',
    place: screenPath,
    target: noTarget,
    params: paramSpec(roleSchema, fields, () => ({
      needsFactor: false,
      grants: [],
      mayGrant: [],
      networks: '',
      idleMinutes: '',
      sessionHours: '',
    })),
    danger: 'reversible',
    keys: ['c'],
    run: ({ api, params: values }) => api.roles.add(values),
    done: (row): CommandResult => ({ stale: ['roles'], undo: invocation('roles.delete', { targets: [toItemVersion(row)] }) }),
  }),
  defineCommand({
    id: 'roles.edit',
    permission: 'roles.edit',
    icon: 'pencil',
    place: screenPath,
    target: oneTarget('roles'),
    params: recordParams('roles', roleSchema, fields, toFormValues),
    danger: 'reversible',
    keys: ['e'],
    run: async ({ api, targets, params: values }) => {
      const target = firstOf(targets);
      const { name, description } = target.row;
      const texts = { name: keepUnchanged(name, values.name), description: keepUnchanged(description, values.description) };
      return { row: await api.roles.edit({ ...values, ...texts, ...toItemVersion(target) }), before: fieldsOf(target.row) };
    },
    done: ({ row, before }): CommandResult => ({
      stale: ['roles', 'permissions'],
      undo: invocation('roles.edit', { targets: [toItemVersion(row)], params: before }),
    }),
  }),
  defineCommand({
    id: 'roles.copy',
    permission: 'roles.copy',
    icon: 'copy',
    place: screenPath,
    target: oneTarget('roles'),
    params: paramSpec(
      () => loadSchemas().then(({ roleCopyFields }) => roleCopyFields),
      { name: textField('roles.field.name') },
      ({ targets: [target] }) => (target ? { name: t('roles.copyName', { name: target.name }).slice(0, 100) } : {}),
    ),
    danger: 'reversible',
    keys: ['d'],
    run: ({ api, targets, params: { name } }) => api.roles.copy({ ...toItemVersion(firstOf(targets)), name }),
    done: (row): CommandResult => ({
      stale: ['roles', 'permissions'],
      undo: invocation('roles.delete', { targets: [toItemVersion(row)] }),
    }),
  }),
  defineCommand({
    id: 'roles.delete',
    permission: 'roles.delete',
    icon: 'trash-2',
    place: screenPath,
    target: manyTargets('roles', { max: 200 }),
    params: null,
    when: ({ targets }) => targets.every(({ row }) => row.administrators === 0) || blockedBecause('roles.blocked.assigned'),
    danger: 'irreversible',
    keys: ['#', 'delete'],
    run: ({ api, targets }) => api.roles.remove({ items: targets.map(toItemVersion) }),
    done: (): CommandResult => ({ stale: ['roles', 'permissions'] }),
  }),
  openCommand('roles.open', 'roles', screenPath),
  defineCommand({
    id: 'roles.viewAs',
    permission: screenPath,
    icon: 'eye',
    place: screenPath,
    target: oneTarget('roles'),
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    run: ({ ui, targets }) => viewPanel(ui, 'role', firstOf(targets)),
  }),
];
