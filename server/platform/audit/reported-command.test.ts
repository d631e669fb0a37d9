import { expect, test } from 'vitest';
import type { CommandId } from '../../../api/names.ts';
import type { CalledRoute } from '../services/context.ts';
import { reportedCommand } from './reported-command.ts';

const route = (name: string, meta: CalledRoute['meta']): CalledRoute => ({ name, meta });
const edit = route('administrators.edit', { permission: 'administrators.edit' });
const remove = route('administrators.remove', { permission: 'administrators.delete' });
const process = route('feedback.process', { permission: 'feedback.process' });
const propose = route('deposits.propose', { permission: 'deposits.confirm' });
const start = route('pointsImports.start', { permission: 'points.import' });
const password = route('account.changePassword', { signedIn: true });
const view = route('views.remove', { signedIn: true });
const picture = route('pictures.add', { signedIn: true });
const list = route('administrators.list', { menu: '/permissions/administrator' });

test.each<[CalledRoute, CommandId, CommandId | null]>([
  [edit, 'administrators.edit', 'administrators.edit'],
  [remove, 'administrators.delete', 'administrators.delete'],
  [process, 'feedback.process', 'feedback.process'],
  [process, 'feedback.processNext', 'feedback.processNext'],
  [propose, 'deposits.confirm', 'deposits.confirm'],
  [start, 'points.startImport', 'points.startImport'],
  [password, 'session.changePassword', 'session.changePassword'],
])('audits a call of $0.name by the command $1 under that command', (called, said, reported) =>
  expect(reportedCommand(called, said)).toBe(reported),
);

test.each<[CalledRoute, CommandId | null, CommandId | null]>([
  [edit, 'administrators.open', null],
  [edit, 'news.edit', null],
  [remove, 'administrators.open', 'administrators.delete'],
  [remove, null, 'administrators.delete'],
  [process, 'feedback.open', null],
  [propose, 'deposits.open', null],
  [start, 'points.undoImport', null],
  [password, 'theme.set', null],
  [view, 'views.open', 'views.delete'],
  [picture, 'news.add', null],
  [list, 'go.news', null],
])('audits a call of $0.name that claims to be $1 as $2', (called, said, reported) =>
  expect(reportedCommand(called, said)).toBe(reported),
);
