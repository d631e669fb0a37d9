import * as z from 'zod/mini';
import { idSchema, idsInput, listInput, listOutput, route, storableText, versionSchema } from '../base.ts';

import { airdropColumns } from '../rewards/airdrops.ts';
import type { Permission } from '../names.ts';
import type { Name } from '../naming.ts';
import { pointsColumns } from '../rewards/points.ts';
import type { MenuPath } from '../menu.ts';
import { encodings } from '../encodings.ts';
import { timeZoneSchema } from '../time-zone.ts';
import { validationRules } from '../validation-rules.ts';
import { drawColumns, teamColumns } from '../statistics/contract.ts';

export const importKinds = ['points', 'airdrops', 'teams', 'draws'] as const;
export type ImportKind = (typeof importKinds)[number];

export const importLimit = { bytes: 20 * 1024 * 1024, rows: 100_000, columns: 200, edits: 5_000 };
export const waitingLimit = 10 * importLimit.bytes;

export const importColumns: Readonly<Record<ImportKind, Readonly<Record<string, Name>>>> = {
  points: pointsColumns,
  airdrops: airdropColumns,
  teams: teamColumns,
  draws: drawColumns,
};

export const numberFields: Readonly<Record<ImportKind, readonly string[]>> = {
  points: ['berries'],
  airdrops: ['berries', 'nftNumber', 'nftLevel'],
  teams: ['yuMinted', 'size'],
  draws: ['members', 'captainBerries', 'totalBerries'],
};
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

const importReading = z.object({
  encoding: z.enum(encodings),
  delimiter: z.enum(delimiters),
  /** From 1: the header or first row. */
  firstLine: z.int().check(z.gte(1)),
  headed: z.boolean(),
  comments: z.boolean(),
  /** 1,234.5 or 1.234,5. */
  decimal: z.enum(decimalMarks),
  zone: timeZoneSchema(),
});
export type ImportReading = z.infer<typeof importReading>;

export const importQuestions = ['encoding', 'delimiter', 'header', 'numbers', 'zone', 'shortRows', 'joinedRows'] as const;
export type ImportQuestion = (typeof importQuestions)[number];

const totals = z.object({
  added: z.string(),
  removed: z.string(),
  largest: z.nullable(z.object({ line: z.int(), amount: z.string() })),
  duplicates: z.int(),
});
export type ImportTotals = z.infer<typeof totals>;

const importStates = ['checked', 'running', 'canceled', 'failed', 'done', 'undone'] as const;

const earlierImport = z.object({ id: idSchema(), by: z.string(), at: z.string(), imported: z.int() });

export const importRow = z.object({
  id: idSchema(),
  version: versionSchema(),
  name: z.string(),
  sha256: z.string(),
  bytes: z.int(),
  encoding: z.enum(encodings),
  delimiter: z.enum(delimiters),
  state: z.enum(importStates),
  total: z.int(),
  good: z.int(),
  bad: z.int(),
  edited: z.int(),
  questions: z.array(z.enum(importQuestions)),
  totals,
  worked: z.int(),
  imported: z.int(),
  earlier: z.nullable(earlierImport),
  by: z.string(),
  createdAt: z.string(),
  startedAt: z.nullable(z.string()),
  endedAt: z.nullable(z.string()),
});
export type ImportRow = z.infer<typeof importRow>;

const fieldTexts = z.record(z.string(), z.string());

const fileRow = z.object({
  line: z.int(),
  cells: z.array(z.string()),
  texts: fieldTexts,
  /** Null for an invalid row. */
  values: z.nullable(fieldTexts),
  edited: z.boolean(),
  /** `path` empty: the row itself is malformed. */
  issues: z.array(z.object({ path: z.string(), rule: z.enum(validationRules) })),
});
export type FileRow = z.infer<typeof fileRow>;

/** Column (from 0) by field. Null: none. */
const mapping = z.record(z.string(), z.nullable(z.int().check(z.gte(0), z.lt(importLimit.columns))));

const defaultValues = z.record(z.string(), z.string().check(z.maxLength(1000), storableText));

