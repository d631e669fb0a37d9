// npm run release -- FOLDER
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join, relative, resolve } from 'node:path';
import { copyPackages, foldersOf } from './release/packages.mjs';
import { checkNode, ensureBuild, ensurePackages, exitWithError, serverPackages, root, run, print, SetupError } from './setup.mjs';

const requiredFiles = [
  'server/migrations',
  'server/statistics/migrations',
  'server/sql',
  'server/platform/auth/sign-in/common-passwords.txt',
  'dist',
  'CHANGELOG.md',
];
/** The manual and the files it installs. */
const operatorFiles = {
  'docs/deploy': 'deploy',
  'docs/monitoring': 'monitoring',
  'docs/operations': 'docs/operations',
  'docs/security.md': 'docs/security.md',
};
/** For demos, tests and `npm start`. */
const excludedPattern = /\/((demo-wallet|test-)[^/]*|\.stamp)$/;

try {
  checkNode();
  const targetArgument = process.argv[2];
  if (!targetArgument) throw new SetupError('Name the output folder: npm run release -- FOLDER');
  const targetFolder = resolve(targetArgument);
  if (existsSync(targetFolder) && readdirSync(targetFolder).length > 0)
    throw new SetupError(`${targetFolder} isn’t empty. Choose another folder.`);
  await ensurePackages();
  await ensureBuild();
  mkdirSync(targetFolder, { recursive: true });
  for (const path of requiredFiles) cpSync(join(root, path), join(targetFolder, path), { recursive: true });
  cpSync(join(root, '.cache/server'), join(targetFolder, '.cache/server'), {
    recursive: true,
    filter: (path) => !excludedPattern.test(path),
  });
  cpSync(join(root, 'scripts/release/panel.mjs'), join(targetFolder, 'panel.mjs'));
  copyPackages(root, foldersOf(root, serverPackages), targetFolder);
  for (const [sourcePath, name] of Object.entries(operatorFiles))
    cpSync(join(root, sourcePath), join(targetFolder, name), { recursive: true });
  const { name, version, type, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(
    join(targetFolder, 'package.json'),
    `${JSON.stringify({ name, version, private: true, type, license, engines }, null, 2)}\n`,
  );
  const buildId =
    /<meta name="build" content="([\w-]+)"/.exec(readFileSync(join(targetFolder, 'dist/index.html'), 'utf8'))?.[1] ?? null;
  const { output: commit } = await run('git', ['rev-parse', 'HEAD']);
  const { output: workingTreeChanges } = await run('git', ['status', '--porcelain']);
  const manifest = {
    name,
    version,
    build: buildId,
    commit: /^[0-9a-f]{40}$/.test(commit.trim()) ? `${commit.trim()}${workingTreeChanges.trim() === '' ? '' : '-dirty'}` : null,
    node: process.version,
  };
  writeFileSync(join(targetFolder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(targetFolder, 'SHA256SUMS'), writeChecksums(targetFolder));
  print(`The release is in ${targetFolder}. Start with: node panel.mjs --help`);
} catch (error) {
  exitWithError(error);
}

/** For `sha256sum --check`. */
function writeChecksums(folder) {
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
