import { counted } from '../plural.ts';

export const imports = {
  title: { points: 'Points imports', airdrops: 'Airdrop imports', teams: 'Team imports', draws: 'Lottery imports' },
  none: 'No imports yet',
  empty: 'Drop a CSV file, paste rows from a spreadsheet, or choose a file. Every row is checked before you start the import.',
  takes: 'Drop, paste or choose a CSV (UTF-8 or GB18030, up to 100,000 rows and 20 MB)',
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
  delimiter: { comma: 'commas', semicolon: 'semicolons', tab: 'tabs' },
  by: '{{by}} · {{at}}',
  counts: ({ n, good, bad }: { n: number; good: string; bad: string }) => `${counted(n, 'row')}: ${good} valid, ${bad} invalid`,
  result: ({ n, imported, refused }: { n: number; imported: string; refused: string }) =>
    `${counted(n, 'row')}: ${imported} imported, ${refused} skipped`,
  progress: ({ n, worked }: { n: number; worked: string }) => `${worked} of ${counted(n, 'row')}`,
  allIn: ({ n }: { n: number }) => `${counted(n, 'row')} imported`,
  tellEarlier: ({ n, by, at }: { n: number; by: string; at: string }) =>
    `${by} already imported this file at ${at} (${counted(n, 'row')}). If you import it again, every row is counted twice.`,
  failed: 'The import stopped after several errors. Imported rows stay. You can resume or undo the import.',
  background: 'The import continues if you close this page.',
  columns: 'Column mapping',
  column: 'Column for {{field}}',
  noColumn: 'Not chosen',
  headed: 'First row contains column names',
  missing: 'Choose columns for: {{fields}}',
  first: 'First rows',
  badRows: 'Invalid rows',
  badMore: 'Showing the first {{count}}. Download the file to see the rest.',
  line: 'Row',
  why: 'Reason',
  lineInFile: 'Row in the file',
  and: ', ',
  badFile: 'not-imported',
  template: { points: 'points-template', airdrops: 'airdrops-template', teams: 'teams-template', draws: 'draws-template' },
  startCount: ({ n }: { n: number }) => `Import ${counted(n, 'row')}`,
  started: 'Import started',
  goesIn: ({ n, good }: { n: number; good: string }) => `${good} of ${counted(n, 'row')} will be imported.`,
  staysOut: ({ n }: { n: number }) =>
    `${counted(n, 'invalid row')} will be skipped. Download ${n === 1 ? 'it, fix it, and import it' : 'them, fix them, and import them'} separately.`,
  again: ({ n, by, at }: { n: number; by: string; at: string }) =>
    `${by} already imported this file at ${at} (${counted(n, 'row')}). Every row will be counted twice.`,
  badSaved: ({ count }: { count: number }) => `${counted(count, 'row')} downloaded`,
  older: 'Load older imports',
  all: 'All imports',
  running: 'Importing {{name}}: {{percent}}%',
  waiting: '{{name}} is checked and ready to start',
  show: 'View import',
  gone: 'This import no longer exists.',
  blocked: {
    started: 'This import has already started',
    nothingGood: 'No valid rows. Check the column mapping.',
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
    startImport: {
      title: 'Start importing draws?',
      act: 'Start import',
      body: 'Times without a time zone are read as UTC.',
    },
    undoImport: { title: 'Undo this entire import?', act: 'Undo import', body: 'Deletes all imported draws.' },
  },
};
