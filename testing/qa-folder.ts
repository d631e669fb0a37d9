import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { demoPassword } from '../server/seed/roles.ts';

const run = promisify(execFile);

/** Another team's folder: the packed kit, its example and e2e/outside. */
export async function createKitFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'panel-qa-'));
  const packResult = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: 'qa/kit', maxBuffer: 1e7 });
  const [{ filename }] = JSON.parse(packResult.stdout.slice(packResult.stdout.indexOf('['))) as [{ filename: string }];
  for (const name of await readdir('e2e/outside')) await copyFile(join('e2e/outside', name), join(folder, name));
  const installArgs = ['install', '--legacy-peer-deps', '--no-audit', '--no-fund', '--offline', `./${filename}`];
  await run('npm', installArgs, { cwd: folder });
  // Only the kit is under test.
  for (const scope of ['@playwright', '@types']) await mkdir(join(folder, 'node_modules', scope), { recursive: true });
  await cp(join(folder, 'node_modules/@admin-panel/qa/example'), join(folder, 'example'), { recursive: true });
  for (const name of ['@playwright/test', 'playwright', 'playwright-core', '@types/node', 'undici-types'])
    await symlink(join(process.cwd(), 'node_modules', name), join(folder, 'node_modules', name));
  return folder;
}

export function createRunner(folder: string, urls: readonly string[]) {
  // Removes this run's settings.
  const { E2E_POSTGRES: _, E2E_REPORT: __, TEST_WORKER_INDEX: ___, TEST_PARALLEL_INDEX: ____, ...inherited } = process.env;
  const defaultEnv = { PANEL_URL: urls.join(','), PANEL_EMAIL: 'qa@demo.local', PANEL_PASSWORD: demoPassword, FORCE_COLOR: '0' };
  return (file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    run(process.execPath, [file, ...args], {
      cwd: folder,
      env: { ...inherited, PANEL_STATE: join(folder, 'state'), ...defaultEnv, ...env },
      maxBuffer: 1e8,
    }).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      (error: { code?: number; stdout?: string; stderr?: string }) => ({
        code: error.code ?? -1,
        output: `${error.stdout ?? ''}${error.stderr ?? ''}`,
      }),
    );
}
