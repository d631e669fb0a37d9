import { expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { foldText } from '../../../src/lib/fold-text.ts';
import { createTestDatabase } from '../../testing/support.ts';

const { db } = await createTestDatabase();

const spellings: readonly (readonly [name: string, text: string, folded: string])[] = [
  ['capitals', 'Straße ÄRGER', 'straße ärger'],
  ['full width', 'ＦＵＬＬ　Width', 'full width'],
  ['half width', 'ｶﾀｶﾅ', 'カタカナ'],
  ['a combining mark', 'Cafe\u0301', 'café'],
  ['a ligature', 'ﬁn', 'fin'],
  ['Greek capitals with a final sigma', 'ΟΔΟΣ', 'οδοσ'],
  ['a Turkish capital', 'İstanbul', 'istanbul'],
  ['a soft hyphen and a zero-width space', 'in\u200Bvis\u00ADible\uFEFF', 'invisible'],
  ['a zero-width joiner inside a letter', 'Cafe\u200D\u0301', 'café'],
  ['marks of direction', '\u200Ea\u200Fb\u061Cc', 'abc'],
  ['embeddings and overrides', '\u202Aa\u202Bb\u202Cc\u202Dd\u202Ee', 'abcde'],
  ['isolates', '\u2066a\u2067b\u2068c\u2069d', 'abcd'],
  ['invisible operators and word joiners', 'a\u2060b\u2061c\u2062d\u2063e\u2064f', 'abcdef'],
  ['deprecated format characters', 'a\u206Ab\u206Fc', 'abc'],
  ['a combining grapheme joiner', 'a\u034Fb', 'ab'],
  ['variation selectors', '❤\uFE0F 葛\u{E0100}城', '❤ 葛城'],
  ['Mongolian vowel separator and selectors', 'ᠮ\u180Bᠣ\u180Eᠩ\u180F', 'ᠮᠣᠩ'],
  ['Hangul fillers', 'a\u115Fb\u1160c\u3164d\uFFA0e', 'abcde'],
  ['tags', 'a\u{E0041}\u{E007F}b', 'ab'],
  ['a family in one emoji', '👨\u200D👩\u200D👧', '👨👩👧'],
  ['right-to-left text', 'שלום عليكم', 'שלום عليكم'],
];

test.each(spellings)('browser and database search %s as the same text', async (_, text, folded) => {
  const { rows } = await db.execute<{ folded: string }>(sql`select folded(${text}::text) as folded`);
  expect([foldText(text), rows[0]?.folded]).toEqual([folded, folded]);
});

test('browser and database drop the same invisible characters', async () => {
  const range = (first: number, end: number) => Array.from({ length: end - first }, (_, index) => first + index);
  const codePoints = [
    ...range(1, 0xd800),
    ...range(0xe000, 0x1_0000),
    ...range(0x1_b000, 0x1_e000),
    ...range(0xe_0000, 0xe_1100),
  ];
  const { rows } = await db.execute<{ code: number }>(
    sql`select code from unnest(${sql.param(codePoints)}::int[]) as code where folded(chr(code)) = '' order by code`,
  );
  const ignorableCodePoints = codePoints.filter((code) => /^\p{Default_Ignorable_Code_Point}$/u.test(String.fromCodePoint(code)));
  expect(rows.map(({ code }) => code)).toEqual(ignorableCodePoints);
});
