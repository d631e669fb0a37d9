// npx tsx scripts/palette-queries.ts: how many likely queries find their command. `--missed` prints the exceptions.
import { registry } from '../src/commands/app/all.ts';
import {
  firstRows,
  isException,
  isFound,
  findOffered,
  createQueries,
  findStrayCommands,
  type PaletteQuery,
} from '../src/testing/palette-queries.ts';
import { chineseWords, englishWords } from '../src/testing/palette-words.ts';

interface QueryCounts {
  asked: number;
  found: number;
  excepted: number;
  anywhere: number;
  rows: number;
  stray: number;
}

const lines = new Map<string, QueryCounts>();
const missedQueries: PaletteQuery[] = [];
for (const query of registry.all.flatMap(({ id }) => createQueries(id))) {
  const name = `${query.language === 'zh' ? 'Chinese' : 'English'} | ${query.kind} | ${query.form}`;
  const line = lines.get(name) ?? { asked: 0, found: 0, excepted: 0, anywhere: 0, rows: 0, stray: 0 };
  const offeredIds = findOffered(query.text, query.language);
  const isQueryFound = isFound(query);
  if (!isQueryFound) missedQueries.push(query);
  lines.set(name, {
    asked: line.asked + 1,
    found: line.found + Number(isQueryFound),
    excepted: line.excepted + Number(!isQueryFound && isException(query)),
    anywhere: line.anywhere + Number(offeredIds.slice(0, firstRows).includes(query.id)),
    rows: line.rows + offeredIds.length,
    stray: line.stray + findStrayCommands(query).length,
  });
}

console.log(`${registry.all.length} commands\n`);
console.log(
  '| language | typed | form | asked | in the first three rows | exceptions | from the home page | mean rows | of them unrelated |',
);
console.log('|---|---|---|---:|---:|---:|---:|---:|---:|');
for (const [name, { asked, found, excepted, anywhere, rows, stray }] of lines)
  console.log(
    `| ${name} | ${asked} | ${found} | ${excepted} | ${anywhere} | ${(rows / asked).toFixed(1)} | ${(stray / asked).toFixed(1)} |`,
  );

console.log('\n| words | groups | words asked | lead to their command |\n|---|---:|---:|---:|');
for (const [name, language, groups, separator] of [
  ['Chinese', 'zh', chineseWords, '、'],
  ['English', 'en', englishWords, ', '],
] as const) {
  const typedWords = groups.flatMap(([words, targetIds]) => words.split(separator).map((word) => ({ word, to: targetIds })));
  const matchedWords = typedWords.filter(({ word, to: targetIds }) =>
    targetIds.some((id) => id === findOffered(word, language)[0]),
  );
  console.log(`| ${name} | ${groups.length} | ${typedWords.length} | ${matchedWords.length} |`);
}
if (process.argv.includes('--missed')) for (const { id, form, text } of missedQueries) console.log(`${id} (${form}): ${text}`);
