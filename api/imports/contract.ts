import * as z from 'zod/mini';
import { id, idsInput, listInput, listOutput, route, storable, version } from '../base.ts';

import { airdropColumns } from '../rewards/airdrops.ts';
import type { Permission } from '../names.ts';
import type { Name } from '../naming.ts';
import { pointsColumns } from '../rewards/points.ts';
import type { MenuPath } from '../menu.ts';
import { encodings } from '../encodings.ts';
import { timeZone } from '../time-zone.ts';
import { rules } from '../validation-rules.ts';
import { drawColumns, teamColumns } from '../statistics/contract.ts';

export const importKinds = ['points', 'airdrops', 'teams', 'draws'] as const;
export type ImportKind = (typeof importKinds)[number];

/** What an import takes at most. */
export const importLimit = { bytes: 20 * 1024 * 1024, rows: 100_000, columns: 200, edits: 5_000 };
/** Bytes of one person's files together that are kept for what is not done: not started, canceled or given up. */
export const waitingLimit = 10 * importLimit.bytes;

/** What the columns of a file are called, by the field they fill. */
export const importColumns: Readonly<Record<ImportKind, Readonly<Record<string, Name>>>> = {
  points: pointsColumns,
  airdrops: airdropColumns,
  teams: teamColumns,
  draws: drawColumns,
};

/** Fields that hold whole numbers. */
export const numberFields: Readonly<Record<ImportKind, readonly string[]>> = {
  points: ['berries'],
  airdrops: ['berries', 'nftNumber', 'nftLevel'],
  teams: ['yuMinted', 'size'],
  draws: ['members', 'captainBerries', 'totalBerries'],
};
/** Fields that hold times. */
export const timeFields: Readonly<Record<ImportKind, readonly string[]>> = {
  points: [],
  airdrops: [],
  teams: [],
  draws: ['time'],
};

export const delimiters = [',', ';', '\t', '|'] as const;
export const decimalMarks = ['.', ','] as const;
export type DecimalMark = (typeof decimalMarks)[number];
export type Delimiter = (typeof delimiters)[number];

/** How the bytes of a file become a table. */
const reading = z.object({
  encoding: z.enum(encodings),
  delimiter: z.enum(delimiters),
  /** The line, from 1, that holds the column names or else the first row. Everything above is left out. */
  firstLine: z.int().check(z.gte(1)),
  headed: z.boolean(),
  /** Whether lines that begin with # are left out. */
  comments: z.boolean(),
  /** Numbers are written 1,234.5 or 1.234,5. */
  decimal: z.enum(decimalMarks),
  /** The zone of times that name none. */
  zone: timeZone(),
});
export type Reading = z.infer<typeof reading>;

/** What the panel could not tell from the file alone. Nothing starts until a person has answered. */
export const importQuestions = ['encoding', 'delimiter', 'header', 'numbers', 'zone', 'shortRows', 'joinedRows'] as const;
export type ImportQuestion = (typeof importQuestions)[number];

/** The valid rows in figures, in base units of the kind's amount. */
const totals = z.object({
  added: z.string(),
  removed: z.string(),
  largest: z.nullable(z.object({ line: z.int(), amount: z.string() })),
  /** Valid rows that repeat an earlier one. */
  duplicates: z.int(),
});
export type ImportTotals = z.infer<typeof totals>;

/** 'checked' waits to be started; 'failed' gave up after several attempts and can be resumed. */
const importStates = ['checked', 'running', 'canceled', 'failed', 'done', 'undone'] as const;

/** The same file, as it was imported before. */
const earlierImport = z.object({ id: id(), by: z.string(), at: z.string(), imported: z.int() });

export const importRow = z.object({
  id: id(),
  version: version(),
  name: z.string(),
  sha256: z.string(),
  bytes: z.int(),
  encoding: z.enum(encodings),
  delimiter: z.enum(delimiters),
  state: z.enum(importStates),
  /** Rows of the file, blank ones not counted; those that were good and bad when it was checked. */
  total: z.int(),
  good: z.int(),
  bad: z.int(),
  /** Rows that a person repaired in the panel. */
  edited: z.int(),
  questions: z.array(z.enum(importQuestions)),
  totals,
  /** Rows worked on so far, and how many of them went in. The rest of them did not. */
  worked: z.int(),
  imported: z.int(),
  earlier: z.nullable(earlierImport),
  by: z.string(),
  createdAt: z.string(),
  startedAt: z.nullable(z.string()),
  endedAt: z.nullable(z.string()),
});
export type ImportRow = z.infer<typeof importRow>;

