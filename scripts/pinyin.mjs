// All readings of each character, because one would misread common verbs (重置 is chongzhi, not zhongzhi).
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pinyin } from 'pinyin-pro';

const filesUnder = (folder, matches) =>
  readdirSync(new URL(`../${folder}/`, import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((file) => matches.test(file))
    .map((file) => readFileSync(new URL(`../${folder}/${file}`, import.meta.url), 'utf8'))
    .join('');
const charactersOf = (text) => [...new Set(text.match(/\p{Script=Han}/gu))].toSorted((a, b) => (a < b ? -1 : 1));

const names = charactersOf(
  filesUnder('api', /(^|[\\/])(first-names|names|menu)\.ts$/) +
    filesUnder('src/commands', /^([^\\/]+[\\/]search|engine[\\/]common-aliases)\.ts$/),
);
const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
const countries = new Intl.DisplayNames('zh-CN', { type: 'region', fallback: 'none' });
const regions = letters.flatMap((first) => letters.map((second) => countries.of(first + second) ?? '')).join('');
const helpTitles = filesUnder('src/lib/help/pages/zh-CN', /\.md$/)
  .match(/^#+ .*$/gm)
  .join('');
const hanCharacters = charactersOf(
  filesUnder('src/lib/i18n/zh-CN', /\.ts$/) + helpTitles + regions + '上下过去最近天周月季度年今昨本到至从起以来前',
);

function writeReadings(file, name, comment, characters) {
  const rows = characters.map((character) => {
    const readings = pinyin(character, { multiple: true, toneType: 'none', type: 'array', v: true });
    return `${character}:${[...new Set(readings)].join(',')}`;
  });
  const target = new URL(`../src/lib/pinyin/${file}`, import.meta.url);
  const text = `/** Made by scripts/pinyin.mjs: every reading of each character in ${comment}. */
export const ${name}: ReadonlyMap<string, readonly string[]> = new Map(
  '${rows.join(' ')}'
    .split(' ')
    .map((row) => [row.charAt(0), row.slice(2).split(',')]),
);
`;
  if (!process.argv.includes('--check')) writeFileSync(target, text);
  else if (readFileSync(target, 'utf8') !== text) {
    console.error(`src/lib/pinyin/${file} is out of date. Run node scripts/pinyin.mjs`);
    process.exit(1);
  }
}

writeReadings('readings.ts', 'readings', 'the names and aliases', names);
writeReadings(
  'more-readings.ts',
  'moreReadings',
  'the words and the countries that is in no name or alias',
  hanCharacters.filter((first) => !names.includes(first)),
);
