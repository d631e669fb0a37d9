// Gzipped JavaScript in kB of 1,000 bytes, shared chunks once, the larger language.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const wordsIn = (...files) => ['zh-CN', 'en-US'].map((locale) => files.map((file) => `src/lib/i18n/${locale}/${file}.ts`));
// `parts`: manifest keys. `words`: files per language.
const pages = [
  { name: 'sign-in page', budget: 95, parts: ['src/views/access/login/screen.tsx'], words: wordsIn('access/sign-in') },
  {
    name: 'list page',
    budget: 160,
    parts: ['src/views/layout/shell.tsx', 'src/views/news/screen.tsx'],
    words: wordsIn('index', 'news'),
  },
];

const dist = process.argv[2] ?? 'dist';
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
const scripts = [...readFileSync(join(dist, 'index.html'), 'utf8').matchAll(/<script src="\/([^"]+)"/g)].map(
  (match) => match[1] ?? '',
);

for (const { name, budget, parts, words } of pages) {
  const files = words
    .map((language) => [...new Set([...scripts, ...['index.html', ...parts, ...language].flatMap((key) => [...closure(key)])])])
    .reduce((one, other) => (sum(other) > sum(one) ? other : one));
  const isOver = sum(files) > budget;
  console.log(
    `${name}: ${sum(files).toFixed(1)} kB of JavaScript, gzipped (limit: ${budget} kB)${isOver ? '  ✗ TOO LARGE' : ''}`,
  );
  if (isOver) process.exitCode = 1;
  if (isOver || process.argv.includes('--files')) {
    for (const file of files.sort((a, b) => weigh(b) - weigh(a)))
      console.log(`  ${weigh(file).toFixed(1).padStart(6)} kB  ${file}`);
  }
}
for (const key of Object.keys(manifest)) refuseCircle(key, []);
console.log(`stylesheet: ${sum(manifest['index.html'].css ?? []).toFixed(1)} kB`);

/** The order of circular chunks is undefined. */
function refuseCircle(key, above) {
  if (above.includes(key)) {
    console.log(`chunks import each other: ${[...above.slice(above.indexOf(key)), key].join(' → ')}  ✗`);
    process.exit(1);
  }
  for (const imported of manifest[key]?.imports ?? []) refuseCircle(imported, [...above, key]);
}

function closure(key, files = new Set()) {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`the build has no ${key}. Update its name in scripts/size.mjs`);
  if (files.has(chunk.file)) return files;
  files.add(chunk.file);
  for (const imported of chunk.imports ?? []) closure(imported, files);
  return files;
}

function sum(files) {
  return files.reduce((total, file) => total + weigh(file), 0);
}

function weigh(file) {
  return gzipSync(readFileSync(join(dist, file)), { level: 9 }).length / 1000;
}
