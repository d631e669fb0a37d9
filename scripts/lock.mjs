// npm run lock: adds packages for other platforms that the registry lacks. Without them `npm ci` refuses the lockfile. npm skips
// them elsewhere.
import { readFileSync, writeFileSync } from 'node:fs';

const operatingSystems = ['android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32', 'aix'];
const processors = ['arm64', 'arm', 'x64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32'];

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const addedPackages = [];
for (const name of Object.keys(lock.packages[''].optionalDependencies ?? {})) delete lock.packages[''].dependencies[name];
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (findPackage(path, name)) continue;
    const nameParts = name.split(/[/-]/);
    const os = nameParts.find((namePart) => operatingSystems.includes(namePart));
    const cpu = nameParts.find((namePart) => processors.includes(namePart));
    if (!cpu) throw new Error(`${name} of ${path} is missing from the lockfile, and its name contains no platform`);
    const libc = nameParts.includes('musl') ? { libc: ['musl'] } : nameParts.includes('gnu') ? { libc: ['glibc'] } : {};
    const dev = entry.dev ? { dev: true } : {};
    lock.packages[`node_modules/${name}`] = { version, cpu: [cpu], ...dev, ...libc, optional: true, ...(os ? { os: [os] } : {}) };
    addedPackages.push(name);
  }
}
const sortedPackages = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
lock.packages = Object.fromEntries(sortedPackages);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(addedPackages.length ? `Added to the lockfile: ${addedPackages.join(', ')}` : 'The lockfile is complete.');

function findPackage(path, name) {
  for (let parentPath = path; ; parentPath = parentPath.slice(0, Math.max(0, parentPath.lastIndexOf('/node_modules/')))) {
    if (lock.packages[`${parentPath ? `${parentPath}/` : ''}node_modules/${name}`]) return true;
    if (!parentPath) return false;
  }
}
