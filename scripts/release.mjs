// npm run release -- FOLDER: the panel as it is put on a machine or into an image, ready to run with plain Node.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { copyPackages, foldersOf } from './release/packages.mjs';
import { checkNode, ensureBuild, ensurePackages, fail, packagesOfServer, root, say, SetupError } from './setup.mjs';

/** What the bundles read from beside their sources. */
const read = ['server/migrations', 'server/sql', 'server/platform/auth/sign-in/common-passwords.txt', 'dist'];
/** What is for the demo or for tests, or says to `npm start` that nothing is to be built. */
const left = /\/((demo-wallet|test-)[^/]*|\.stamp)$/;

try {
  checkNode();
  const given = process.argv[2];
  if (!given) throw new SetupError('Name the output folder: npm run release -- FOLDER');
  const to = resolve(given);
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
  const { name, version, type, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(
    join(to, 'package.json'),
    `${JSON.stringify({ name, version, private: true, type, license, engines }, null, 2)}\n`,
  );
  say(`The release is in ${to}. Start with: node panel.mjs --help`);
} catch (error) {
  fail(error);
}
