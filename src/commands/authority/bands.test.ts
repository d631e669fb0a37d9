import { expect, test } from 'vitest';
import { bandsText, readBands } from './bands.ts';

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
])('%s is refused as bands', (_, wrong) => {
  expect(readBands(wrong)).toBeNull();
});
