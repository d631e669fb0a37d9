import { copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'playwright/test';
import { startPanels, type Panels } from '../../scripts/qa/panels.ts';
import { createRunner, createKitFolder } from '../../testing/qa-folder.ts';

// Packed, installed into an empty folder, and run against one panel per worker.

const playwrightCli = join('node_modules', '@playwright', 'test', 'cli.js');
const tscPath = join(process.cwd(), 'node_modules/typescript/bin/tsc');
const panelCli = join('node_modules', '.bin', 'panel');

test.describe('the package in an empty folder', { tag: '@long' }, () => {
  test.describe.configure({ mode: 'serial', timeout: 1_200_000 });

  let folder = '';
  let panels: Panels;
  test.beforeAll(async () => {
    test.setTimeout(300_000);
    folder = await createKitFolder();
    panels = await startPanels(4, { at: new Date(Date.now() + 365 * 86_400_000) });
  });
  test.afterAll(async () => {
    await panels?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('accepts the suite by its types, and rejects errors line by line', async () => {
    const attempt = createRunner(folder, panels.urls);
    expect(await attempt(tscPath, ['-p', '.'])).toEqual({ code: 0, output: '' });
    const refusedScript = join(folder, 'refused.ts');
    await copyFile(join(folder, 'refused.ts.txt'), refusedScript);
    const { output } = await attempt(tscPath, ['-p', '.', '--pretty', 'false']);
    await rm(refusedScript);
    const lines = [...output.matchAll(/^refused\.ts\((\d+),/gm)].map(([, line]) => Number(line));
    expect(lines).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
    expect(output).toMatch(/refused\.ts\(9,\d+\): error TS\d+: .*'titel' does not exist/);
  });

  test('runs twenty tests five times, four at a time on separate panels, and reports coverage', async () => {
    const attempt = createRunner(folder, panels.urls);
    for (let attemptNumber = 1; attemptNumber <= 5; attemptNumber++)
      expect(await attempt(playwrightCli, ['test', '--project', 'suite']), `round ${attemptNumber}`).toMatchObject({
        code: 0,
        output: expect.stringMatching(/20 passed/),
      });
    const coverageRun = await attempt(panelCli, ['coverage', 'report.json', '--html', 'coverage.html', '--least', '5']);
    expect(coverageRun.code).toBe(0);
    const coverageReport = JSON.parse(coverageRun.output) as {
      given: number;
      accounts: { email: string; refused: number }[];
      surfaces: object;
    };
    expect(coverageReport.given).toBeGreaterThan(20);
    expect(coverageReport.surfaces).toMatchObject({ script: expect.any(Number), key: expect.any(Number) });
    expect(coverageReport.accounts.find(({ email }) => email === 'analyst@demo.local')).toMatchObject({ refused: 1 });
    expect(await readFile(join(folder, 'coverage.html'), 'utf8')).toContain('<th scope="row">news.add</th>');
    expect((await attempt(panelCli, ['coverage', 'report.json', '--least', '100'])).code).toBe(1);
  });

  test('reports for each of ten failures what failed and where', async () => {
    const { output } = await createRunner(folder, panels.urls)(playwrightCli, ['test', '--project', 'wrong']);
    expect(output).toMatch(/10 failed/);
    const expectedPatterns = [
      /news\.edit on 00000000\S+: NOT_FOUND: .+/,
      /news\.edit on \S+@1: CONFLICT: .+/,
      /news\.add: INVALID: unknown parameter titel\. news\.add takes title, description, image, time, link/,
      /news\.add: INVALID: .*link/,
      /news\.add: NOT_PERMITTED: .+/,
      /news\.show on \S+: UNCONFIRMED: .+/,
      /open: SIGNED_OUT: not signed in: \/news/,
      /SignInError: sign-in failed: SIGN_IN_FAILED \(wrong email or password/,
      /news\.add: BLOCKED: the shortcut belongs to \/news, but the page is \/feedback/,
      /the page logged errors[^]*the page complains/,
    ];
    for (const expectedPattern of expectedPatterns) expect(output).toMatch(expectedPattern);
    const errorLines = [...output.matchAll(/at \S*wrong\.spec\.ts:(\d+):/g)].map(([, line]) => Number(line));
    for (const line of [11, 18, 23, 28, 33, 39, 43, 47, 52]) expect(errorLines).toContain(line);
    expect(await readFile(join(folder, 'report.json'), 'utf8')).toContain('commands.json');
  });

  test('runs the example for tokens in a page as well, with the same results', async () => {
    const attempt = createRunner(folder, panels.urls);
    expect(await attempt(playwrightCli, ['test', '--project', 'pageless'])).toMatchObject({
      code: 0,
      output: expect.stringMatching(/5 passed/),
    });
  });

  test('records baselines, finds no difference in a second run, and finds a change', async () => {
    const [url = ''] = panels.urls;
    const attempt = createRunner(folder, [url]);
    const futureTime = new Date(Date.now() + 366 * 86_400_000).toISOString();
    const listItems = (...extraArgs: string[]) =>
      attempt(playwrightCli, ['test', '--project', 'en-US.dark.1440', ...extraArgs], {
        WORKERS: '1',
        PICTURES: 'news,palette-typing',
        PICTURES_AT: futureTime,
      });
    expect(await attempt('keep.mjs', [])).toEqual({ code: 0, output: '' });
    expect((await listItems('--update-snapshots')).output).toMatch(/2 passed/);
    expect(await listItems()).toMatchObject({ code: 0, output: expect.stringMatching(/2 passed/) });
    const item = { title: 'Another', description: 'd', image: 'https://example.com/a.png', link: 'https://example.com' };
    const itemArgs = Object.entries(item).flatMap(([name, value]) => [`--${name}`, value]);
    expect((await attempt(panelCli, ['news.add', ...itemArgs])).code).toBe(0);
    await attempt('keep.mjs', []);
    const changedList = await listItems();
    expect(changedList.output).toMatch(/news\.filled\.png[^]*pixels[^]*are different/);
    expect(changedList.code).toBe(1);
  });
});
