import { cpSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** With dependencies. Optional ones only if installed. */
export function foldersOf(root, names) {
  const packageFolders = new Set();
  const addPackage = (name, parentFolder, isOptional) => {
    const folder = locate(root, name, parentFolder);
    if (folder === null) {
      if (isOptional) return;
      throw new Error(`${name} isn’t installed. Run npm ci`);
    }
    if (packageFolders.has(folder)) return;
    packageFolders.add(folder);
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies }))
      addPackage(dependency, folder, dependency in optionalDependencies);
  };
  for (const name of names) addPackage(name, resolve(root), false);
  return [...packageFolders];
}

// Node's resolution.
function locate(root, name, parentFolder) {
  for (let directory = parentFolder; directory.length >= resolve(root).length; directory = dirname(directory)) {
    const folder = join(directory, 'node_modules', name);
    if (existsSync(join(folder, 'package.json'))) return folder;
  }
  return null;
}

/** Without nested packages that were not named. */
export function copyPackages(root, folders, targetFolder) {
  for (const folder of folders)
    cpSync(folder, join(targetFolder, relative(root, folder)), {
      recursive: true,
      dereference: true,
      filter: (path) => !relative(folder, path).split('/').includes('node_modules'),
    });
}