const texts = z.record(z.string(), z.string());

/** A row of the file: its line as a spreadsheet counts, its cells as they came, the text of each field, and what is wrong. */
const fileRow = z.object({
  line: z.int(),
  cells: z.array(z.string()),
  texts,
  /** Numbers and times of a valid row as they would go in; null for other rows. */
  values: z.nullable(texts),
  edited: z.boolean(),
  /** `path` is a field, or empty where the row itself is malformed. */
  issues: z.array(z.object({ path: z.string(), rule: z.enum(rules) })),
});
export type FileRow = z.infer<typeof fileRow>;

/** Which column (from 0) each field is read from; null reads none. */
const mapping = z.record(z.string(), z.nullable(z.int().check(z.gte(0), z.lt(importLimit.columns))));

/** The one value that fills a field in every row, for fields without a column. */
const fills = z.record(z.string(), z.string().check(z.maxLength(1000), storable));

const importDetails = z.object({
  row: importRow,
  reading,
  /** Names of the columns; letters where the file has none. */
  head: z.array(z.string()),
  mapping,
  fills,
  /** Fields without a column and without a value: until they have one, nothing is checked and nothing starts. */
  missing: z.array(z.string()),
  /** Lines left out: above the table, and comments. */
  skipped: z.object({ above: z.array(z.string()), comments: z.int() }),
  /** Where the encoding is uncertain, the same text in each possible encoding. */
  samples: z.array(z.object({ encoding: z.enum(encodings), text: z.string() })),
  /** Valid rows with fewer cells than the table has columns. */
  shortRows: z.int(),
  /** Valid rows with a quoted cell that holds what looks like another row. */
  joinedRows: z.int(),
  /** Valid rows with a number such as 1,200, where nothing in the file says how it is written. */
  unclearNumbers: z.int(),
  /** Valid rows with a time that names no zone. */
  timesWithoutZone: z.int(),
  /** The first valid rows that a question is about. */
  uncertain: z.array(fileRow),
  /** The first rows, the first bad ones, and the first repaired ones that are valid now. */
  first: z.array(fileRow),
  badRows: z.array(fileRow),
  repaired: z.array(fileRow),
});
export type ImportDetails = z.infer<typeof importDetails>;

const seen = z.strictObject({ id: id(), version: version() });

const rereadInput = z.extend(seen, {
  encoding: z.enum(encodings),
  delimiter: z.nullable(z.enum(delimiters)),
  firstLine: z.nullable(z.int().check(z.gte(1), z.lte(importLimit.rows))),
  headed: z.nullable(z.boolean()),
  comments: z.boolean(),
  decimal: z.nullable(z.enum(decimalMarks)),
  zone: timeZone(),
  mapping: z.nullable(mapping),
  fills,
  answers: z.array(z.enum(importQuestions)),
});
export type RereadInput = z.infer<typeof rereadInput>;

const repair = z.strictObject({
  line: z.int().check(z.gte(1)),
  texts: z.nullable(z.record(z.string(), z.string().check(z.maxLength(10_000), storable))),
});
const editRowsInput = z.extend(seen, { rows: z.array(repair).check(z.minLength(1), z.maxLength(200)) });
export type EditRowsInput = z.infer<typeof editRowsInput>;

interface ImportAccess {
  path: MenuPath;
  right: Permission;
  undo: Permission;
  /** Asks for a second factor that is not old, as one entry by hand does. */
  fresh?: true;
}

