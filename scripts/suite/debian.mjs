import { spawnSync } from 'node:child_process';
import { run, print, SetupError } from '../setup.mjs';

/** apt-get does not wait for the lock of its lists. */
const lock = '/run/panel-tests-apt.lock';
const script = 'apt-get update -qq; exec apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"';

/** Needs apt-get and root. */
export async function installPackages(what, packages) {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) return false;
  print(`Installing ${what} …`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const { code } = await run('flock', ['-o', lock, 'sh', '-c', script, 'sh', ...packages], { env }); // -o: a server it starts must not inherit the lock
  return code === 0;
}

export async function ensureInstalled(isThere, what, packages) {
  await run('flock', [lock, 'true']); // for another worker's installation
  return isThere() || installPackages(what, packages);
}

export async function requireProgram(program, ofPackage = program) {
  const isThere = () => !spawnSync(program, ['--version'], { stdio: 'ignore' }).error;
  if (!(await ensureInstalled(isThere, program, [ofPackage])))
    throw new SetupError(`The tests need ${program}. Install it and run the tests again.`);
}
