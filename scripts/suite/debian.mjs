// Programs that the tests need and npm does not have: the distribution's packages, where we may install them.
import { spawnSync } from 'node:child_process';
import { run, say, SetupError } from '../setup.mjs';

/** Two workers take turns: apt-get can wait for dpkg's lock, but gives up at once where another has that of its lists. */
const lock = '/run/panel-tests-apt.lock';
const script = 'apt-get update -qq; exec apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"';

/** Whether they are installed now: where there is apt-get, and as root. */
export async function install(what, packages) {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) return false;
  say(`Installing ${what} …`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const { code } = await run('flock', ['-o', lock, 'sh', '-c', script, 'sh', ...packages], { env }); // -o: no server that it starts keeps the lock
  return code === 0;
}

/** Whether something is there, or is now: what is missing is installed. */
export async function ensure(isThere, what, packages) {
  await run('flock', [lock, 'true']); // what another worker installs is there before it can be used
  return isThere() || install(what, packages);
}

/** A program, from the package of its name or of another, installed where it is missing. Throws SetupError where it cannot be had. */
export async function need(program, ofPackage = program) {
  const isThere = () => !spawnSync(program, ['--version'], { stdio: 'ignore' }).error;
  if (!(await ensure(isThere, program, [ofPackage])))
    throw new SetupError(`The tests need ${program}. Install it and run the tests again.`);
}
