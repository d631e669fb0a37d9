import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoPassword } from '../../server/seed/roles.ts';

interface RunResult {
  code: number;
  output: string;
}

export async function runDeployed(env: Record<string, string>, ...args: string[]): Promise<RunResult> {
  const stateFolder = await mkdtemp(join(tmpdir(), 'panel-state-'));
  // Removes this run's settings.
  const { E2E_POSTGRES: _, E2E_REPORT: __, TEST_WORKER_INDEX: ___, ...inherited } = process.env;
  const runResult = await new Promise<RunResult>((resolve) => {
    execFile(
      process.execPath,
      ['node_modules/playwright/cli.js', 'test', '--config', 'e2e/deployed.config.ts', '--reporter', 'list', ...args],
      { env: { ...inherited, PANEL_STATE: stateFolder, ...env }, timeout: 100_000 },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
  });
  await rm(stateFolder, { recursive: true, force: true });
  return runResult;
}

export async function runSpecText(
  text: string,
  url: string,
  email: string,
  env: Record<string, string> = {},
): Promise<RunResult> {
  await mkdir('.cache', { recursive: true });
  const folder = await mkdtemp(join('.cache', 'specs-')); // inside the repository, where #kit resolves
  await writeFile(join(folder, 'given.spec.ts'), text);
  const runResult = await runDeployed({ PANEL_SPECS: join(process.cwd(), folder), PANEL_URL: url, ...accountEnv(email), ...env });
  await rm(folder, { recursive: true, force: true });
  return runResult;
}

export const accountEnv = (email: string) => ({ PANEL_EMAIL: email, PANEL_PASSWORD: demoPassword });
