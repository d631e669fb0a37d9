import { expect, test } from 'vitest';
import { builtInRoles, toStoredRole } from '../../../api/access/built-in-roles.ts';
import { roleText } from '../../lib/i18n/role-text.ts';
import { setDictionary } from '../../lib/i18n/i18n.ts';
import { assess, splitRunnable } from '../engine/assess.ts';
import type { AnyCommand } from '../engine/define.ts';
import { roles, roleTarget } from './roles.ts';

const row = {
  id: '01900000-0000-7000-8000-000000000001',
  version: 3,
  ...toStoredRole(builtInRoles.editor),
  needsFactor: false,
  grants: [],
  mayGrant: [],
  networks: [],
  idleMinutes: null,
  sessionHours: null,
  administrators: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

test('a built-in role is shown in the page’s language, and a renamed role under its own name', () => {
  setDictionary('zh-CN', {});
  expect([roleText(row.name), roleText(row.description)]).toEqual(['内容编辑', '管理新闻、反馈与公告']);
  expect(roleTarget(row).name).toBe('内容编辑');
  setDictionary('en-US', {});
  expect([roleText(row.name), roleText(row.description)]).toEqual(['Content editor', 'Manages news, feedback and notices']);
  for (const customName of ['内容编辑', 'Content editor', 'Night shift 夜班']) expect(roleText(customName)).toBe(customName);
});

test('text read in one language is saved in both, and typed text as typed', async () => {
  setDictionary('zh-CN', {});
  const editCommand = roles.find(({ id }) => id === 'roles.edit');
  const targets = [roleTarget(row)];
  const initialValues = editCommand?.params?.initial?.({ targets, now: new Date() });
  expect(initialValues).toMatchObject({ name: '内容编辑', description: '管理新闻、反馈与公告' });
  const sentRequests: unknown[] = [];
  const api = { roles: { edit: async (values: unknown) => sentRequests.push(values) } };
  for (const params of [initialValues, { ...initialValues, name: '编辑组' }])
    await editCommand?.run({ api, targets, params } as never);
  expect(sentRequests).toMatchObject([toStoredRole(builtInRoles.editor), { name: '编辑组', description: row.description }]);
});

test('a role of administrators can’t be deleted, and is skipped among others', () => {
  const deleteCommand: AnyCommand | undefined = roles.find(({ id }) => id === 'roles.delete');
  if (!deleteCommand) throw new Error('there is no roles.delete');
  const context = {
    signedIn: true,
    codes: new Set(['roles.delete']),
    paths: new Set<string>(),
    viewContext: null,
    expert: false,
  };
  const [free, assigned] = [roleTarget({ ...row, administrators: 0 }), roleTarget({ ...row, administrators: 2 })];
  expect(assess(deleteCommand, context, [free])).toEqual({ state: 'ok' });
  expect(assess(deleteCommand, context, [assigned])).toMatchObject({ state: 'blocked', reason: 'roles.blocked.assigned' });
  const { runnable, skipped } = splitRunnable(deleteCommand, context, [free, assigned]);
  expect(runnable).toEqual([free]);
  expect(skipped.map(({ target }) => target)).toEqual([assigned]);
});
