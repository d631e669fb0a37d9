// Gzipped JavaScript in kB of 1,000 bytes, shared chunks once, the larger language.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const wordFilesOf = (...files) => ['zh-CN', 'en-US'].map((locale) => files.map((file) => `src/lib/i18n/${locale}/${file}.ts`));
// `parts`: manifest keys. `words`: files per language.
const pageBudgets = [
  { name: 'sign-in page', budget: 95, parts: ['src/views/access/login/screen.tsx'], words: wordFilesOf('access/sign-in') },
  {
    name: 'list page',
    budget: 160,
    parts: ['src/views/layout/shell.tsx', 'src/views/news/screen.tsx'],
    words: wordFilesOf('index', 'news'),
  },
];

const dist = process.argv[2] ?? 'dist';
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
const scripts = [...readFileSync(join(dist, 'index.html'), 'utf8').matchAll(/<script src="\/([^"]+)"/g)].map(
  (match) => match[1] ?? '',
);

for (const { name, budget, parts, words } of pageBudgets) {
  const files = words
    .map((language) => [
      ...new Set([...scripts, ...['index.html', ...parts, ...language].flatMap((key) => [...collectImports(key)])]),
    ])
    .reduce((a, b) => (sum(b) > sum(a) ? b : a));
  const isOver = sum(files) > budget;
  console.log(
    `${name}: ${sum(files).toFixed(1)} kB of JavaScript, gzipped (limit: ${budget} kB)${isOver ? '  ✗ TOO LARGE' : ''}`,
  );
  if (isOver) process.exitCode = 1;
  if (isOver || process.argv.includes('--files')) {
    for (const file of files.sort((a, b) => compressedSize(b) - compressedSize(a)))
      console.log(`  ${compressedSize(file).toFixed(1).padStart(6)} kB  ${file}`);
  }
}
for (const key of Object.keys(manifest)) assertNoCycle(key, []);
console.log(`stylesheet: ${sum(manifest['index.html'].css ?? []).toFixed(1)} kB`);

/** The order of circular chunks is undefined. */
function assertNoCycle(key, ancestorKeys) {
  if (ancestorKeys.includes(key)) {
    console.log(`chunks import each other: ${[...ancestorKeys.slice(ancestorKeys.indexOf(key)), key].join(' → ')}  ✗`);
    process.exit(1);
  }
  for (const imported of manifest[key]?.imports ?? []) assertNoCycle(imported, [...ancestorKeys, key]);
}

function collectImports(key, files = new Set()) {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`the build has no ${key}. Update its name in scripts/size.mjs`);
  if (files.has(chunk.file)) return files;
  files.add(chunk.file);
  for (const imported of chunk.imports ?? []) collectImports(imported, files);
  return files;
}

function sum(files) {
  return files.reduce((total, file) => total + compressedSize(file), 0);
}

function compressedSize(file) {
  return gzipSync(readFileSync(join(dist, file)), { level: 9 }).length / 1000;
}
