// Programs that the tests need and npm does not have: the distribution's packages, where we may install them.
import { spawnSync } from 'node:child_process';
import { run, say, SetupError } from '../setup.mjs';

/** Whether they are installed now: where there is apt-get, and as root. */
export async function install(what, packages) {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) return false;
  say(`Installing ${what} …`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-qq'], { env });
  const { code } = await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
  return code === 0;
}

/** A program, from the package of its name or of another, installed where it is missing. Throws SetupError where it cannot be had. */
export async function need(program, ofPackage = program) {
  if (spawnSync(program, ['-v'], { stdio: 'ignore' }).error && !(await install(program, [ofPackage])))
    throw new SetupError(`No ${program} for the tests: install it.`);
}
