import { cpSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** With dependencies. Optional ones only if installed. */
export function foldersOf(root, names) {
  const found = new Set();
  const add = (name, from, isOptional) => {
    const folder = locate(root, name, from);
    if (folder === null) {
      if (isOptional) return;
      throw new Error(`${name} isn’t installed. Run npm ci`);
    }
    if (found.has(folder)) return;
    found.add(folder);
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    for (const one of Object.keys({ ...dependencies, ...optionalDependencies })) add(one, folder, one in optionalDependencies);
  };
  for (const name of names) add(name, resolve(root), false);
  return [...found];
}

// Node's resolution.
function locate(root, name, from) {
  for (let at = from; at.length >= resolve(root).length; at = dirname(at)) {
    const folder = join(at, 'node_modules', name);
    if (existsSync(join(folder, 'package.json'))) return folder;
  }
  return null;
}

/** Without nested packages that were not named. */
export function copyPackages(root, folders, to) {
  for (const folder of folders)
    cpSync(folder, join(to, relative(root, folder)), {
      recursive: true,
      dereference: true,
      filter: (path) => !relative(folder, path).split('/').includes('node_modules'),
    });
}
