import { accessNames } from '../../../api/access/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import type { NodePosition, NodeRow, TreeChange } from '../../../api/access/permissions.ts';
import { listScreens } from '../../../api/menu.ts';
import { roleText } from '../../lib/i18n/role-text.ts';
import { pickLocaleName, t } from '../../lib/i18n/i18n.ts';
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

export const nodeTarget = targetOf('permissions', pickLocaleName);

const screenPath = '/permissions/permission';
const loadSchemas = () => import('../../../api/access/permissions.ts');
const staleQueries = ['permissions', 'roles'];

const identifierField = { as: 'text', label: 'permissions.field.identifier' } as const;
const zh = textField('permissions.field.zh');
const en = textField('permissions.field.en');
const positionChoices = (options: readonly NodePosition[]) =>
  choiceField(
    'permissions.field.place',
    options.map((value) => ({ value, label: `permissions.place.${value}` as const })),
  );

/**
 * Same rule as the server: functions in menus, menus in groups or at the top, never in a screen.
 */
function isAllowedPosition(
  position: string,
  { identifier: enteredIdentifier }: Readonly<ParamValues>,
  [target]: readonly Target[],
): boolean {
  if (target?.entity !== 'permissions') return true;
  const { kind, parentId, identifier: currentIdentifier } = target.row;
  const isEnteredMenu =
    typeof enteredIdentifier === 'string' && enteredIdentifier !== '' ? enteredIdentifier.startsWith('/') : null;
  if (position !== 'under') return isEnteredMenu !== false || parentId !== null;
  return kind === 'menu' && !(isEnteredMenu && isScreenPath(currentIdentifier));
}

const isScreenPath = (identifier: string) => listScreens().some(({ path, children }) => path === identifier && !children);

/** A screen and a function hold no menus. */
const canHoldMenus = ({ kind, identifier: path }: NodeRow): boolean => kind === 'menu' && !isScreenPath(path);

const fieldsOf = ({ identifier: menuIdentifier, zh: chineseName, en: englishName }: NodeRow) => ({
  identifier: menuIdentifier,
  zh: chineseName,
  en: englishName,
});

async function positionOptions({ api, targets: [movedNode], signal }: FieldContext): Promise<FieldOption[]> {
  const nodes = await api.permissions.tree(undefined, { signal });
  const parentOf = new Map(nodes.map(({ id, parentId }) => [id, parentId]));
  const ancestorIds = (id: string): string[] => {
    const parentId = parentOf.get(id);
    return parentId ? [parentId, ...ancestorIds(parentId)] : [];
  };
  return nodes
    .filter(({ id }) => id !== movedNode?.id && !(movedNode && ancestorIds(id).includes(movedNode.id)))
    .map((node) => ({
      value: node.id,
      label: `${'\u3000'.repeat(ancestorIds(node.id).length)}${pickLocaleName(node)}`,
      note: node.identifier,
    }));
}

const removalTexts = (nodes: readonly { identifier: string; zh: string; en: string; roles: readonly string[] }[]): string[] =>
  nodes.map((node) =>
    node.roles.length > 0
      ? t('permissions.goesFrom', {
          name: pickLocaleName(node),
          identifier: node.identifier,
          roles: joinList(node.roles.map(roleText)),
        })
      : t('permissions.goes', { name: pickLocaleName(node), identifier: node.identifier }),
  );

const changeText = (change: TreeChange): string =>
  change.what === 'removed'
    ? (removalTexts([change])[0] ?? '')
    : t(`permissions.change.${change.what}`, { name: pickLocaleName(change), identifier: change.identifier });

const menuParams = paramSpec(() => loadSchemas().then(({ menuNodeFields }) => menuNodeFields), {
  identifier: { ...identifierField, hint: 'permissions.menuRule' },
  zh,
  en,
});

const addedNode = (row: NodeRow): CommandResult => ({
  stale: staleQueries,
  about: [pickLocaleName(row)],
  undo: invocation('permissions.delete', { targets: [toItemVersion(row)] }),
});

