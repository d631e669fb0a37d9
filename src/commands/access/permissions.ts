import { accessNames } from '../../../api/access/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import type { NodePlace, NodeRow, TreeChange } from '../../../api/access/permissions.ts';
import { allScreens } from '../../../api/menu.ts';
import { roleText } from '../../lib/i18n/role-text.ts';
import { inLocale, t } from '../../lib/i18n/i18n.ts';
import { joinList } from '../../lib/i18n/punctuation.ts';
import type { Target } from '../../lib/scope.ts';
import { ApiError } from '../../lib/net/client.ts';
import {
  invocation,
  defineCommand,
  blockedBecause,
  noTarget,
  oneTarget,
  type CommandResult,
  toItemVersion,
  firstOf,
} from '../engine/define.ts';
import {
  choiceField,
  paramSpec,
  pickField,
  recordParams,
  textField,
  type FieldContext,
  type FieldOption,
  type ParamValues,
} from '../engine/fields.ts';
import { targetOf } from '../engine/resource.ts';

addNames(accessNames);

export const nodeTarget = targetOf('permissions', inLocale);

const place = '/permissions/permission';
const schemas = () => import('../../../api/access/permissions.ts');
const stale = ['permissions', 'roles'];

const identifier = { as: 'text', label: 'permissions.field.identifier' } as const;
const zh = textField('permissions.field.zh');
const en = textField('permissions.field.en');
const where = (options: readonly NodePlace[]) =>
  choiceField(
    'permissions.field.place',
    options.map((value) => ({ value, label: `permissions.place.${value}` as const })),
  );

/**
 * Same rule as the server: functions in menus, menus in groups or at the top, never in a screen.
 */
function isAllowedPosition(to: string, { identifier: typed }: Readonly<ParamValues>, [target]: readonly Target[]): boolean {
  if (target?.entity !== 'permissions') return true;
  const { kind, parentId, identifier: at } = target.row;
  const isMenu = typeof typed === 'string' && typed !== '' ? typed.startsWith('/') : null;
  if (to !== 'under') return isMenu !== false || parentId !== null;
  return kind === 'menu' && !(isMenu && isScreen(at));
}

const isScreen = (identifier: string) => allScreens().some(({ path, children }) => path === identifier && !children);

/** A screen and a function hold no menus. */
const canHoldMenus = ({ kind, identifier: path }: NodeRow): boolean => kind === 'menu' && !isScreen(path);

const fieldsOf = ({ identifier: word, zh: chinese, en: english }: NodeRow) => ({ identifier: word, zh: chinese, en: english });

async function positionOptions({ api, targets: [moved], signal }: FieldContext): Promise<FieldOption[]> {
  const nodes = await api.permissions.tree(undefined, { signal });
  const parentOf = new Map(nodes.map(({ id, parentId }) => [id, parentId]));
  const above = (id: string): string[] => {
    const parentId = parentOf.get(id);
    return parentId ? [parentId, ...above(parentId)] : [];
  };
  return nodes
    .filter(({ id }) => id !== moved?.id && !(moved && above(id).includes(moved.id)))
    .map((node) => ({
      value: node.id,
      label: `${'\u3000'.repeat(above(node.id).length)}${inLocale(node)}`,
      note: node.identifier,
    }));
}

const removalTexts = (nodes: readonly { identifier: string; zh: string; en: string; roles: readonly string[] }[]): string[] =>
  nodes.map((node) =>
    node.roles.length > 0
      ? t('permissions.goesFrom', {
          name: inLocale(node),
          identifier: node.identifier,
          roles: joinList(node.roles.map(roleText)),
        })
      : t('permissions.goes', { name: inLocale(node), identifier: node.identifier }),
  );

const changeText = (change: TreeChange): string =>
  change.what === 'removed'
    ? (removalTexts([change])[0] ?? '')
    : t(`permissions.change.${change.what}`, { name: inLocale(change), identifier: change.identifier });

const menuParams = paramSpec(() => schemas().then(({ menuFields }) => menuFields), {
  identifier: { ...identifier, hint: 'permissions.menuRule' },
  zh,
  en,
});

const addedNode = (row: NodeRow): CommandResult => ({
  stale,
  about: [inLocale(row)],
  undo: invocation('permissions.delete', { targets: [toItemVersion(row)] }),
});

