import { expect, test } from 'vitest';
import { $loginEmail } from '../../../lib/session/session.ts';
import { addToHistory, lastRun, lastUndoable, mergeHistory } from './history.ts';

test('repeat takes the last command of this device, while undo takes the last one of any device', () => {
  $loginEmail.set('a@b.c');
  addToHistory({ invocation: { id: 'news.hide' }, at: 1 });
  const [here] = [lastRun()];
  expect(here).toBeDefined();
  mergeHistory('a@b.c', [
    { id: 'elsewhere', invocation: { id: 'news.delete' }, at: 2 },
    ...(here ? [{ id: here.id, invocation: here.invocation, at: here.at }] : []),
  ]);
  expect(lastRun()?.invocation.id).toBe('news.hide');
  expect(lastUndoable()?.invocation.id).toBe('news.delete');
  mergeHistory('a@b.c', [{ id: 'elsewhere', invocation: { id: 'news.delete' }, at: 2 }]);
  expect(lastRun()?.invocation.id).toBe('news.hide');
});
