/** `n` decides, the number beside it is in groups: "1,200". */
const rows = (n: number, grouped: string): string => `${grouped} ${n === 1 ? 'row' : 'rows'}`;

export const imports = {
  title: { points: 'Imports of points', airdrops: 'Imports of airdrops', teams: 'Imports of teams', draws: 'Imports of draws' },
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
  failed: 'The import stopped after several errors. What went in stays in; you can resume or undo it.',
  background: 'It goes on when you close this page.',
  columns: 'Columns',
  column: '{{field}} comes from',
  noColumn: 'Not chosen',
  headed: 'The first line names the columns',
  missing: 'Choose a column for: {{fields}}',
  first: 'First rows',
  badRows: 'Bad rows',
  badMore: 'The first {{count}} are shown; the download has all of them.',
  line: 'Row',
  why: 'Why it did not go in',
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
  waiting: '{{name}} is checked and waits to be started',
  show: 'Show',
  gone: 'This import is gone.',
  blocked: {
    started: 'It was started already',
    nothingGood: 'No row can go in: look at the columns first',
    notRunning: 'It is not running',
    notStopped: 'It was neither cancelled nor interrupted',
    notStarted: 'It was not started yet',
    undone: 'It was undone already',
    nothingBad: 'There are no bad rows',
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
      body: 'It takes the place of what is known of the same captains.',
    },
    undoImport: {
      title: 'Undo this import as a whole?',
      act: 'Undo the import',
      body: 'The teams it brought go, and what was known before comes back.',
    },
  },
};

export const draws = {
  ask: {
    startImport: {
      title: 'Start importing draws?',
      act: 'Start the import',
      body: 'Times without a zone are taken as UTC.',
    },
    undoImport: { title: 'Undo this import as a whole?', act: 'Undo the import', body: 'All draws it brought are deleted.' },
  },
};
