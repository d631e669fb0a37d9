import * as z from 'zod/mini';
import type { FilterOf } from '../filter.ts';
import { feedbackFilters } from './filters.ts';
import {
  bulkOutput,
  deleted,
  filterInput,
  id,
  idsInput,
  items,
  listInput,
  listOutput,
  matchingInput,
  matchingOutput,
  route,
  text,
  valuesInput,
  valuesOutput,
  version,
} from '../base.ts';
import { historyRoutes, restoreInput } from '../history.ts';

/** What a visitor of the official website may send. `perMailbox` in a day. */
export const feedbackLimit = { content: 5000, pictures: 3, perMailbox: 5 };

const reply = z.object({
  id: id(),
  content: z.string(),
  /** Who answered, as the account was called then. */
  by: z.string(),
  at: z.string(),
});

export const feedbackRow = z.object({
  id: id(),
  version: version(),
  /** As the visitor gave it; nobody has checked that it is theirs. */
  email: z.string(),
  content: z.string(),
  /** Addresses of the pictures, in the visitor's order. */
  pictures: z.array(z.string()),
  processed: z.boolean(),
  processedAt: z.nullable(z.string()),
  /** What was answered by mail, oldest first. */
  replies: z.array(reply),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type FeedbackRow = z.infer<typeof feedbackRow>;

export const feedbackSorts = ['createdAt'] as const;
export type FeedbackSort = (typeof feedbackSorts)[number];

export const feedbackFilter = filterInput(feedbackFilters);
export type FeedbackFilter = FilterOf<typeof feedbackFilters>;

/** What is asked when somebody answers. */
export const replyFields = z.strictObject({
  content: text(feedbackLimit.content),
  /** Whether the feedback is processed with it. */
  processed: z.boolean({ error: 'required' }),
});

const bulk = z.strictObject({ items: items() });

export const feedback = {
  list: route
    .meta({ menu: '/feedback' })
    .route({ method: 'POST', path: '/feedback/list' })
    .input(listInput(feedbackSorts, feedbackFilter))
    .output(listOutput(feedbackRow)),
  /** The values there are of one field, within the rest of the filter. */
  values: route
    .meta({ menu: '/feedback' })
    .route({ method: 'POST', path: '/feedback/values' })
    .input(valuesInput(feedbackFilters))
    .output(valuesOutput()),
  /** All that match a filter, for a command that runs on all of them. */
  matching: route
    .meta({ menu: '/feedback' })
    .route({ method: 'POST', path: '/feedback/matching' })
    .input(matchingInput(feedbackFilter))
    .output(matchingOutput()),
  /** Those of the asked rows that exist, in the asked order. */
  many: route
    .meta({ menu: '/feedback' })
    .route({ method: 'POST', path: '/feedback/many' })
    .input(idsInput(id()))
    .output(z.array(feedbackRow)),
  process: route
    .meta({ permission: 'feedback.process' })
    .route({ method: 'POST', path: '/feedback/process' })
    .input(bulk)
    .output(bulkOutput(feedbackRow)),
  reopen: route
    .meta({ permission: 'feedback.reopen' })
    .route({ method: 'POST', path: '/feedback/reopen' })
    .input(bulk)
    .output(bulkOutput(feedbackRow)),
  /** Sends a mail to the mailbox the visitor gave. */
  reply: route
    .meta({ permission: 'feedback.reply', fresh: true })
    .route({ method: 'POST', path: '/feedback/reply' })
    .input(z.extend(replyFields, { id: id(), version: version() }))
    .output(feedbackRow),
  remove: route
    .meta({ permission: 'feedback.delete' })
    .route({ method: 'POST', path: '/feedback/delete' })
    .input(bulk)
    .output(bulkOutput(deleted())),
  ...historyRoutes('/feedback'),
  /** Brings a deleted feedback back under its id, with pictures and replies. One that is there is a CONFLICT. */
  restore: route
    .meta({ permission: 'feedback.restore' })
    .route({ method: 'POST', path: '/feedback/restore' })
    .input(restoreInput)
    .output(feedbackRow),
};