export const permissions = [
  defineCommand({
    id: 'permissions.add',
    permission: 'permissions.add',
    icon: 'plus',
    place: screenPath,
    target: oneTarget('permissions'),
    params: paramSpec(
      () => loadSchemas().then(({ addNodeFields }) => addNodeFields),
      {
        place: { ...positionChoices(['under', 'before', 'after']), fits: isAllowedPosition },
        identifier: { ...identifierField, hint: 'permissions.identifierRule' },
        zh,
        en,
      },
      ({ targets: [target] }) => {
        const isEnteredMenu = target?.entity === 'permissions' && target.row.kind === 'menu';
        return { place: isEnteredMenu ? 'under' : 'after' };
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
    place: screenPath,
    target: noTarget,
    params: menuParams,
    danger: 'reversible',
    keys: ['shift+m'],
    run: async ({ api, params: values }) => {
      const lastRoot = (await api.permissions.tree()).findLast(({ parentId }) => parentId === null);
      if (!lastRoot) throw new ApiError('NOT_FOUND');
      return api.permissions.add({ ...values, place: 'after', to: lastRoot.id });
    },
    done: addedNode,
  }),
  defineCommand({
    id: 'permissions.addSubmenu',
    permission: 'permissions.add',
    icon: 'plus',
    place: screenPath,
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
    place: screenPath,
    target: oneTarget('permissions'),
    params: recordParams(
      'permissions',
      () => loadSchemas().then(({ nodeFields }) => nodeFields),
      { identifier: identifierField, zh, en },
      fieldsOf,
    ),
    danger: 'reversible',
    keys: ['e'],
    run: async ({ api, targets, params: values }) => {
      const target = firstOf(targets);
      return { row: await api.permissions.edit({ ...values, ...toItemVersion(target) }), before: fieldsOf(target.row) };
    },
    done: ({ row, before }): CommandResult => ({
      stale: staleQueries,
      about: [pickLocaleName(row)],
      undo: invocation('permissions.edit', { targets: [toItemVersion(row)], params: before }),
    }),
  }),
  defineCommand({
    id: 'permissions.move',
    permission: 'permissions.move',
    icon: 'arrow-up-from-line',
    place: screenPath,
    target: oneTarget('permissions'),
    params: paramSpec(
      () => loadSchemas().then(({ moveNodeFields }) => moveNodeFields),
      { place: positionChoices(['under', 'before', 'after']), to: pickField('permissions.field.to', positionOptions) },
      () => ({ place: 'after' }),
    ),
    danger: 'reversible',
    keys: ['m'],
    run: ({ api, targets, params: values }) => api.permissions.move({ ...values, ...toItemVersion(firstOf(targets)) }),
    done: ({ row, was }): CommandResult => ({
      stale: staleQueries,
      undo: invocation('permissions.move', { targets: [toItemVersion(row)], params: was }),
    }),
  }),
  defineCommand({
    id: 'permissions.delete',
    permission: 'permissions.delete',
    icon: 'trash-2',
    place: screenPath,
    target: oneTarget('permissions'),
    params: null,
    danger: 'irreversible',
    keys: ['#', 'delete'],
    consequences: async ({ api, targets }) => {
      const { id } = firstOf(targets);
      const subtreeIds = new Set([id]);
      const deletedNodes = (await api.permissions.tree()).filter((node) => {
        const isDeleted = subtreeIds.has(node.id) || (node.parentId !== null && subtreeIds.has(node.parentId));
        if (isDeleted) subtreeIds.add(node.id);
        return isDeleted;
      });
      return removalTexts(deletedNodes.map((node) => ({ ...node, roles: node.roles.map(({ name }) => name) })));
    },
    run: ({ api, targets }) => api.permissions.remove(toItemVersion(firstOf(targets))),
    done: (): CommandResult => ({ stale: staleQueries }),
  }),
  defineCommand({
    id: 'permissions.reset',
    permission: 'permissions.reset',
    icon: 'undo-2',
    place: screenPath,
    target: noTarget,
    params: null,
    danger: 'irreversible',
    consequences: async ({ api }) => {
      const { changes } = await api.permissions.changes();
      return { lines: changes.map(changeText), ...(changes.length === 0 && { blocked: t('permissions.noChanges') }) };
    },
    run: ({ api }) => api.permissions.reset(),
    done: (): CommandResult => ({ stale: staleQueries }),
  }),
];