/** The routes of one kind of import. Who may open the screen sees that there was one; what stood in the file, who may import. */
const importRoutes = ({ path, right, undo, fresh }: ImportAccess) => ({
  list: route
    .meta({ menu: path })
    .route({ method: 'POST', path: `${path}/imports/list` })
    .input(listInput(['createdAt'], z.strictObject({})))
    .output(listOutput(importRow)),
  many: route
    .meta({ menu: path })
    .route({ method: 'POST', path: `${path}/imports/many` })
    .input(idsInput(id()))
    .output(z.array(importRow)),
  /** Takes a CSV, checks every row and waits to be started. */
  add: route
    .meta({ permission: right })
    .route({ method: 'POST', path: `${path}/imports` })
    .input(z.strictObject({ file: z.file() }))
    .output(importDetails),
  details: route
    .meta({ permission: right })
    .route({ method: 'POST', path: `${path}/imports/details` })
    .input(z.strictObject({ id: id() }))
    .output(importDetails),
  /** Reads the file again with other choices. What is null is found anew; `answers` are questions that a person has settled. */
  reread: route
    .meta({ permission: right })
    .route({ method: 'POST', path: `${path}/imports/reread` })
    .input(rereadInput)
    .output(importDetails),
  /** Repairs rows: the texts take the place of the row's cells, and the file is checked again. Null takes a repair back. */
  editRows: route
    .meta({ permission: right })
    .route({ method: 'POST', path: `${path}/imports/edit-rows` })
    .input(editRowsInput)
    .output(importDetails),
  /** `again` is the id of `earlier`, when it was seen and the file is to go in once more: else the same file is refused. */
  start: route
    .meta({ permission: right, ...(fresh && { fresh }) })
    .route({ method: 'POST', path: `${path}/imports/start` })
    .input(z.extend(seen, { again: z.nullable(id()) }))
    .output(importRow),
  /** One that runs stops between two batches; one that waits to be started goes away, which answers null. */
  cancel: route
    .meta({ permission: right })
    .route({ method: 'POST', path: `${path}/imports/cancel` })
    .input(seen)
    .output(z.object({ row: z.nullable(importRow) })),
  resume: route
    .meta({ permission: right, ...(fresh && { fresh }) })
    .route({ method: 'POST', path: `${path}/imports/resume` })
    .input(seen)
    .output(importRow),
  /** Takes all of it back at once, or nothing when something builds on it (BUILT_ON). */
  undo: route
    .meta({ permission: undo, ...(fresh && { fresh }) })
    .route({ method: 'POST', path: `${path}/imports/undo` })
    .input(seen)
    .output(importRow),
  /** All rows that were not imported, oldest first, from one snapshot. Before the start: all invalid rows. */
  badRows: route
    .meta({ permission: right })
    .route({ method: 'POST', path: `${path}/imports/bad-rows` })
    .input(z.strictObject({ id: id() }))
    .output(z.object({ head: z.array(z.string()), headed: z.boolean(), mapping, rows: z.array(fileRow) })),
});

export const pointsImports = importRoutes({ path: '/points', right: 'points.import', undo: 'points.undoImport', fresh: true });
export const airdropsImports = importRoutes({ path: '/NFTAirdrop', right: 'airdrops.import', undo: 'airdrops.undoImport' });
export const teamsImports = importRoutes({
  path: '/statistics/datacaptain',
  right: 'teams.import',
  undo: 'teams.undoImport',
});
export const drawsImports = importRoutes({
  path: '/statistics/data0penBox',
  right: 'draws.import',
  undo: 'draws.undoImport',
});

/** Where files of imports are sent to: they may be larger than any other body. */
export const importUploads = [
  '/rpc/pointsImports/add',
  '/rpc/airdropsImports/add',
  '/rpc/teamsImports/add',
  '/rpc/drawsImports/add',
  '/api/points/imports',
  '/api/NFTAirdrop/imports',
  '/api/statistics/datacaptain/imports',
  '/api/statistics/data0penBox/imports',
];

/** What `points.import` and `airdrops.import` take: a file, or the text of one. */
export const importParams = z.strictObject({
  file: z.union(
    [
      z.file().check(z.maxSize(importLimit.bytes, { error: 'fileTooLarge' })),
      z
        .string({ error: 'required' })
        .check(z.minLength(1, { error: 'required' }), z.maxLength(importLimit.bytes, { error: 'fileTooLarge' })),
    ],
    { error: 'required' },
  ),
});
