import * as z from 'zod/mini';
import { id, idsInput, listInput, listOutput, route, version } from '../base.ts';

import { airdropColumns } from '../rewards/airdrops.ts';
import type { Permission } from '../names.ts';
import type { Name } from '../naming.ts';
import { pointsColumns } from '../rewards/points.ts';
import type { MenuPath } from '../menu.ts';
import { rules } from '../validation-rules.ts';
import { drawColumns, teamColumns } from '../statistics/contract.ts';

export const importKinds = ['points', 'airdrops', 'teams', 'draws'] as const;
export type ImportKind = (typeof importKinds)[number];

/** What an import takes at most. */
export const importLimit = { bytes: 20 * 1024 * 1024, rows: 100_000, columns: 200 };
/** Bytes of one person's files together that are kept for what is not done: not started, canceled or given up. */
export const waitingLimit = 10 * importLimit.bytes;

/** What the columns of a file are called, by the field they fill. */
export const importColumns: Readonly<Record<ImportKind, Readonly<Record<string, Name>>>> = {
  points: pointsColumns,
  airdrops: airdropColumns,
  teams: teamColumns,
  draws: drawColumns,
};

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
  encoding: z.enum(['utf-8', 'gb18030']),
  delimiter: z.enum([',', ';', '\t']),
  state: z.enum(importStates),
  /** Rows of the file, blank ones not counted; those that were good and bad when it was checked. */
  total: z.int(),
  good: z.int(),
  bad: z.int(),
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

/** A row of the file: its line as a spreadsheet counts, its cells as they came, and what is wrong with it. */
const fileRow = z.object({
  line: z.int(),
  cells: z.array(z.string()),
  issues: z.array(z.object({ path: z.string(), rule: z.enum(rules) })),
});
export type FileRow = z.infer<typeof fileRow>;

/** Which column (from 0) each field is read from; null reads none. */
const mapping = z.record(z.string(), z.nullable(z.int().check(z.gte(0), z.lt(importLimit.columns))));
export type Mapping = z.infer<typeof mapping>;

const importDetails = z.object({
  row: importRow,
  /** Whether the first line holds the names of the columns. */
  headed: z.boolean(),
  /** Names of the columns; letters where the file has none. */
  head: z.array(z.string()),
  mapping,
  /** Fields that must be filled and are read from no column: until they are, nothing is checked and nothing starts. */
  missing: z.array(z.string()),
  /** The first rows, and the first bad ones. */
  first: z.array(fileRow),
  badRows: z.array(fileRow),
});
export type ImportDetails = z.infer<typeof importDetails>;

const seen = z.strictObject({ id: id(), version: version() });

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
  /** Checks the file anew with other columns. */
  map: route
    .meta({ permission: right })
    .route({ method: 'POST', path: `${path}/imports/map` })
    .input(z.strictObject({ id: id(), version: version(), headed: z.boolean(), mapping }))
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
  /** The rows that did not go in, from `after` on, oldest first; of one not started yet those that would not. */
  badRows: route
    .meta({ permission: right })
    .route({ method: 'POST', path: `${path}/imports/bad-rows` })
    .input(z.strictObject({ id: id(), after: z.int(), limit: z.int().check(z.gte(1), z.lte(5000)) }))
    .output(
      z.object({ headed: z.boolean(), head: z.array(z.string()), mapping, rows: z.array(fileRow), next: z.nullable(z.int()) }),
    ),
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
