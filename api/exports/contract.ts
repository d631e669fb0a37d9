import * as z from 'zod/mini';
import { exportFormats, idSchema, route } from '../base.ts';

export const exportStates = ['queued', 'running', 'done', 'failed', 'canceled', 'expired'] as const;

/** Why an export failed. */
export const exportProblems = ['forbidden', 'tooLarge', 'interrupted'] as const;

export const exportLimits = { running: 2, kept: 10, bytes: 256 * 1024 * 1024, hours: 24 };

const exportJobRow = z.object({
  id: idSchema(),
  list: z.string(),
  /** Where the finished file is read. */
  path: z.string(),
  format: z.enum(exportFormats),
  state: z.enum(exportStates),
  problem: z.nullable(z.enum(exportProblems)),
  /** Rows in the file so far, and rows when the export started. */
  rows: z.int(),
  total: z.int(),
  /** Of the finished file, as it is stored. */
  bytes: z.int(),
  createdAt: z.string(),
  endedAt: z.nullable(z.string()),
  expiresAt: z.nullable(z.string()),
});
export type ExportJobRow = z.infer<typeof exportJobRow>;

const exportInput = z.strictObject({ id: idSchema() });

/** Private to each person. Each list starts its own export. */
export const exportJobs = {
  own: route.meta({ signedIn: true }).route({ method: 'GET', path: '/exports' }).output(z.array(exportJobRow)),
  cancel: route
    .meta({ signedIn: true })
    .route({ method: 'POST', path: '/exports/cancel' })
    .input(exportInput)
    .output(exportJobRow),
  remove: route
    .meta({ signedIn: true })
    .route({ method: 'POST', path: '/exports/delete' })
    .input(exportInput)
    .output(exportInput),
};
