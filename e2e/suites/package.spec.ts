import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '../fixtures.ts';
import { account } from '../support/deployed.ts';

// The package as another team has it: packed, installed into an empty folder, and put to work on a running panel.

const run = promisify(execFile);

const suite = `
import { at, expect, test } from '@admin-panel/qa';

test('news from outside', async ({ admin, page }) => {
  await admin.signIn('/news');
  const { done: [news] } = await admin.run('news.add', {
    params: { title: 'From outside', description: 'd', image: 'https://example.com/a.png', link: 'https://example.com' },
  });
  await expect(page.getByRole('row').filter({ hasText: 'From outside' })).toBeVisible();
  expect((await admin.read('news', { filter: { q: 'From outside' } })).map(({ id }) => id)).toEqual([at(news, 'id')]);
  await admin.run('news.delete', { targets: [news], confirm: true });
});

test('refused', async ({ admin }) => {
  await admin.signIn('/news');
  await admin.run('news.edit', { targets: ['00000000-0000-4000-8000-000000000000'], params: { title: 'x' } });
});
`;

const refused = `
import type { Admin } from '@admin-panel/qa';
export const wrong = (admin: Admin) => admin.run('news.add', { params: { titel: 'x' } });
`;

test(
  'it installs into an empty folder and runs there; its types refuse, its failures point to the test',
  { tag: '@long' },
  async ({ server }) => {
    test.setTimeout(240_000);
    const folder = await mkdtemp(join(tmpdir(), 'panel-qa-'));
    try {
      const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: 'e2e/kit', maxBuffer: 1e7 });
      const [{ filename }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('['))) as [{ filename: string }];
      const files = {
        'package.json': JSON.stringify({ name: 'qa', private: true, type: 'module' }),
        'tsconfig.json': JSON.stringify({
          compilerOptions: { module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true, types: [] },
          include: ['*.ts'],
        }),
        'playwright.config.ts': `export default { workers: 1, reporter: [['list'], ['json', { outputFile: 'report.json' }]], use: { launchOptions: ${JSON.stringify(test.info().project.use.launchOptions ?? {})} } };`,
        'outside.spec.ts': suite,
      };
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
      await run('npm', ['install', '--legacy-peer-deps', '--no-audit', '--no-fund', '--offline', `./${filename}`], {
        cwd: folder,
      });
      // The peer, as it is installed here: what is tried is the package.
      await mkdir(join(folder, 'node_modules', '@playwright'), { recursive: true });
      for (const name of ['@playwright/test', 'playwright', 'playwright-core'])
        await symlink(join(process.cwd(), 'node_modules', name), join(folder, 'node_modules', name));

      const { E2E_POSTGRES: _, E2E_REPORT: __, TEST_WORKER_INDEX: ___, ...inherited } = process.env;
      const env = { ...inherited, PANEL_URL: server.url, PANEL_STATE: join(folder, 'state'), ...account('editor@demo.local') };
      const attempt = (file: string, ...args: string[]) =>
        run(process.execPath, [file, ...args], { cwd: folder, env, maxBuffer: 1e7 }).then(
          ({ stdout }) => ({ code: 0, output: stdout }),
          (error: { code?: number; stdout?: string; stderr?: string }) => ({
            code: error.code ?? -1,
            output: `${error.stdout ?? ''}${error.stderr ?? ''}`,
          }),
        );
      const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc');
      expect(await attempt(tsc, '-p', '.')).toEqual({ code: 0, output: '' });
      await writeFile(join(folder, 'refused.ts'), refused);
      expect(await attempt(tsc, '-p', '.', '--pretty', 'false')).toMatchObject({
        output: expect.stringMatching(/refused\.ts\(3,\d+\): error TS\d+: .*'titel' does not exist/),
      });

      const tested = await attempt(join('node_modules', '@playwright', 'test', 'cli.js'), 'test');
      expect(tested.output).toMatch(/1 failed[^]*1 passed/);
      expect(tested.output).toMatch(/PanelError: news\.edit on [\w-]+: NOT_FOUND/);
      expect(tested.output).toMatch(/at [^\n]*outside\.spec\.ts:16:/);
      expect(await readFile(join(folder, 'report.json'), 'utf8')).toContain('commands.json');

      const shell = await attempt(join('node_modules', '.bin', 'panel'), 'go.home');
      expect(JSON.parse(shell.output)).toMatchObject({ status: 'done', done: [], failed: [] });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
