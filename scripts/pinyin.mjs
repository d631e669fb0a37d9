// Writes src/commands/ui/palette/search/pinyin.ts: every reading of each Chinese character in the command and menu names.
// A single reading would misread the commonest verbs (重置 is chongzhi, not zhongzhi), so all are kept.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pinyin } from 'pinyin-pro';

const target = new URL('../src/commands/ui/palette/search/pinyin.ts', import.meta.url);
const sources = readdirSync(new URL('../api/', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((file) => /(^|[\\/])(names|menu)\.ts$/.test(file))
  .map((file) => readFileSync(new URL(`../api/${file}`, import.meta.url), 'utf8'));
const characters = [...new Set(sources.join('').match(/\p{Script=Han}/gu))].sort();
const rows = characters.map((character) => {
  const readings = pinyin(character, { multiple: true, toneType: 'none', type: 'array', v: true });
  return `${character}:${[...new Set(readings)].join(',')}`;
});
const text = `/** Made by scripts/pinyin.mjs: every reading of each character in the names. */
export const readings: ReadonlyMap<string, readonly string[]> = new Map(
  '${rows.join(' ')}'
    .split(' ')
    .map((row) => [row.charAt(0), row.slice(2).split(',')]),
);
`;
if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    console.error('src/commands/ui/palette/search/pinyin.ts is not what the names need: run node scripts/pinyin.mjs');
    process.exit(1);
  }
} else writeFileSync(target, text);
