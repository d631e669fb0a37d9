import { copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'playwright/test';
import { startPanels, type Panels } from '../../scripts/qa/panels.ts';
import { runnerIn, createKitFolder } from '../support/outside.ts';

// Packed, installed into an empty folder, and run against one panel per worker.

const playwright = join('node_modules', '@playwright', 'test', 'cli.js');
const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc');
const shell = join('node_modules', '.bin', 'panel');

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
    const attempt = runnerIn(folder, panels.urls);
    expect(await attempt(tsc, ['-p', '.'])).toEqual({ code: 0, output: '' });
    const refused = join(folder, 'refused.ts');
    await copyFile(join(folder, 'refused.ts.txt'), refused);
    const { output } = await attempt(tsc, ['-p', '.', '--pretty', 'false']);
    await rm(refused);
    const lines = [...output.matchAll(/^refused\.ts\((\d+),/gm)].map(([, line]) => Number(line));
    expect(lines).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
    expect(output).toMatch(/refused\.ts\(9,\d+\): error TS\d+: .*'titel' does not exist/);
  });

  test('runs twenty tests five times, four at a time on separate panels, and reports coverage', async () => {
    const attempt = runnerIn(folder, panels.urls);
    for (let round = 1; round <= 5; round++)
      expect(await attempt(playwright, ['test', '--project', 'suite']), `round ${round}`).toMatchObject({
        code: 0,
        output: expect.stringMatching(/20 passed/),
      });
    const covered = await attempt(shell, ['coverage', 'report.json', '--html', 'coverage.html', '--least', '5']);
    expect(covered.code).toBe(0);
    const found = JSON.parse(covered.output) as {
      given: number;
      accounts: { email: string; refused: number }[];
      surfaces: object;
    };
    expect(found.given).toBeGreaterThan(20);
    expect(found.surfaces).toMatchObject({ script: expect.any(Number), key: expect.any(Number) });
    expect(found.accounts.find(({ email }) => email === 'analyst@demo.local')).toMatchObject({ refused: 1 });
    expect(await readFile(join(folder, 'coverage.html'), 'utf8')).toContain('<th scope="row">news.add</th>');
    expect((await attempt(shell, ['coverage', 'report.json', '--least', '100'])).code).toBe(1);
  });

  test('reports for each of ten failures what failed and where', async () => {
    const { output } = await runnerIn(folder, panels.urls)(playwright, ['test', '--project', 'wrong']);
    expect(output).toMatch(/10 failed/);
    const says = [
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
    for (const words of says) expect(output).toMatch(words);
    const places = [...output.matchAll(/at \S*wrong\.spec\.ts:(\d+):/g)].map(([, line]) => Number(line));
    for (const line of [11, 18, 23, 28, 33, 39, 43, 47, 52]) expect(places).toContain(line);
    expect(await readFile(join(folder, 'report.json'), 'utf8')).toContain('commands.json');
  });

  test('records baselines, finds no difference in a second run, and finds a change', async () => {
    const [url = ''] = panels.urls;
    const attempt = runnerIn(folder, [url]);
    const at = new Date(Date.now() + 366 * 86_400_000).toISOString();
    const look = (...more: string[]) =>
      attempt(playwright, ['test', '--project', 'en-US.dark.1440', ...more], {
        WORKERS: '1',
        PICTURES: 'news,palette-typing',
        PICTURES_AT: at,
      });
    expect(await attempt('keep.mjs', [])).toEqual({ code: 0, output: '' });
    expect((await look('--update-snapshots')).output).toMatch(/2 passed/);
    expect(await look()).toMatchObject({ code: 0, output: expect.stringMatching(/2 passed/) });
    const item = { title: 'Another', description: 'd', image: 'https://example.com/a.png', link: 'https://example.com' };
    const words = Object.entries(item).flatMap(([name, value]) => [`--${name}`, value]);
    expect((await attempt(shell, ['news.add', ...words])).code).toBe(0);
    await attempt('keep.mjs', []);
    const changed = await look();
    expect(changed.output).toMatch(/news\.filled\.png[^]*pixels[^]*are different/);
    expect(changed.code).toBe(1);
  });
});
