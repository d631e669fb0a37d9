import { accessNames } from '../../../api/access/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import type { RoleRow } from '../../../api/access/roles.ts';
import { roleText } from '../../lib/i18n/role-text.ts';
import { inLocale, t } from '../../lib/i18n/i18n.ts';
import { opening } from '../engine/crud.ts';
import { call, defineCommand, many, none, one, type Done, itemOf, only } from '../engine/define.ts';
import {
  flag,
  multiline,
  params,
  picks,
  recordParams,
  text,
  tree,
  type FieldContext,
  type TreeOption,
} from '../engine/fields.ts';
import { targetOf } from '../engine/resource.ts';
import { viewPanel } from './view-as.ts';

addNames(accessNames);

export const roleTarget = targetOf('roles', ({ name }) => roleText(name));

const place = '/permissions/role';
const schemas = () => import('../../../api/access/roles.ts');
const roleSchema = () => schemas().then(({ roleFields }) => roleFields);

async function grantTree({ api, signal }: FieldContext): Promise<TreeOption[]> {
  const nodes = await api.roles.tree(undefined, { signal });
  return nodes.map(({ id, parentId, kind, identifier, zh, en, grantable, hasEffect }) => ({
    id,
    parentId,
    label: inLocale({ zh, en }),
    identifier,
    also: `${zh} ${en}`,
    isMenu: kind === 'menu',
    ...(grantable ? {} : { blocked: 'roles.blocked.notHeld' as const }),
    ...(hasEffect ? {} : { note: 'roles.noEffect' as const }),
  }));
}

const fields = {
  name: text('roles.field.name'),
  description: multiline('roles.field.description'),
  needsFactor: flag('roles.field.needsFactor', 'roles.needsFactor'),
  grants: tree('roles.field.grants', grantTree),
  mayGrant: picks('roles.field.mayGrant', 'roles.noneToGrant', async ({ api, signal }) =>
    (await api.roles.choices(undefined, { signal })).map(({ id, name, description, blocked }) => ({
      value: id,
      label: roleText(name),
      note: roleText(description),
      ...(blocked ? { blocked: `roles.blocked.${blocked}` as const } : {}),
    })),
  ),
} as const;

const fieldsOf = ({ name, description, needsFactor, grants, mayGrant }: RoleRow) => ({
  name,
  description,
  needsFactor,
  grants,
  mayGrant: mayGrant.map(({ id }) => id),
});

/** A built-in role is shown in the page's language. */
const shownOf = (row: RoleRow) => ({ ...fieldsOf(row), name: roleText(row.name), description: roleText(row.description) });

/** Text that was only translated for display keeps its stored value. */
const kept = (was: string, typed: string): string => (typed === roleText(was) ? was : typed);

export const roles = [
  defineCommand({
    id: 'roles.add',
    permission: 'roles.add',
    icon: 'plus',
    place,
    target: none,
    params: params(roleSchema, fields, () => ({ needsFactor: false, grants: [], mayGrant: [] })),
    danger: 'reversible',
    keys: ['c'],
    run: ({ api, params: values }) => api.roles.add(values),
    done: (row): Done => ({ stale: ['roles'], undo: call('roles.delete', { targets: [itemOf(row)] }) }),
  }),
  defineCommand({
    id: 'roles.edit',
    permission: 'roles.edit',
    icon: 'pencil',
    place,
    target: one('roles'),
    params: recordParams('roles', roleSchema, fields, shownOf),
    danger: 'reversible',
    keys: ['e'],
    run: async ({ api, targets, params: values }) => {
      const target = only(targets);
      const { name, description } = target.row;
      const texts = { name: kept(name, values.name), description: kept(description, values.description) };
      return { row: await api.roles.edit({ ...values, ...texts, ...itemOf(target) }), before: fieldsOf(target.row) };
    },
    done: ({ row, before }): Done => ({
      stale: ['roles', 'permissions'],
      undo: call('roles.edit', { targets: [itemOf(row)], params: before }),
    }),
  }),
  defineCommand({
    id: 'roles.copy',
    permission: 'roles.copy',
    icon: 'copy',
    place,
    target: one('roles'),
    params: params(
      () => schemas().then(({ roleCopyFields }) => roleCopyFields),
      { name: text('roles.field.name') },
      ({ targets: [target] }) => (target ? { name: t('roles.copyName', { name: target.name }).slice(0, 100) } : {}),
    ),
    danger: 'reversible',
    keys: ['d'],
    run: ({ api, targets, params: { name } }) => api.roles.copy({ ...itemOf(only(targets)), name }),
    done: (row): Done => ({ stale: ['roles', 'permissions'], undo: call('roles.delete', { targets: [itemOf(row)] }) }),
  }),
  defineCommand({
    id: 'roles.delete',
    permission: 'roles.delete',
    icon: 'trash-2',
    place,
    target: many('roles', { max: 200 }),
    params: null,
    danger: 'irreversible',
    keys: ['#', 'delete'],
    run: ({ api, targets }) => api.roles.remove({ items: targets.map(itemOf) }),
    done: (): Done => ({ stale: ['roles', 'permissions'] }),
  }),
  opening('roles.open', 'roles', place),
  defineCommand({
    id: 'roles.viewAs',
    permission: place,
    icon: 'eye',
    place,
    target: one('roles'),
    params: null,
    danger: 'none',
    passing: true,
    run: ({ ui, targets }) => viewPanel(ui, 'role', only(targets)),
  }),
];
