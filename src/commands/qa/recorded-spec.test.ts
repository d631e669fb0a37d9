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

const came = (invocation: Invocation, outcome: DispatchOutcome) =>
  recordRun({ invocation, source: 'button', frozen: [], outcome: Promise.resolve(outcome) });
const done = (ran: Invocation, result: unknown = null) => came(ran, { status: 'done', result, ran });
const script = () => specText($recording.get() ?? { path: '/', steps: [] });

test('records created during a recording are read from their steps, and earlier ones keep their ids', async () => {
  await done({ id: 'news.add', params: { title: "It's" } }, { id: 'made', title: "It's" });
  await done({ id: 'news.show', targets: ['made', 'before'] }, { done: [{ id: 'made' }, { id: 'before' }], failed: [] });
  await done({ id: 'news.edit', targets: ['before'], params: { title: 'x' } }, { row: { id: 'before' } });
  expect(script().split('\n')).toEqual([
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
  await done({ id: 'news.hide', targets: ['a'] });
  await done({ id: 'news.show', targets: ['a'] });
  await done({ id: 'history.undo' });
  await done({ id: 'list.next' });
  await done({ id: 'palette.open' });
  const error = new CommandError('CONFLICT', 'changed meanwhile');
  await came({ id: 'news.delete', targets: ['a'] }, { status: 'failed', error });
  await came({ id: 'news.delete', targets: ['a'] }, { status: 'canceled' });
  expect(script().match(/^ {2}await .*/gm)).toEqual([
    `  await admin.signIn('/news');`,
    `  await admin.run('news.hide', { targets: ['a'], confirm: true });`,
    `  await admin.run('news.show', { targets: ['a'], confirm: true });`,
    `  await expect(admin.run('news.delete', { targets: ['a'], confirm: true })).rejects.toMatchObject({ code: 'CONFLICT' });`,
  ]);
});

test('a recording keeps no secret, not even of a refused command, and no result', async () => {
  const params = { email: 'a@b.c', password: 'hunter2 hunter2', roles: [], description: '' };
  await done({ id: 'administrators.add', params }, { id: 'x', link: 'https://one-time.example' });
  const error = new CommandError('FORBIDDEN', 'no');
  await came({ id: 'administrators.add', params }, { status: 'failed', error });
  expect(JSON.stringify($recording.get()?.steps)).not.toMatch(/hunter2|one-time/);
  expect(script()).toContain(`password: given('ADMINISTRATORS_ADD_PASSWORD')`);
  expect(script()).toContain(`import { expect, given, test } from '@admin-panel/qa';`);
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
  const ran: Invocation = { id: 'news.edit', targets: ['a'], params: { ...params, title: 'New' } };
  await recordRun({
    invocation: ran,
    source: 'key',
    frozen: [target],
    outcome: Promise.resolve({ status: 'done', result: { row }, ran }),
  });
  expect(script()).toContain(`await admin.run('news.edit', { targets: ['a'], params: { title: 'New' } });`);
});

test('a picked text becomes an expectation', async () => {
  await done({ id: 'news.show', targets: ['a'] });
  for (const seen of ["row:It's", 'text:Shown now'])
    recordStep({
      id: 'qa.expect',
      permission: 'anyone',
      confirms: false,
      targets: [],
      params: { seen },
      unsaid: [],
      refused: null,
      ids: [],
    });
  expect(script().split('\n')).toEqual([
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
  await done({ id: 'news.add', params: { title } });
  const [, literal = ''] = /title: ('.*') \} \}\);/.exec(script()) ?? [];
  expect(runInNewContext(literal)).toBe(title);
});
