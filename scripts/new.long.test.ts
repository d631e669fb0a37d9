import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from './setup.mjs';

// In a copy of the sources.

function run(copy: string, program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: copy,
    encoding: 'utf8',
    env: ownEnv,
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

/** Removes this run's settings, or the copy would run long tests. */
const { TEST_TIER: _tier, NODE_ENV: _env, VITEST: _vitest, ...ownEnv } = process.env;

describe('npm run new', { timeout: 900_000 }, () => {
  let copy = '';
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'panel-new-'));
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
    for (const file of listed.toString().split('\0').filter(Boolean))
      if (existsSync(join(root, file))) cpSync(join(root, file), join(copy, file));
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir');
  }, 120_000);
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  const create = (...args: string[]) => run(copy, 'tsx/dist/cli.mjs', 'scripts/new.ts', ...args);

  test('changes nothing if the name is in use or a step fails', () => {
    const contract = readFileSync(join(copy, 'api/contract.ts'), 'utf8');
    expect(() => create('notices', '--zh', '通知', '--en', 'Notices')).toThrow('notices is taken');
    const journal = join(copy, 'server/migrations/meta/_journal.json');
    const kept = readFileSync(journal, 'utf8');
    writeFileSync(journal, 'no journal');
    expect(() => create('price-alerts', '--zh', '价格提醒', '--en', 'Price alerts')).toThrow('drizzle-kit failed');
    writeFileSync(journal, kept);
    expect(readFileSync(join(copy, 'api/contract.ts'), 'utf8')).toBe(contract);
    expect(existsSync(join(copy, 'api/price-alerts'))).toBe(false);
  });

  test('writes a resource that compiles, lints, is formatted, used and documented', () => {
    const said = create('price-alerts', '--zh', '价格提醒', '--en', 'Price alerts', '--key', 'g j');
    expect(said).toMatch(/server\/migrations\/\d+_price_alerts\.sql/);
    run(copy, 'typescript/bin/tsc', '-p', '.');
    run(copy, 'oxlint/bin/oxlint', '--type-aware', '--deny-warnings');
    run(copy, 'oxfmt/bin/oxfmt', '--check');
    run(copy, 'knip/bin/knip.js', '--no-progress');
    run(copy, 'tsx/dist/cli.mjs', 'scripts/pinyin.mjs', '--check');
    for (const document of ['commands', 'permissions']) {
      const made = readFileSync(join(copy, `docs/${document}.md`), 'utf8');
      run(copy, 'tsx/dist/cli.mjs', `scripts/${document}.ts`);
      expect(readFileSync(join(copy, `docs/${document}.md`), 'utf8')).toBe(made);
      expect(made).toContain('priceAlerts.add');
    }
  });

  test('writes a resource that starts, passes its tests and can be released', async () => {
    const npm = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', ...args], { cwd: copy, encoding: 'utf8', env: ownEnv });
      if (status !== 0) throw new Error(`npm run ${args.join(' ')}\n${stdout}${stderr}`);
    };
    npm('new', '--', 'banners', '--zh', '横幅', '--en', 'Banners', '--key', 'g k');

    const data = mkdtempSync(join(tmpdir(), 'panel-new-data-'));
    const start = spawn('npm', ['start'], {
      cwd: copy,
      detached: true,
      env: { ...ownEnv, PORT: '0', DATA_DIR: data, DEVNET: 'off', DEMO_NEWS: 'off' },
    });
    const ended = new Promise((resolve) => start.once('close', resolve));
    let said = '';
    for (const stream of [start.stdout, start.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    try {
      await expect.poll(() => said, { timeout: 240_000, interval: 500 }).toMatch(/http:\/\/localhost:\d+/);
      const [origin = ''] = /http:\/\/localhost:\d+/.exec(said) ?? [];
      const health = await fetch(`${origin}/healthz`);
      expect(await health.json()).toMatchObject({ status: 'ok' });
    } finally {
      if (start.pid !== undefined) process.kill(-start.pid, 'SIGTERM');
      await ended;
      rmSync(data, { recursive: true, force: true });
    }

    npm('test', '--', 'types', 'lint', 'format', 'unused', 'build', 'size');
    run(copy, 'vitest/vitest.mjs', 'run', '--project', 'unit', 'api/', 'src/lib/i18n', 'src/commands/app', 'src/commands/home');
    const release = mkdtempSync(join(tmpdir(), 'panel-new-release-'));
    npm('release', '--', release);
    expect(JSON.parse(readFileSync(join(release, 'manifest.json'), 'utf8'))).toMatchObject({ name: 'admin-panel' });
    expect(readdirSync(join(release, 'server/migrations'))).toContainEqual(expect.stringMatching(/_banners\.sql$/));
    rmSync(release, { recursive: true, force: true });
  });
});
