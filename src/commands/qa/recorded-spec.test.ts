import { runInNewContext } from 'node:vm';
import { beforeEach, expect, test } from 'vitest';
import '../app/all.ts';
import type { Invocation } from '../engine/define.ts';
import { CommandError } from '../engine/command-error.ts';
import type { DispatchOutcome } from '../engine/dispatch/interface.ts';
import { specText } from './recorded-spec.ts';
import type { Target } from '../../lib/scope.ts';
import { recordRun } from '../app/recorder.ts';
import { $recording, recordStep } from './recording.ts';

beforeEach(() => $recording.set({ path: '/news', steps: [] }));

const recordOutcome = (invocation: Invocation, outcome: DispatchOutcome) =>
  recordRun({ invocation, source: 'button', frozen: [], outcome: Promise.resolve(outcome) });
const recordDone = (executed: Invocation, result: unknown = null) =>
  recordOutcome(executed, { status: 'done', result, ran: executed });
const generateSpec = () => specText($recording.get() ?? { path: '/', steps: [] });

test('records created during a recording are read from their steps, and earlier ones keep their ids', async () => {
  await recordDone({ id: 'news.add', params: { title: "It's" } }, { id: 'made', title: "It's" });
  await recordDone({ id: 'news.show', targets: ['made', 'before'] }, { done: [{ id: 'made' }, { id: 'before' }], failed: [] });
  await recordDone({ id: 'news.edit', targets: ['before'], params: { title: 'x' } }, { row: { id: 'before' } });
  expect(generateSpec().split('\n')).toEqual([
    `import { at, test } from '@admin-panel/qa';`,
    '',
    '// The account needs these permissions: news.add, news.show, news.edit.',
    `test('recorded: news.add, news.show, news.edit', async ({ admin }) => {`,
    `  await admin.signIn('/news');`,
    `  const step1 = await admin.run('news.add', { params: { title: 'It\\'s' } });`,
    `  await admin.run('news.show', { targets: [at(step1, "done", 0, "id"), 'before'], confirm: true });`,
    `  await admin.run('news.edit', { targets: ['before'], params: { title: 'x' } });`,
    '});',
    '',
  ]);
});

test('an undo is recorded as its command, a refusal as expected, and viewing is not recorded', async () => {
  await recordDone({ id: 'news.hide', targets: ['a'] });
  await recordDone({ id: 'news.show', targets: ['a'] });
  await recordDone({ id: 'history.undo' });
  await recordDone({ id: 'list.next' });
  await recordDone({ id: 'palette.open' });
  const error = new CommandError('CONFLICT', 'changed meanwhile');
  await recordOutcome({ id: 'news.delete', targets: ['a'] }, { status: 'failed', error });
  await recordOutcome({ id: 'news.delete', targets: ['a'] }, { status: 'canceled' });
  expect(generateSpec().match(/^ {2}await .*/gm)).toEqual([
    `  await admin.signIn('/news');`,
    `  await admin.run('news.hide', { targets: ['a'], confirm: true });`,
    `  await admin.run('news.show', { targets: ['a'], confirm: true });`,
    `  await expect(admin.run('news.delete', { targets: ['a'], confirm: true })).rejects.toMatchObject({ code: 'CONFLICT' });`,
  ]);
});

test('a recording keeps no secret, not even of a refused command, and no result', async () => {
  const params = { email: 'a@b.c', password: 'hunter2 hunter2', roles: [], description: '' };
  await recordDone({ id: 'administrators.add', params }, { id: 'x', link: 'https://one-time.example' });
  const error = new CommandError('FORBIDDEN', 'no');
  await recordOutcome({ id: 'administrators.add', params }, { status: 'failed', error });
  expect(JSON.stringify($recording.get()?.steps)).not.toMatch(/hunter2|one-time/);
  expect(generateSpec()).toContain(`password: given('ADMINISTRATORS_ADD_PASSWORD')`);
  expect(generateSpec()).toContain(`import { expect, given, test } from '@admin-panel/qa';`);
});

test('a recorded edit keeps only changed values', async () => {
  const row = {
    id: 'a',
    version: 2,
    title: 'T',
    description: 'D',
    image: 'https://i.example',
    time: 't',
    link: 'https://l.example',
  };
  const target = { entity: 'news', id: 'a', version: 2, name: 'T', row } as unknown as Target;
  const { id: _, version: __, ...params } = row;
  const executed: Invocation = { id: 'news.edit', targets: ['a'], params: { ...params, title: 'New' } };
  await recordRun({
    invocation: executed,
    source: 'key',
    frozen: [target],
    outcome: Promise.resolve({ status: 'done', result: { row }, ran: executed }),
  });
  expect(generateSpec()).toContain(`await admin.run('news.edit', { targets: ['a'], params: { title: 'New' } });`);
});

test('a picked text becomes an expectation', async () => {
  await recordDone({ id: 'news.show', targets: ['a'] });
  for (const expectation of ["row:It's", 'text:Shown now'])
    recordStep({
      id: 'qa.expect',
      permission: 'anyone',
      confirms: false,
      targets: [],
      params: { seen: expectation },
      unsaid: [],
      refused: null,
      ids: [],
    });
  expect(generateSpec().split('\n')).toEqual([
    `import { expect, test } from '@admin-panel/qa';`,
    '',
    '// The account needs these permissions: news.show.',
    `test('recorded: news.show', async ({ admin, page }) => {`,
    `  await admin.signIn('/news');`,
    `  await admin.run('news.show', { targets: ['a'], confirm: true });`,
    `  await expect(page.getByRole('row').filter({ hasText: 'It\\'s' }).first()).toBeVisible();`,
    `  await expect(page.getByText('Shown now').first()).toBeVisible();`,
    '});',
    '',
  ]);
});

test('any text is quoted safely', async () => {
  const title = `'); process.exit(); ('\\\n\u2028\${x}\`"`;
  await recordDone({ id: 'news.add', params: { title } });
  const [, literal = ''] = /title: ('.*') \} \}\);/.exec(generateSpec()) ?? [];
  expect(runInNewContext(literal)).toBe(title);
});
