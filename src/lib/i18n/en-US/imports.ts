/** `n` decides, the number beside it is in groups: "1,200". */
const rows = (n: number, grouped: string): string => `${grouped} ${n === 1 ? 'row' : 'rows'}`;

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
    canceled: 'Cancelled',
    failed: 'Interrupted',
    done: 'Done',
    undone: 'Undone',
  },
  delimiter: { comma: 'commas', semicolon: 'semicolons', tab: 'tabs' },
  by: '{{by}} · {{at}}',
  counts: ({ n, total, good, bad }: { n: number; total: string; good: string; bad: string }) =>
    `${rows(n, total)}: ${good} good, ${bad} bad`,
  result: ({ n, total, imported, refused }: { n: number; total: string; imported: string; refused: string }) =>
    `${rows(n, total)}: ${imported} imported, ${refused} not`,
  progress: ({ n, worked, total }: { n: number; worked: string; total: string }) => `${worked} of ${rows(n, total)}`,
  allIn: ({ n, count }: { n: number; count: string }) => `${rows(n, count)} ${n === 1 ? 'is' : 'are'} in`,
  tellEarlier: ({ n, by, at, count }: { n: number; by: string; at: string; count: string }) =>
    `${by} imported this very file at ${at} (${rows(n, count)}). Importing it again counts everything twice.`,
  failed: 'The import stopped after several errors. Imported rows stay. You can resume or undo the import.',
  background: 'The import continues if you close this page.',
  columns: 'Columns',
  column: 'Column for {{field}}',
  noColumn: 'Not chosen',
  headed: 'First row contains column names',
  missing: 'Choose columns for: {{fields}}',
  first: 'First rows',
  badRows: 'Invalid rows',
  badMore: 'Showing the first {{count}}. Download the file to see all of them.',
  line: 'Row',
  why: 'Reason',
  lineInFile: 'Row in the file',
  and: '; ',
  badFile: 'not-imported',
  template: { points: 'points-template', airdrops: 'airdrops-template', teams: 'teams-template', draws: 'draws-template' },
  startCount: ({ n, count }: { n: number; count: string }) => `Import ${rows(n, count)}`,
  started: 'The import has started',
  goesIn: ({ n, good, total }: { n: number; good: string; total: string }) =>
    `${good} of ${rows(n, total)} ${n === 1 ? 'goes' : 'go'} in.`,
  staysOut: ({ n, bad }: { n: number; bad: string }) =>
    n === 1
      ? '1 bad row stays out. You can download it, put it right and import that.'
      : `${bad} bad rows stay out. You can download them, put them right and import those.`,
  again: ({ n, by, at, count }: { n: number; by: string; at: string; count: string }) =>
    `${by} imported this very file at ${at} (${rows(n, count)}): it will be in twice.`,
  badSaved: ({ count }: { count: number }) => (count === 1 ? '1 row downloaded' : `${count} rows downloaded`),
  older: 'Load older',
  all: 'All imports',
  running: 'Importing {{name}}: {{percent}} %',
  waiting: '{{name}} is checked and ready to start',
  show: 'Show',
  gone: 'This import no longer exists.',
  blocked: {
    started: 'Already started',
    nothingGood: 'No valid rows. Check the column mapping.',
    notRunning: 'Not running',
    notStopped: 'Not canceled or interrupted',
    notStarted: 'Not started yet',
    undone: 'Already undone',
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
      act: 'Start the import',
      body: 'Replaces existing data for the same captains.',
    },
    undoImport: {
      title: 'Undo this entire import?',
      act: 'Undo the import',
      body: 'Removes the imported teams and restores the previous data.',
    },
  },
};

export const draws = {
  ask: {
    startImport: {
      title: 'Start importing draws?',
      act: 'Start the import',
      body: 'Times without a time zone are read as UTC.',
    },
    undoImport: { title: 'Undo this entire import?', act: 'Undo the import', body: 'Deletes all imported draws.' },
  },
};
