// Uses no packages, because they may not be installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { installHooks } from './hooks/install.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Shown without a stack. */
export class SetupError extends Error {
  name = 'SetupError';
}

export const print = (text) => console.log(text);

export function exitWithError(error) {
  const isExpectedError = ['SetupError', 'StartError', 'ConfigError'].includes(error?.name);
  console.error(isExpectedError ? error.message : error);
  process.exit(1);
}

export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new SetupError(`Node ${process.versions.node} is too old. Install Node 20.19 or newer.`);
  }
}

/** Prints the output only on failure, unless `showsOutput`. */
export function run(command, args, { show = false, env = {} } = {}) {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
  });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Faster than npx. */
export function runBin(name, args, options) {
  return run(process.execPath, [binPath(name), ...args], options);
}

function binPath(name) {
  const folder = join(root, 'node_modules', name.split(':')[0]);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[name.split(':')[1] ?? name]);
}

export async function ensurePackages() {
  installHooks(root);
  if (!packagesAreCurrent()) await withBuildLock(install);
}

async function install() {
  if (packagesAreCurrent()) return;
  print('Installing packages …');
  const env = isWritable(homedir()) ? {} : { npm_config_cache: join(root, '.cache', 'npm') };
  // Development packages build the panel.
  const cleanInstall = await runNpm(['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'], env);
  if (cleanInstall.code === 0) return;
  if (!cleanInstall.output.includes('EUSAGE')) throw new SetupError(`npm ci failed:\n${cleanInstall.output}`);
  throw new SetupError(`package-lock.json doesn’t match package.json. Run npm install and npm run lock.\n${cleanInstall.output}`);
}

function runNpm(args, env) {
  const script = process.env.npm_execpath;
  return script?.endsWith('.js') || script?.endsWith('.cjs')
    ? run(process.execPath, [script, ...args], { env })
    : run('npm', args, { env });
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** npm writes this file last. */
function packagesAreCurrent() {
  const installedFile = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const lockedPackages = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installedPackages = JSON.parse(readFileSync(installedFile, 'utf8')).packages;
  const isSameVersion = ([path, entry]) =>
    installedPackages[path] ? installedPackages[path].version === entry.version : entry.optional === true;
  return Object.entries(lockedPackages).every((entry) => entry[0] === '' || isSameVersion(entry));
}

/** Native code, and packages that read their own files. */
export const serverPackages = ['sharp', '@node-rs/argon2', 'pg', 'pino', 'nodemailer', 'undici', 'prom-client'];

const runBundler = (args, showsOutput) =>
  runBin('vite', ['build', '-c', 'vite.server.config.ts', '--logLevel', showsOutput ? 'info' : 'error', ...args], {
    show: showsOutput,
  });

/** Rebuilt when a source changes. */
const builds = {
  panel: {
    sources: [
      'api',
      'chain',
      'public',
      'src',
      'index.html',
      'package.json',
      'package-lock.json',
      'tailwind.config.ts',
      'tsconfig.json',
      'vite.config.ts',
      'scripts/compress.ts',
    ],
    stamp: join(root, 'dist', '.stamp'),
    steps: (showsOutput) => [
      {
        name: 'vite build',
        // Production React, even when a test builds.
        step: () =>
          runBin('vite', ['build', '--logLevel', showsOutput ? 'info' : 'warn'], {
            show: showsOutput,
            env: { NODE_ENV: 'production' },
          }),
      },
      { name: 'compressing', step: () => runBin('tsx', ['scripts/compress.ts', 'dist'], { show: showsOutput }) },
    ],
  },
  server: {
    sources: [
      'api',
      'chain',
      'server',
      'src',
      'scripts',
      'qa/kit/sign-in.ts',
      'package-lock.json',
      'tsconfig.json',
      'vite.server.config.ts',
    ],
    stamp: join(root, '.cache', 'server', '.stamp'),
    steps: (showsOutput) => [
      { name: 'bundling', step: () => runBundler([], showsOutput) },
      { name: 'bundling the verifier', step: () => runBundler(['--mode', 'authority-verify'], showsOutput) },
      { name: 'bundling the demo wallet', step: () => runBundler(['--mode', 'demo-wallet'], showsOutput) },
    ],
  },
};

export const bundleOf = (name) => join(root, '.cache', 'server', `${name}.js`);

export const serverBundle = bundleOf('main');
export const signerBundle = bundleOf('signer');
export const commandBundle = bundleOf('command');

const isBuilt = ({ stamp, sources }) => existsSync(stamp) && readFileSync(stamp, 'utf8') === hashSources(sources);

/** Builds only what has changed. */
export async function ensureBuild(names = Object.keys(builds)) {
  const outdatedBuilds = () => names.filter((name) => !isBuilt(builds[name]));
  if (outdatedBuilds().length === 0) return;
  await withBuildLock(async () => {
    for (const name of outdatedBuilds()) {
      print(`Building the ${name} …`);
      await build(name);
    }
  });
}

/** Serializes starts. The lock ends with the process. */
async function withBuildLock(callback) {
  const name = `\0admin-panel-setup-${createHash('sha256').update(root).digest('hex').slice(0, 24)}`;
  let lock = process.platform === 'linux' ? await listen(name) : createServer();
  if (!lock) print('Waiting for another npm start in this folder …');
  while (!lock) {
    await sleep(300);
    lock = await listen(name);
  }
  try {
    await callback();
  } finally {
    lock.close();
  }
}

function listen(name) {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(null));
    server.listen(name, () => resolve(server));
  });
}

export async function build(name, { show = false } = {}) {
  const { sources, stamp, steps } = builds[name];
  const hash = hashSources(sources);
  for (const { name: stepName, step } of steps(show)) {
    const { code, output } = await step();
    if (code !== 0) throw new SetupError(`Building the ${name} failed in step “${stepName}”.\n${String(output)}`);
  }
  writeFileSync(stamp, hash);
}

function hashSources(sources) {
  const hash = createHash('sha256');
  const addToHash = (path) => {
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0');
  };
  for (const source of sources) {
    if (!existsSync(join(root, source))) continue;
    if (source.includes('.')) addToHash(source);
    else
      for (const entry of readdirSync(join(root, source), { recursive: true, withFileTypes: true })
        .filter((directoryEntry) => directoryEntry.isFile() && !directoryEntry.name.includes('.test.'))
        .map((directoryEntry) => join(directoryEntry.parentPath, directoryEntry.name).slice(root.length))
        .sort())
        addToHash(entry);
  }
  return hash.digest('hex');
}
