import { expect, test } from 'vitest';
import { bandChanges, bandsText, parseBandLines, findBandProblems, readBands, textOfLines } from './bands.ts';

const text = '0 | 1 | 1 |  | 5 | 0\n1 |  | 2 | Custody approver | 50.5 | 3600';

test('bands are parsed as written', () => {
  const bands = readBands(text);
  expect(bands).toEqual([
    { from: '0', below: '100000000', approvals: 1, role: null, perDay: '500000000', delaySeconds: 0 },
    { from: '100000000', below: null, approvals: 2, role: 'Custody approver', perDay: '5050000000', delaySeconds: 3600 },
  ]);
  expect(bandsText(bands ?? [])).toBe(text);
});

test.each([
  ['nothing', ''],
  ['five parts', '0 | 1 | 1 | | 5'],
  ['an end before its beginning', '2 | 1 | 1 | | | 0'],
  ['a gap', '0 | 1 | 1 | | | 0\n2 | | 1 | | | 0'],
  ['a band behind the endless one', '0 | | 1 | | | 0\n1 | | 1 | | | 0'],
  ['nobody', '0 | | 0 | | | 0'],
  ['six people', '0 | | 6 | | | 0'],
  ['a part of a satoshi', '0.000000001 | | 1 | | | 0'],
  ['more than a week', '0 | | 1 | | | 604801'],
])('%s is refused as bands', (_, invalidText) => {
  expect(readBands(invalidText)).toBeNull();
});

test('lines keep what is typed, right or wrong', () => {
  const inputText = '0 | 1 | 1 |  | 5 | 0\n1 | x | 9 | Board |  | ';
  expect(textOfLines(parseBandLines(inputText))).toBe(inputText);
  expect(textOfLines([{ from: '0', below: '', approvals: '1', role: 'a|b', perDay: '', delay: '0' }])).toBe(
    '0 |  | 1 | a b |  | 0',
  );
});

test.each([
  ['nothing is wrong', '0 | 1 | 1 | | | 0\n1 | | 2 | | | 0', [[], []]],
  ['a gap', '0 | 1 | 1 | | | 0\n2 | | 1 | | | 0', [[{ gap: { from: '100000000', below: '200000000' } }], []]],
  ['an overlap', '0 | 3 | 1 | | | 0\n2 | | 1 | | | 0', [[{ overlap: { from: '200000000', below: '300000000' } }], []]],
  ['a band after an endless one', '0 | | 1 | | | 0\n2 | | 1 | | | 0', [[{ overlap: { from: '200000000', below: null } }], []]],
  ['an end before its start', '2 | 1 | 1 | | | 0', [[{ at: 'below' }]]],
  ['six people and eight days', '0 | | 6 | | | 691200', [[{ at: 'approvals' }, { at: 'delay' }]]],
  ['no start and a wrong limit', ' | 1 | 1 | | x | 0', [[{ at: 'from' }, { at: 'perDay' }]]],
] as const)('problems of bands: %s', (_what, inputText, expected) => {
  expect(findBandProblems(parseBandLines(inputText))).toEqual(expected);
});

test('changes pair the bands that cover the same amounts, and name new and removed ones', () => {
  const previousBands = readBands('0 | 1 | 1 | | | 0\n1 | 10 | 1 | | | 0\n10 | 50 | 2 | | | 0') ?? [];
  const newBands = readBands('0 | 1 | 1 | | | 0\n1 | 5 | 2 | | | 0\n5 | 10 | 2 | | | 0\n10 | | 3 | | | 0') ?? [];
  const changedLimits = bandChanges(previousBands, newBands).map(({ before: previousBand, after: newBand }) => [
    previousBand?.below ?? null,
    newBand?.below ?? null,
  ]);
  expect(changedLimits).toEqual([
    ['100000000', '100000000'],
    ['1000000000', '500000000'],
    [null, '1000000000'],
    ['5000000000', null],
  ]);
});
