// npm run release -- FOLDER
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join, relative, resolve } from 'node:path';
import { copyPackages, foldersOf } from './release/packages.mjs';
import {
  checkNode,
  ensureBuild,
  ensurePackages,
  exitWithError,
  packagesOfServer,
  root,
  run,
  print,
  SetupError,
} from './setup.mjs';

const read = [
  'server/migrations',
  'server/statistics/migrations',
  'server/sql',
  'server/platform/auth/sign-in/common-passwords.txt',
  'dist',
  'CHANGELOG.md',
];
/** The manual and the files it installs. */
const forOperators = {
  'docs/deploy': 'deploy',
  'docs/monitoring': 'monitoring',
  'docs/operations': 'docs/operations',
  'docs/security.md': 'docs/security.md',
};
/** For demos, tests and `npm start`. */
const left = /\/((demo-wallet|test-)[^/]*|\.stamp)$/;

try {
  checkNode();
  const provided = process.argv[2];
  if (!provided) throw new SetupError('Name the output folder: npm run release -- FOLDER');
  const to = resolve(provided);
  if (existsSync(to) && readdirSync(to).length > 0) throw new SetupError(`${to} isn’t empty. Choose another folder.`);
  await ensurePackages();
  await ensureBuild();
  mkdirSync(to, { recursive: true });
  for (const path of read) cpSync(join(root, path), join(to, path), { recursive: true });
  cpSync(join(root, '.cache/server'), join(to, '.cache/server'), {
    recursive: true,
    filter: (path) => !left.test(path),
  });
  cpSync(join(root, 'scripts/release/panel.mjs'), join(to, 'panel.mjs'));
  copyPackages(root, foldersOf(root, packagesOfServer), to);
  for (const [from, name] of Object.entries(forOperators)) cpSync(join(root, from), join(to, name), { recursive: true });
  const { name, version, type, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(
    join(to, 'package.json'),
    `${JSON.stringify({ name, version, private: true, type, license, engines }, null, 2)}\n`,
  );
  const build = /<meta name="build" content="([\w-]+)"/.exec(readFileSync(join(to, 'dist/index.html'), 'utf8'))?.[1] ?? null;
  const { output: commit } = await run('git', ['rev-parse', 'HEAD']);
  const { output: changes } = await run('git', ['status', '--porcelain']);
  const manifest = {
    name,
    version,
    build,
    commit: /^[0-9a-f]{40}$/.test(commit.trim()) ? `${commit.trim()}${changes.trim() === '' ? '' : '-dirty'}` : null,
    node: process.version,
  };
  writeFileSync(join(to, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(to, 'SHA256SUMS'), checksums(to));
  print(`The release is in ${to}. Start with: node panel.mjs --help`);
} catch (error) {
  exitWithError(error);
}

/** For `sha256sum --check`. */
function checksums(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()
    .map(
      (path) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, path)))
          .digest('hex')}  ${path}\n`,
    )
    .join('');
}
