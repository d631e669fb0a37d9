import { expect, test } from 'vitest';
import type { CommandId } from '../../../api/names.ts';
import type { CalledRoute } from '../services/context.ts';
import { resolveReportedCommand } from './reported-command.ts';

const createCalledRoute = (name: string, meta: CalledRoute['meta']): CalledRoute => ({ name, meta });
const editRoute = createCalledRoute('administrators.edit', { permission: 'administrators.edit' });
const removeRoute = createCalledRoute('administrators.remove', { permission: 'administrators.delete' });
const processRoute = createCalledRoute('feedback.process', { permission: 'feedback.process' });
const proposeRoute = createCalledRoute('deposits.propose', { permission: 'deposits.confirm' });
const startRoute = createCalledRoute('pointsImports.start', { permission: 'points.import' });
const passwordRoute = createCalledRoute('account.changePassword', { signedIn: true });
const viewRoute = createCalledRoute('views.remove', { signedIn: true });
const pictureRoute = createCalledRoute('pictures.add', { signedIn: true });
const listRoute = createCalledRoute('administrators.list', { menu: '/permissions/administrator' });

test.each<[CalledRoute, CommandId, CommandId | null]>([
  [editRoute, 'administrators.edit', 'administrators.edit'],
  [removeRoute, 'administrators.delete', 'administrators.delete'],
  [processRoute, 'feedback.process', 'feedback.process'],
  [processRoute, 'feedback.processNext', 'feedback.processNext'],
  [proposeRoute, 'deposits.confirm', 'deposits.confirm'],
  [startRoute, 'points.startImport', 'points.startImport'],
  [passwordRoute, 'session.changePassword', 'session.changePassword'],
])('audits a call of $0.name by the command $1 under that command', (route, reportedId, expectedId) =>
  expect(resolveReportedCommand(route, reportedId)).toBe(expectedId),
);

test.each<[CalledRoute, CommandId | null, CommandId | null]>([
  [editRoute, 'administrators.open', null],
  [editRoute, 'news.edit', null],
  [removeRoute, 'administrators.open', 'administrators.delete'],
  [removeRoute, null, 'administrators.delete'],
  [processRoute, 'feedback.open', null],
  [proposeRoute, 'deposits.open', null],
  [startRoute, 'points.undoImport', null],
  [passwordRoute, 'theme.set', null],
  [viewRoute, 'views.open', 'views.delete'],
  [pictureRoute, 'news.add', null],
  [listRoute, 'go.news', null],
])('audits a call of $0.name that claims to be $1 as $2', (route, reportedId, expectedId) =>
  expect(resolveReportedCommand(route, reportedId)).toBe(expectedId),
);
