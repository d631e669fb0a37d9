import { expect, test } from 'vitest';
import { enPanel } from '../../lib/i18n/en-US/index.ts';
import { enResources } from '../../lib/i18n/en-US/resources.ts';
import { setDictionary } from '../../lib/i18n/i18n.ts';
import { invalidRowsText } from './files.ts';

setDictionary('en-US', { ...enPanel, ...enResources });

const row = { values: null, edited: false, issues: [{ path: 'berries', rule: 'whole' as const }] };

const linesOf = (invalidRows: Parameters<typeof invalidRowsText>[1]) =>
  invalidRowsText('points', invalidRows).slice(1).trimEnd().split('\r\n');

test('bad rows are written with every column of the file, repaired cells in place and cells beyond the table', () => {
  const lines = linesOf({
    head: ['note', 'Address', 'Berries', 'Reason'],
    headed: true,
    mapping: { address: 1, berries: 2, reason: 3 },
    rows: [
      { ...row, line: 2, cells: ['a', '0x1', 'many', 'Quiz'], texts: { address: '0x1', berries: 'many', reason: 'Quiz' } },
      {
        ...row,
        line: 3,
        cells: ['b', '0x2', '1', '200', 'Quiz', '-5'],
        texts: { address: '0x2', berries: 'few', reason: 'Quiz' },
        edited: true,
      },
    ],
  });
  expect(lines).toEqual([
    '"note","Address","Berries","Reason","Row in the file","Reason not imported"',
    '"a","0x1","many","Quiz","2","Berries must be a whole number"',
    '"b","0x2","few","Quiz","3","Berries must be a whole number","Quiz","-5"',
  ]);
});

test('bad rows have a column for each field that had one value for all rows', () => {
  const lines = linesOf({
    head: ['Address', 'Berries'],
    headed: true,
    mapping: { address: 0, berries: 1, reason: null },
    rows: [
      { ...row, line: 2, cells: ['0x1', 'many'], texts: { address: '0x1', berries: 'many', reason: 'One' } },
      { ...row, line: 3, cells: ['0x2', 'x'], texts: { address: '0x2', berries: 'x', reason: 'Two' }, edited: true },
    ],
  });
  expect(lines.map((line) => line.split(',').slice(0, 3).join(','))).toEqual([
    '"Address","Berries","Reason"',
    '"0x1","many","One"',
    '"0x2","x","Two"',
  ]);
});

test('columns without names are named after the fields they fill', () => {
  const [names] = linesOf({
    head: ['A', 'B', 'C', 'D'],
    headed: false,
    mapping: { address: 1, berries: 0, reason: 2 },
    rows: [],
  });
  expect(names).toContain('"Berries","Address","Reason","D"');
});
