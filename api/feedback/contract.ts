import * as z from 'zod/mini';
import type { FilterOf } from '../filter.ts';
import { feedbackFilters } from './filters.ts';
import {
  bulkOutput,
  deletedOutput,
  filterInput,
  idSchema,
  itemsInput,
  matchingInput,
  matchingOutput,
  route,
  textSchema,
  versionSchema,
} from '../base.ts';
import { binRoute, historyRoutes, restoreInput } from '../history.ts';
import { listRoutes } from '../list.ts';

export const feedbackLimit = { content: 5000, pictures: 3, perMailbox: 5 };

const reply = z.object({
  id: idSchema(),
  content: z.string(),
  by: z.string(),
  at: z.string(),
});

export const feedbackRow = z.object({
  id: idSchema(),
  version: versionSchema(),
  /** As entered by the visitor, unverified. */
  email: z.string(),
  content: z.string(),
  pictures: z.array(z.string()),
  processed: z.boolean(),
  processedAt: z.nullable(z.string()),
  replies: z.array(reply),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type FeedbackRow = z.infer<typeof feedbackRow>;

export const feedbackSorts = ['createdAt'] as const;
export type FeedbackSort = (typeof feedbackSorts)[number];

export const feedbackFilter = filterInput(feedbackFilters);
export type FeedbackFilter = FilterOf<typeof feedbackFilters>;

export const replyFields = z.strictObject({
  content: textSchema(feedbackLimit.content),
  processed: z.boolean({ error: 'required' }),
});

const itemsFields = z.strictObject({ items: itemsInput() });

export const feedback = {
  ...listRoutes('/feedback', {
    menu: '/feedback',
    id: idSchema(),
    row: feedbackRow,
    sorts: feedbackSorts,
    filters: feedbackFilters,
  }),
  bin: binRoute('/feedback'),
  matching: route
    .meta({ menu: '/feedback' })
    .route({ method: 'POST', path: '/feedback/matching' })
    .input(matchingInput(feedbackFilter))
    .output(matchingOutput()),
  process: route
    .meta({ permission: 'feedback.process' })
    .route({ method: 'POST', path: '/feedback/process' })
    .input(itemsFields)
    .output(bulkOutput(feedbackRow)),
  reopen: route
    .meta({ permission: 'feedback.reopen' })
    .route({ method: 'POST', path: '/feedback/reopen' })
    .input(itemsFields)
    .output(bulkOutput(feedbackRow)),
  reply: route
    .meta({ permission: 'feedback.reply', fresh: true })
    .route({ method: 'POST', path: '/feedback/reply' })
    .input(z.extend(replyFields, { id: idSchema(), version: versionSchema() }))
    .output(feedbackRow),
  remove: route
    .meta({ permission: 'feedback.delete' })
    .route({ method: 'POST', path: '/feedback/delete' })
    .input(itemsFields)
    .output(bulkOutput(deletedOutput())),
  ...historyRoutes('/feedback'),
  restore: route
    .meta({ permission: 'feedback.restore' })
    .route({ method: 'POST', path: '/feedback/restore' })
    .input(restoreInput)
    .output(feedbackRow),
};
