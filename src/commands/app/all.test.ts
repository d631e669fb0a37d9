import { describe, expect, test } from 'vitest';
import { contract } from '../../../api/contract.ts';
import { listContractRoutes } from '../../../api/route.ts';
import { allNames, functions } from '../../../api/all-names.ts';
import { listScreens } from '../../../api/menu.ts';
import { enPanel } from '../../lib/i18n/en-US/index.ts';
import { enResources } from '../../lib/i18n/en-US/resources.ts';
import { setDictionary, tMaybe } from '../../lib/i18n/i18n.ts';
import { zhPanel } from '../../lib/i18n/zh-CN/index.ts';
import { zhResources } from '../../lib/i18n/zh-CN/resources.ts';
import { registry } from './all.ts';

const paths = new Set(listScreens().map(({ path }) => path));
const permissionCodes = new Set<string>(Object.values(functions).flat());
const routeRights = new Set(listContractRoutes(contract).flatMap(({ meta }) => ('permission' in meta ? [meta.permission] : [])));

test('every name belongs to a command and every command has a name', () => {
  expect(new Set(registry.all.map(({ id }) => id))).toEqual(new Set(Object.keys(allNames)));
});

test('command, function node and route use one word for one permission', () => {
  expect(routeRights).toEqual(permissionCodes);
  for (const permissionCode of permissionCodes)
    expect(registry.get(permissionCode)?.permission, permissionCode).toBe(permissionCode);
  for (const { id, permission } of registry.all) {
    const isKnownPermission = permission === 'anyone' || permissionCodes.has(permission) || paths.has(permission as `/${string}`);
    expect(isKnownPermission, `${id} needs ${permission}`).toBe(true);
  }
});

describe.each([
  ['zh-CN', { ...zhPanel, ...zhResources }],
  ['en-US', { ...enPanel, ...enResources }],
] as const)('in %s', (locale, dictionary) => {
  test('every command that asks has a title and a button, its own or shared', () => {
    setDictionary(locale, dictionary);
    const confirmedCommands = registry.all.filter(
      ({ confirm, danger }) => confirm || danger === 'irreversible' || danger === 'money',
    );
    expect(confirmedCommands.length).toBeGreaterThan(0);
    for (const { id } of confirmedCommands) {
      expect(tMaybe(`${id.replace('.', '.ask.')}.title`) ?? tMaybe(`ask.${id.split('.')[1]}.title`), id).toBeTruthy();
      expect(tMaybe(`${id.replace('.', '.ask.')}.act`) ?? tMaybe(`ask.${id.split('.')[1]}.act`), id).toBeTruthy();
    }
  });
});

test('a form that edits one record merges a colleague’s concurrent change', () => {
  const editCommands = registry.all.filter(({ id, target, params }) => id.endsWith('.edit') && target.kind === 'one' && params);
  expect(editCommands.length).toBeGreaterThan(0);
  expect(editCommands.filter(({ params }) => !params?.merges).map(({ id }) => id)).toEqual([]);
});

test('a reversible command that changes something returns its undo', () => {
  for (const command of registry.all.filter(({ danger }) => danger === 'reversible'))
    expect(command.done, command.id).toBeTypeOf('function');
});
