// From npm install, npm start and npm test. Sets core.hooksPath, and leaves hooks that someone else configured.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Never throws: a clone without Git or with a read-only configuration works without hooks. */
export function installHooks(folder = fileURLToPath(new URL('../..', import.meta.url))) {
  if (process.env.CI || process.env.SKIP_HOOKS || !existsSync(resolve(folder, '.git'))) return;
  const git = (...args) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  if (git('config', '--get', 'core.hooksPath').status !== 1) return; // 1: not set
  const hooks = git('rev-parse', '--git-path', 'hooks');
  if (hooks.status !== 0 || hasHooks(resolve(folder, hooks.stdout.trim()))) return;
  git('config', '--local', 'core.hooksPath', '.githooks');
}

function hasHooks(folder) {
  try {
    return readdirSync(folder).some((name) => !name.endsWith('.sample'));
  } catch {
    return false;
  }
}