export const permissions = [
  defineCommand({
    id: 'permissions.add',
    permission: 'permissions.add',
    icon: 'plus',
    place,
    target: oneTarget('permissions'),
    params: paramSpec(
      () => schemas().then(({ addFields }) => addFields),
      {
        place: { ...where(['under', 'before', 'after']), fits: isAllowedPosition },
        identifier: { ...identifier, hint: 'permissions.identifierRule' },
        zh,
        en,
      },
      ({ targets: [target] }) => {
        const isMenu = target?.entity === 'permissions' && target.row.kind === 'menu';
        return { place: isMenu ? 'under' : 'after' };
      },
    ),
    danger: 'reversible',
    keys: ['c'],
    run: ({ api, targets, params: values }) => api.permissions.add({ ...values, to: firstOf(targets).id }),
    done: addedNode,
  }),
  defineCommand({
    id: 'permissions.addMenu',
    permission: 'permissions.add',
    icon: 'plus',
    place,
    target: noTarget,
    params: menuParams,
    danger: 'reversible',
    keys: ['shift+m'],
    run: async ({ api, params: values }) => {
      const last = (await api.permissions.tree()).findLast(({ parentId }) => parentId === null);
      if (!last) throw new ApiError('NOT_FOUND');
      return api.permissions.add({ ...values, place: 'after', to: last.id });
    },
    done: addedNode,
  }),
  defineCommand({
    id: 'permissions.addSubmenu',
    permission: 'permissions.add',
    icon: 'plus',
    place,
    target: oneTarget('permissions'),
    params: menuParams,
    when: ({ targets }) => canHoldMenus(firstOf(targets).row) || blockedBecause('permissions.blocked.holdsNoMenu'),
    danger: 'reversible',
    keys: ['shift+c'],
    run: ({ api, targets, params: values }) => api.permissions.add({ ...values, place: 'under', to: firstOf(targets).id }),
    done: addedNode,
  }),
  defineCommand({
    id: 'permissions.edit',
    permission: 'permissions.edit',
    icon: 'pencil',
    place,
    target: oneTarget('permissions'),
    params: recordParams('permissions', () => schemas().then(({ nodeFields }) => nodeFields), { identifier, zh, en }, fieldsOf),
    danger: 'reversible',
    keys: ['e'],
    run: async ({ api, targets, params: values }) => {
      const target = firstOf(targets);
      return { row: await api.permissions.edit({ ...values, ...toItemVersion(target) }), before: fieldsOf(target.row) };
    },
    done: ({ row, before }): CommandResult => ({
      stale,
      about: [inLocale(row)],
      undo: invocation('permissions.edit', { targets: [toItemVersion(row)], params: before }),
    }),
  }),
  defineCommand({
    id: 'permissions.move',
    permission: 'permissions.move',
    icon: 'arrow-up-from-line',
    place,
    target: oneTarget('permissions'),
    params: paramSpec(
      () => schemas().then(({ moveFields }) => moveFields),
      { place: where(['under', 'before', 'after']), to: pickField('permissions.field.to', positionOptions) },
      () => ({ place: 'after' }),
    ),
    danger: 'reversible',
    keys: ['m'],
    run: ({ api, targets, params: values }) => api.permissions.move({ ...values, ...toItemVersion(firstOf(targets)) }),
    done: ({ row, was }): CommandResult => ({
      stale,
      undo: invocation('permissions.move', { targets: [toItemVersion(row)], params: was }),
    }),
  }),
  defineCommand({
    id: 'permissions.delete',
    permission: 'permissions.delete',
    icon: 'trash-2',
    place,
    target: oneTarget('permissions'),
    params: null,
    danger: 'irreversible',
    keys: ['#', 'delete'],
    consequences: async ({ api, targets }) => {
      const { id } = firstOf(targets);
      const inside = new Set([id]);
      const gone = (await api.permissions.tree()).filter((node) => {
        const goes = inside.has(node.id) || (node.parentId !== null && inside.has(node.parentId));
        if (goes) inside.add(node.id);
        return goes;
      });
      return removalTexts(gone.map((node) => ({ ...node, roles: node.roles.map(({ name }) => name) })));
    },
    run: ({ api, targets }) => api.permissions.remove(toItemVersion(firstOf(targets))),
    done: (): CommandResult => ({ stale }),
  }),
  defineCommand({
    id: 'permissions.reset',
    permission: 'permissions.reset',
    icon: 'undo-2',
    place,
    target: noTarget,
    params: null,
    danger: 'irreversible',
    consequences: async ({ api }) => {
      const { changes } = await api.permissions.changes();
      return changes.length > 0 ? changes.map(changeText) : [t('permissions.noChanges')];
    },
    run: ({ api }) => api.permissions.reset(),
    done: (): CommandResult => ({ stale }),
  }),
];
