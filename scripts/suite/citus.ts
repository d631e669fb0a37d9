import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Whether the PostgreSQL of the distribution has Citus. Building it takes minutes, so tests do not install it. */
export function hasCitus(): boolean {
  try {
    const folder = execFileSync('pg_config', ['--pkglibdir'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    return existsSync(join(folder, 'citus.so'));
  } catch {
    return false;
  }
}
