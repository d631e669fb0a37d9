import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from './setup.mjs';

// Into a copy of the sources: what `npm run new` writes compiles, keeps the laws, and leaves nothing to be made anew.

function run(copy: string, program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: copy,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

describe('a new resource', { timeout: 900_000 }, () => {
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

  test('changes nothing where its name is taken, or where a step fails', () => {
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

  test('compiles, keeps the laws and the format, is used, and its documents and name tables are made', () => {
    const said = create('price-alerts', '--zh', '价格提醒', '--en', 'Price alerts', '--key', 'g x');
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
});
