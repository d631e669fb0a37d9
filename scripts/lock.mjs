// npm run lock: adds packages for other platforms that the registry lacks. Without them `npm ci` refuses the lockfile. npm skips
// them elsewhere.
import { readFileSync, writeFileSync } from 'node:fs';

const systems = ['android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32', 'aix'];
const processors = ['arm64', 'arm', 'x64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32'];

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const added = [];
for (const name of Object.keys(lock.packages[''].optionalDependencies ?? {})) delete lock.packages[''].dependencies[name];
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (found(path, name)) continue;
    const words = name.split(/[/-]/);
    const os = words.find((word) => systems.includes(word));
    const cpu = words.find((word) => processors.includes(word));
    if (!cpu) throw new Error(`${name} of ${path} is missing from the lockfile, and its name contains no platform`);
    const libc = words.includes('musl') ? { libc: ['musl'] } : words.includes('gnu') ? { libc: ['glibc'] } : {};
    const dev = entry.dev ? { dev: true } : {};
    lock.packages[`node_modules/${name}`] = { version, cpu: [cpu], ...dev, ...libc, optional: true, ...(os ? { os: [os] } : {}) };
    added.push(name);
  }
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
lock.packages = Object.fromEntries(sorted);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length ? `Added to the lockfile: ${added.join(', ')}` : 'The lockfile is complete.');

function found(path, name) {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (lock.packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true;
    if (!at) return false;
  }
}
