import { countText } from '../plural.ts';

export const imports = {
  title: { points: 'Points imports', airdrops: 'Airdrop imports', teams: 'Team imports', draws: 'Lottery imports' },
  none: 'No imports yet',
  empty: 'Drop a CSV file, paste rows from a spreadsheet, or choose a file. Every row is checked before you start the import.',
  takes: 'Drop, paste or choose a CSV (up to 100,000 rows and 20 MB)',
  drop: 'Drop to import',
  pasted: 'pasted.csv',
  field: { file: 'CSV file' },
  state: {
    checked: 'Not started',
    running: 'Running',
    canceled: 'Canceled',
    failed: 'Interrupted',
    done: 'Done',
    undone: 'Undone',
  },
  delimiter: { comma: 'Comma', semicolon: 'Semicolon', tab: 'Tab', pipe: 'Vertical bar' },
  encoding: {
    'utf-8': 'UTF-8',
    'utf-16le': 'UTF-16 (LE)',
    'utf-16be': 'UTF-16 (BE)',
    gb18030: 'Simplified Chinese (GB18030)',
    big5: 'Traditional Chinese (Big5)',
    shift_jis: 'Japanese (Shift JIS)',
    'euc-kr': 'Korean (EUC-KR)',
    'windows-1250': 'Central European (Windows-1250)',
    'windows-1251': 'Cyrillic (Windows-1251)',
    'windows-1252': 'Western (Windows-1252)',
    macintosh: 'Western (Mac)',
  },
  reading: 'How the file is read',
  encodingLabel: 'Encoding',
  delimiterLabel: 'Separator',
  firstLine: 'Table starts on line',
  numbersLabel: 'Number format',
  zoneLabel: 'Default time zone',
  discards: ({ n }: { n: number }) => `Changing the encoding or the separator discards ${countText(n, 'repaired row')}.`,
  above: ({ n }: { n: number }) => `${countText(n, 'line')} above the table skipped`,
  commentsLeft: ({ n }: { n: number }) => `${countText(n, 'comment line')} skipped`,
  comments: 'Skip lines that start with #',
  question: {
    encoding: 'The encoding is uncertain. Choose the text that reads correctly.',
    delimiter: 'The separator is uncertain. Check that each value is in its own column.',
    header: 'The start of the table is uncertain. Check the starting line and the rows below.',
    numbers: ({ n }: { n: number }) =>
      `${countText(n, 'valid row')} ${n === 1 ? 'has' : 'have'} an ambiguous number, such as 1,200, which can mean 1200 or 1.2. Check the number format.`,
    zone: ({ n }: { n: number }) =>
      `${countText(n, 'valid row')} ${n === 1 ? 'has' : 'have'} a time without a time zone. Check the default time zone and the times below.`,
    shortRows: ({ n }: { n: number }) =>
      `${countText(n, 'valid row')} ${n === 1 ? 'has' : 'have'} fewer cells than the table. Check that the values are in the correct columns.`,
    joinedRows: ({ n }: { n: number }) =>
      `${countText(n, 'valid row')} ${n === 1 ? 'has' : 'have'} a quoted cell that looks like it holds other rows. Check that no row is missing.`,
  },
  confirm: {
    numbers: 'Confirm number format',
    zone: 'Confirm time zone',
    encoding: 'Confirm encoding',
    delimiter: 'Confirm separator',
    header: 'Confirm table start',
    shortRows: 'Confirm columns',
    joinedRows: 'Confirm rows',
  },
  totals: 'Totals of the valid rows',
  total: {
    rows: 'Rows',
    added: { points: 'Berries added', airdrops: 'Berries', teams: 'YU minted', draws: 'Prize berries' },
    removed: 'Berries removed',
    largest: 'Largest (row {{line}})',
    duplicates: 'Repeated rows',
    edited: 'Repaired rows',
  },
  oneValue: 'One value for all rows',
  valueFor: '{{field}} for all rows',
  repairHint: 'Edit the values, then press Enter to check all edited rows again.',
  recheck: ({ n }: { n: number }) => `Check ${countText(n, 'row')} again`,
  undoRepair: 'Undo repair',
  undoRepairOf: 'Undo repair of row {{line}}',
  repaired: 'Repaired rows',
  cellOf: '{{field}}, row {{line}}',
  cellsOfRow: ({ n, cells }: { n: number; cells: string }) => `${countText(n, 'cell')} in the file: ${cells}`,
  by: '{{by}} · {{at}}',
  counts: ({ n, good, bad }: { n: number; good: string; bad: string }) => `${countText(n, 'row')}: ${good} valid, ${bad} invalid`,
  result: ({ n, imported, refused }: { n: number; imported: string; refused: string }) =>
    `${countText(n, 'row')}: ${imported} imported, ${refused} skipped`,
  progress: ({ n, worked }: { n: number; worked: string }) => `${worked} of ${countText(n, 'row')}`,
  allIn: ({ n }: { n: number }) => `${countText(n, 'row')} imported`,
  tellEarlier: ({ n, by, at }: { n: number; by: string; at: string }) =>
    `${by} started importing this file on ${at} (${countText(n, 'row')} imported). Make sure you want to import the file again.`,
  failed: 'The import stopped after several errors. Imported rows stay, and you can resume or undo the import.',
  background: 'The import continues if you close this page.',
  columns: 'Column mapping',
  column: 'Column for {{field}}',
  noColumn: 'Not chosen',
  headed: 'The starting line contains column names',
  missing: 'Choose columns for: {{fields}}',
  uncertain: 'Rows to check',
  first: 'First rows',
  badRows: 'Invalid rows',
  badMore: 'Showing the first {{count}}. Download the invalid rows to see them all.',
  line: 'Row',
  why: 'Reason not imported',
  lineInFile: 'Row in the file',
  and: ' · ',
  badFile: 'not-imported',
  template: { points: 'points-template', airdrops: 'airdrops-template', teams: 'teams-template', draws: 'draws-template' },
  startCount: ({ n }: { n: number }) => `Import ${countText(n, 'row')}`,
  started: 'Import started',
  goesIn: ({ n, good }: { n: number; good: string }) => `${good} of ${countText(n, 'row')} will be imported.`,
  staysOut: ({ n }: { n: number }) =>
    `${countText(n, 'invalid row')} will be skipped. Edit ${n === 1 ? 'it' : 'them'} in the import, or download ${n === 1 ? 'it' : 'them'}.`,
  sums: ({ label, sum, largest, line }: { label: string; sum: string; largest: string; line: string }) =>
    `${label}: ${sum}. Largest: ${largest} in row ${line}.`,
  removes: 'Berries removed: {{sum}}.',
  repeatsCaptain: ({ n }: { n: number }) =>
    `${countText(n, 'row')} ${n === 1 ? 'repeats' : 'repeat'} a captain. The last row of each captain counts.`,
  repeats: ({ n }: { n: number }) =>
    `${countText(n, 'row')} ${n === 1 ? 'repeats' : 'repeat'} an earlier row and will be imported too.`,
  again: ({ n, by, at }: { n: number; by: string; at: string }) =>
    `${by} started importing this file on ${at} (${countText(n, 'row')} imported). Make sure you want to import the file again.`,
  badSaved: ({ count }: { count: number }) => `${countText(count, 'row')} downloaded`,
  older: 'Load older imports',
  all: 'All imports',
  running: 'Importing {{name}}: {{percent}}%',
  show: 'View import',
  gone: 'This import no longer exists.',
  blocked: {
    started: 'This import has already started',
    nothingGood: 'No valid rows. Check the column mapping.',
    questions: 'Confirm how the file is read first',
    notRunning: 'This import isn’t running',
    notStopped: 'This import wasn’t canceled or interrupted',
    notStarted: 'This import hasn’t started yet',
    undone: 'This import is already undone',
    nothingBad: 'No invalid rows',
  },
  kinds: {
    import: 'Import',
  },
};

export const teams = {
  ask: {
    startImport: {
      title: 'Start importing teams?',
      act: 'Start import',
      body: 'Replaces existing data for the same captains.',
    },
    undoImport: {
      title: 'Undo this entire import?',
      act: 'Undo import',
      body: 'Removes the imported teams and restores the previous data.',
    },
  },
};

export const draws = {
  ask: {
    startImport: { title: 'Start importing draws?', act: 'Start import' },
    undoImport: { title: 'Undo this entire import?', act: 'Undo import', body: 'Deletes all imported draws.' },
  },
};