const importDetails = z.object({
  row: importRow,
  reading: importReading,
  head: z.array(z.string()),
  mapping,
  fills: defaultValues,
  missing: z.array(z.string()),
  skipped: z.object({ above: z.array(z.string()), comments: z.int() }),
  samples: z.array(z.object({ encoding: z.enum(encodings), text: z.string() })),
  shortRows: z.int(),
  joinedRows: z.int(),
  /** Ambiguous, such as 1,200. */
  unclearNumbers: z.int(),
  timesWithoutZone: z.int(),
  uncertain: z.array(fileRow),
  first: z.array(fileRow),
  badRows: z.array(fileRow),
  repaired: z.array(fileRow),
});
export type ImportDetails = z.infer<typeof importDetails>;

const importVersion = z.strictObject({ id: idSchema(), version: versionSchema() });

const rereadInput = z.extend(importVersion, {
  encoding: z.enum(encodings),
  delimiter: z.nullable(z.enum(delimiters)),
  firstLine: z.nullable(z.int().check(z.gte(1), z.lte(importLimit.rows))),
  headed: z.nullable(z.boolean()),
  comments: z.boolean(),
  decimal: z.nullable(z.enum(decimalMarks)),
  zone: timeZoneSchema(),
  mapping: z.nullable(mapping),
  fills: defaultValues,
  answers: z.array(z.enum(importQuestions)),
});
export type RereadInput = z.infer<typeof rereadInput>;

const rowEdit = z.strictObject({
  line: z.int().check(z.gte(1)),
  texts: z.nullable(z.record(z.string(), z.string().check(z.maxLength(10_000), storableText))),
});
const editRowsInput = z.extend(importVersion, { rows: z.array(rowEdit).check(z.minLength(1), z.maxLength(200)) });
export type EditRowsInput = z.infer<typeof editRowsInput>;

interface ImportAccess {
  path: MenuPath;
  right: Permission;
  undo: Permission;
  fresh?: true;
}

const importRoutes = ({ path, right: importPermission, undo: undoPermission, fresh }: ImportAccess) => ({
  list: route
    .meta({ menu: path })
    .route({ method: 'POST', path: `${path}/imports/list` })
    .input(listInput(['createdAt'], z.strictObject({})))
    .output(listOutput(importRow)),
  many: route
    .meta({ menu: path })
    .route({ method: 'POST', path: `${path}/imports/many` })
    .input(idsInput(idSchema()))
    .output(z.array(importRow)),
  add: route
    .meta({ permission: importPermission })
    .route({ method: 'POST', path: `${path}/imports` })
    .input(z.strictObject({ file: z.file() }))
    .output(importDetails),
  details: route
    .meta({ permission: importPermission })
    .route({ method: 'POST', path: `${path}/imports/details` })
    .input(z.strictObject({ id: idSchema() }))
    .output(importDetails),
  reread: route
    .meta({ permission: importPermission })
    .route({ method: 'POST', path: `${path}/imports/reread` })
    .input(rereadInput)
    .output(importDetails),
  editRows: route
    .meta({ permission: importPermission })
    .route({ method: 'POST', path: `${path}/imports/edit-rows` })
    .input(editRowsInput)
    .output(importDetails),
  /** `again`: ID of the earlier import, to import the same file once more. */
  start: route
    .meta({ permission: importPermission, ...(fresh && { fresh }) })
    .route({ method: 'POST', path: `${path}/imports/start` })
    .input(z.extend(importVersion, { again: z.nullable(idSchema()) }))
    .output(importRow),
  /** Null: the import was not started. */
  cancel: route
    .meta({ permission: importPermission })
    .route({ method: 'POST', path: `${path}/imports/cancel` })
    .input(importVersion)
    .output(z.object({ row: z.nullable(importRow) })),
  resume: route
    .meta({ permission: importPermission, ...(fresh && { fresh }) })
    .route({ method: 'POST', path: `${path}/imports/resume` })
    .input(importVersion)
    .output(importRow),
  /** BUILT_ON: later changes depend on it. */
  undo: route
    .meta({ permission: undoPermission, ...(fresh && { fresh }) })
    .route({ method: 'POST', path: `${path}/imports/undo` })
    .input(importVersion)
    .output(importRow),
  badRows: route
    .meta({ permission: importPermission })
    .route({ method: 'POST', path: `${path}/imports/bad-rows` })
    .input(z.strictObject({ id: idSchema() }))
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
