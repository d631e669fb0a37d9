import { spawnSync } from 'node:child_process';
import { run, print, SetupError } from '../setup.mjs';

/** apt-get does not wait for the lock of its lists. */
const lock = '/run/panel-tests-apt.lock';
const script = 'apt-get update -qq; exec apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"';

/** Needs apt-get and root. */
export async function installPackages(purpose, packages) {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) return false;
  print(`Installing ${purpose} …`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const { code } = await run('flock', ['-o', lock, 'sh', '-c', script, 'sh', ...packages], { env }); // -o: a server it starts must not inherit the lock
  return code === 0;
}

export async function ensureInstalled(isInstalled, purpose, packages) {
  await run('flock', [lock, 'true']); // for another worker's installation
  return isInstalled() || installPackages(purpose, packages);
}

export async function requireProgram(program, packageName = program) {
  const isInstalled = () => !spawnSync(program, ['--version'], { stdio: 'ignore' }).error;
  if (!(await ensureInstalled(isInstalled, program, [packageName])))
    throw new SetupError(`The tests need ${program}. Install it and run the tests again.`);
}
