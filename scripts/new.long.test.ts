import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from './setup.mjs';

// In a copy of the sources.

function run(copyFolder: string, program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: copyFolder,
    encoding: 'utf8',
    env: ownEnv,
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

/** Removes this run's settings, or the copy would run long tests. */
const { TEST_TIER: _tier, NODE_ENV: _env, VITEST: _vitest, ...ownEnv } = process.env;

describe('npm run new', { timeout: 900_000 }, () => {
  let copyFolder = '';
  beforeAll(() => {
    copyFolder = mkdtempSync(join(tmpdir(), 'panel-new-'));
    const listedFiles = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
    for (const file of listedFiles.toString().split('\0').filter(Boolean))
      if (existsSync(join(root, file))) cpSync(join(root, file), join(copyFolder, file));
    symlinkSync(join(root, 'node_modules'), join(copyFolder, 'node_modules'), 'dir');
  }, 120_000);
  afterAll(() => rmSync(copyFolder, { recursive: true, force: true }));

  const runNew = (...args: string[]) => run(copyFolder, 'tsx/dist/cli.mjs', 'scripts/new.ts', ...args);

  test('changes nothing if the name is in use or a step fails', () => {
    const contract = readFileSync(join(copyFolder, 'api/contract.ts'), 'utf8');
    expect(() => runNew('notices', '--zh', '通知', '--en', 'Notices')).toThrow('notices is taken');
    const journal = join(copyFolder, 'server/migrations/meta/_journal.json');
    const originalJournal = readFileSync(journal, 'utf8');
    writeFileSync(journal, 'no journal');
    expect(() => runNew('price-alerts', '--zh', '价格提醒', '--en', 'Price alerts')).toThrow('drizzle-kit failed');
    writeFileSync(journal, originalJournal);
    expect(readFileSync(join(copyFolder, 'api/contract.ts'), 'utf8')).toBe(contract);
    expect(existsSync(join(copyFolder, 'api/price-alerts'))).toBe(false);
  });

  test('writes a resource that compiles, lints, is formatted, used and documented', () => {
    const newOutput = runNew('price-alerts', '--zh', '价格提醒', '--en', 'Price alerts', '--key', 'g j');
    expect(newOutput).toMatch(/server\/migrations\/\d+_price_alerts\.sql/);
    run(copyFolder, 'typescript/bin/tsc', '-p', '.');
    run(copyFolder, 'oxlint/bin/oxlint', '--type-aware', '--deny-warnings');
    run(copyFolder, 'oxfmt/bin/oxfmt', '--check');
    run(copyFolder, 'knip/bin/knip.js', '--no-progress');
    run(copyFolder, 'tsx/dist/cli.mjs', 'scripts/pinyin.mjs', '--check');
    for (const document of ['commands', 'permissions']) {
      const generatedDocument = readFileSync(join(copyFolder, `docs/${document}.md`), 'utf8');
      run(copyFolder, 'tsx/dist/cli.mjs', `scripts/${document}.ts`);
      expect(readFileSync(join(copyFolder, `docs/${document}.md`), 'utf8')).toBe(generatedDocument);
      expect(generatedDocument).toContain('priceAlerts.add');
    }
  });

  test('writes a resource that starts, passes its tests and can be released', async () => {
    const runNpm = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', ...args], {
        cwd: copyFolder,
        encoding: 'utf8',
        env: ownEnv,
      });
      if (status !== 0) throw new Error(`npm run ${args.join(' ')}\n${stdout}${stderr}`);
    };
    runNpm('new', '--', 'banners', '--zh', '横幅', '--en', 'Banners');

    const data = mkdtempSync(join(tmpdir(), 'panel-new-data-'));
    const startProcess = spawn('npm', ['start'], {
      cwd: copyFolder,
      detached: true,
      env: { ...ownEnv, PORT: '0', DATA_DIR: data, DEVNET: 'off', DEMO_NEWS: 'off' },
    });
    const startExit = new Promise((resolve) => startProcess.once('close', resolve));
    let startOutput = '';
    for (const stream of [startProcess.stdout, startProcess.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (startOutput += text));
    try {
      await expect.poll(() => startOutput, { timeout: 240_000, interval: 500 }).toMatch(/http:\/\/localhost:\d+/);
      const [origin = ''] = /http:\/\/localhost:\d+/.exec(startOutput) ?? [];
      const health = await fetch(`${origin}/healthz`);
      expect(await health.json()).toMatchObject({ status: 'ok' });
    } finally {
      if (startProcess.pid !== undefined) process.kill(-startProcess.pid, 'SIGTERM');
      await startExit;
      rmSync(data, { recursive: true, force: true });
    }

    runNpm('test', '--', 'types', 'lint', 'format', 'unused', 'build', 'size');
    run(
      copyFolder,
      'vitest/vitest.mjs',
      'run',
      '--project',
      'unit',
      'api/',
      'src/lib/i18n',
      'src/commands/app',
      'src/commands/home',
    );
    const releaseFolder = mkdtempSync(join(tmpdir(), 'panel-new-release-'));
    runNpm('release', '--', releaseFolder);
    expect(JSON.parse(readFileSync(join(releaseFolder, 'manifest.json'), 'utf8'))).toMatchObject({ name: 'admin-panel' });
    expect(readdirSync(join(releaseFolder, 'server/migrations'))).toContainEqual(expect.stringMatching(/_banners\.sql$/));
    rmSync(releaseFolder, { recursive: true, force: true });
  });
});
