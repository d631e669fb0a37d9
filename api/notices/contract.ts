import * as z from 'zod/mini';
import {
  bulkOutput,
  httpUrl,
  id,
  instant,
  items,
  listInput,
  listOutput,
  matchingInput,
  matchingOutput,
  route,
  text,
  version,
} from '../base.ts';
import { historyRoutes, restoreInput } from '../history.ts';
import { phases, platforms } from './values.ts';

/** What a person fills in. The command's form and the route validate with this one schema. */
export const noticeFields = z
  .strictObject({
    content: text(1000),
    link: httpUrl(),
    platform: z.enum(platforms),
    startsAt: z.nullable(instant()), // null: at once
    endsAt: z.nullable(instant()), // null: without an end; at that instant it is over
  })
  .check(
    z.refine(({ startsAt, endsAt }) => startsAt === null || endsAt === null || startsAt < endsAt, {
      error: 'afterStart',
      path: ['endsAt'],
    }),
  );
export type NoticeFields = z.infer<typeof noticeFields>;

export const noticeRow = z.object({
  id: id(),
  version: version(),
  content: z.string(),
  link: z.string(),
  platform: z.enum(platforms),
  shown: z.boolean(),
  startsAt: z.nullable(z.string()),
  endsAt: z.nullable(z.string()),
  creatorEmail: z.string(), // empty when the system made it
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type NoticeRow = z.infer<typeof noticeRow>;

export const noticeSorts = ['createdAt', 'updatedAt'] as const;
export type NoticeSort = (typeof noticeSorts)[number];

export const noticeFilter = z.strictObject({
  /** Part of the content, any case. */
  q: z.optional(z.string().check(z.maxLength(200))),
  shown: z.optional(z.boolean()),
  platform: z.optional(z.enum(platforms)),
  phase: z.optional(z.enum(phases)),
});
export type NoticeFilter = z.infer<typeof noticeFilter>;

export const notices = {
  list: route
    .meta({ menu: '/notices' })
    .route({ method: 'POST', path: '/notices/list' })
    .input(listInput(noticeSorts, noticeFilter))
    .output(listOutput(noticeRow)),
  /** All that match a filter, for a command that runs on all of them. */
  matching: route
    .meta({ menu: '/notices' })
    .route({ method: 'POST', path: '/notices/matching' })
    .input(matchingInput(noticeFilter))
    .output(matchingOutput()),
  /** Those of the asked rows that exist, in the asked order. */
  many: route
    .meta({ menu: '/notices' })
    .route({ method: 'POST', path: '/notices/many' })
    .input(z.strictObject({ ids: z.array(id()).check(z.maxLength(200)) }))
    .output(z.array(noticeRow)),
  add: route
    .meta({ permission: 'notices.add' })
    .route({ method: 'POST', path: '/notices' })
    .input(noticeFields)
    .output(noticeRow),
  edit: route
    .meta({ permission: 'notices.edit' })
    .route({ method: 'PUT', path: '/notices' })
    .input(z.safeExtend(noticeFields, { id: id(), version: version() }))
    .output(noticeRow),
  show: route
    .meta({ permission: 'notices.show' })
    .route({ method: 'POST', path: '/notices/show' })
    .input(z.strictObject({ items: items() }))
    .output(bulkOutput(noticeRow)),
  hide: route
    .meta({ permission: 'notices.hide' })
    .route({ method: 'POST', path: '/notices/hide' })
    .input(z.strictObject({ items: items() }))
    .output(bulkOutput(noticeRow)),
  remove: route
    .meta({ permission: 'notices.delete' })
    .route({ method: 'POST', path: '/notices/delete' })
    .input(z.strictObject({ items: items() }))
    .output(bulkOutput(z.object({ id: id() }))),
  ...historyRoutes('/notices'),
  /** Brings a recorded state of a notice back as a new edit. A deleted one comes back under its id, as Not Show. */
  restore: route
    .meta({ permission: 'notices.restore' })
    .route({ method: 'POST', path: '/notices/restore' })
    .input(restoreInput)
    .output(noticeRow),
};
