import * as z from 'zod/mini';
import type { FilterOf } from '../filter.ts';
import { noticeFilters } from './filters.ts';
import { refinePeriodOrder, httpUrlSchema, idSchema, timeSchema, textSchema, versionSchema } from '../base.ts';
import { createShowableRoutes } from '../crud.ts';
import { platforms } from './values.ts';

export const noticeFields = z
  .strictObject({
    content: textSchema(1000),
    link: httpUrlSchema(),
    platform: z.enum(platforms),
    startsAt: z.nullable(timeSchema()), // null: now
    endsAt: z.nullable(timeSchema()), // null: no end; exclusive
  })
  .check(refinePeriodOrder());
export type NoticeFields = z.infer<typeof noticeFields>;

export const noticeRow = z.object({
  id: idSchema(),
  version: versionSchema(),
  content: z.string(),
  link: z.string(),
  platform: z.enum(platforms),
  shown: z.boolean(),
  startsAt: z.nullable(z.string()),
  endsAt: z.nullable(z.string()),
  creatorEmail: z.string(), // empty: created by the system
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type NoticeRow = z.infer<typeof noticeRow>;

export const noticeSorts = ['createdAt', 'updatedAt'] as const;

export type NoticeFilter = FilterOf<typeof noticeFilters>;

export const notices = createShowableRoutes('notices', {
  row: noticeRow,
  fields: noticeFields,
  edit: z.safeExtend(noticeFields, { id: idSchema(), version: versionSchema() }),
  sorts: noticeSorts,
  filters: noticeFilters,
});
