import * as z from 'zod/mini';
import type { FilterOf } from '../filter.ts';
import { auditFilters } from './filters.ts';
import { exportOptions, exportOutput, filterInput, idSchema, route } from '../base.ts';
import { listRoutes } from '../list.ts';

const auditRow = z.object({
  id: idSchema(),
  seq: z.number(),
  at: z.string(),
  actorEmail: z.string(), // empty: not signed in, or the server
  command: z.nullable(z.string()),
  route: z.string(),
  action: z.string(),
  entity: z.string(),
  entityId: z.nullable(z.string()),
  name: z.nullable(z.string()),
  names: z.nullable(z.object({ zh: z.string(), en: z.string() })),
  result: z.enum(['done', 'refused']),
  ip: z.string(),
});
export type AuditRow = z.infer<typeof auditRow>;

const auditDetails = z.extend(auditRow, {
  permission: z.nullable(z.string()),
  requestId: z.string(),
  idempotencyKey: z.nullable(z.string()),
  before: z.unknown(),
  after: z.unknown(),
  prevHash: z.string(),
  hash: z.string(),
});
export type AuditDetails = z.infer<typeof auditDetails>;

export const auditSorts = ['time'] as const;

export const auditFilter = filterInput(auditFilters);
export type AuditFilter = FilterOf<typeof auditFilters>;

export const auditExport = z.extend(auditFilter, { ...exportOptions, locale: z.optional(exportOptions.locale) });

export const audit = {
  ...listRoutes('/audit', { menu: '/audit', id: idSchema(), row: auditRow, sorts: auditSorts, filters: auditFilters }),
  details: route
    .meta({ menu: '/audit' })
    .route({ method: 'POST', path: '/audit/details' })
    .input(z.strictObject({ id: idSchema() }))
    .output(auditDetails),
  export: route
    .meta({ permission: 'audit.export', fresh: true })
    .route({ method: 'POST', path: '/audit/export' })
    .input(auditExport)
    .output(exportOutput),
};
