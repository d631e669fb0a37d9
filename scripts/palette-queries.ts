// npx tsx scripts/palette-queries.ts: how many likely queries find their command. `--missed` prints the exceptions.
import { registry } from '../src/commands/app/all.ts';
import { firstRows, isException, isFound, offeredFor, queriesOf, strayFor, type Query } from '../src/testing/palette-queries.ts';
import { chineseWords, englishWords } from '../src/testing/palette-words.ts';

interface Line {
  asked: number;
  found: number;
  excepted: number;
  anywhere: number;
  rows: number;
  stray: number;
}

const lines = new Map<string, Line>();
const missed: Query[] = [];
for (const query of registry.all.flatMap(({ id }) => queriesOf(id))) {
  const name = `${query.language === 'zh' ? 'Chinese' : 'English'} | ${query.kind} | ${query.form}`;
  const line = lines.get(name) ?? { asked: 0, found: 0, excepted: 0, anywhere: 0, rows: 0, stray: 0 };
  const offered = offeredFor(query.text, query.language);
  const isHit = isFound(query);
  if (!isHit) missed.push(query);
  lines.set(name, {
    asked: line.asked + 1,
    found: line.found + Number(isHit),
    excepted: line.excepted + Number(!isHit && isException(query)),
    anywhere: line.anywhere + Number(offered.slice(0, firstRows).includes(query.id)),
    rows: line.rows + offered.length,
    stray: line.stray + strayFor(query).length,
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
for (const [name, language, groups, between] of [
  ['Chinese', 'zh', chineseWords, '、'],
  ['English', 'en', englishWords, ', '],
] as const) {
  const typed = groups.flatMap(([words, to]) => words.split(between).map((word) => ({ word, to })));
  const led = typed.filter(({ word, to }) => to.some((id) => id === offeredFor(word, language)[0]));
  console.log(`| ${name} | ${groups.length} | ${typed.length} | ${led.length} |`);
}
if (process.argv.includes('--missed')) for (const { id, form, text } of missed) console.log(`${id} (${form}): ${text}`);
