import { expect, test } from 'vitest';
import { textMarks } from './search.ts';
import { foldText } from '../../../../lib/fold-text.ts';

test.each([
  ['ＦＵＬＬ　Width', 'full width'],
  ['Cafe\u0301', 'café'],
  ['ｶﾀｶﾅ', 'カタカナ'],
  ['in\u200Bvis\u00ADible\uFEFF', 'invisible'],
  ['  Ünïcode ', 'ünïcode'],
])('%j is searched as %j', (text, folded) => {
  expect(foldText(text)).toBe(foldText(folded));
});

test.each([
  ['Ｆｕｌｌ width', 'FULL', [0, 1, 2, 3]],
  ['a 😀😀 b', '😀 b', [3, 4, 5]],
  ['in\u200Bvis', 'invis', [0, 1, 3, 4, 5]],
  ['plain', 'x', []],
  ['plain', '  ', []],
])('in %j the search %j is marked at its place', (text, query, marks) => {
  expect(textMarks(text, query)).toEqual(marks);
});
