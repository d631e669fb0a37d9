import { asc, inArray } from 'drizzle-orm';
import type { FeedbackRow } from '../../api/feedback/contract.ts';
import type { RequestContext } from '../platform/services/context.ts';
import type { Queries } from '../platform/db/db.ts';
import { buildPictureUrl } from '../platform/content/pictures.ts';
import { feedbackPictures, feedbackReplies, type feedback as table } from './tables.ts';

type FeedbackRecord = typeof table.$inferSelect;

/** Loads related data once and returns a function for single rows. */
export async function createPresenter(
  { services: { config } }: Pick<RequestContext, 'services'>,
  queries: Queries,
  ids: readonly string[],
): Promise<(row: FeedbackRecord) => FeedbackRow> {
  const [pictureRows, replyRows] =
    ids.length === 0
      ? [[], []]
      : [
          await queries
            .select({ feedbackId: feedbackPictures.feedbackId, pictureId: feedbackPictures.pictureId })
            .from(feedbackPictures)
            .where(inArray(feedbackPictures.feedbackId, [...ids]))
            .orderBy(asc(feedbackPictures.position)),
          await queries
            .select()
            .from(feedbackReplies)
            .where(inArray(feedbackReplies.feedbackId, [...ids]))
            .orderBy(asc(feedbackReplies.createdAt), asc(feedbackReplies.id)),
        ];
  const picturesById = groupByFeedback(pictureRows);
  const repliesById = groupByFeedback(replyRows);
  return (row) => ({
    id: row.id,
    version: row.version,
    email: row.email,
    content: row.content,
    pictures: (picturesById.get(row.id) ?? []).map(({ pictureId }) => buildPictureUrl(config.publicUrl, pictureId)),
    processed: row.processed,
    processedAt: row.processedAt?.toISOString() ?? null,
    replies: (repliesById.get(row.id) ?? []).map(({ id, content, administratorEmail, createdAt }) => ({
      id,
      content,
      by: administratorEmail,
      at: createdAt.toISOString(),
    })),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  });
}

function groupByFeedback<Part extends { feedbackId: string }>(parts: readonly Part[]): Map<string, Part[]> {
  const groups = new Map<string, Part[]>();
  for (const part of parts) groups.set(part.feedbackId, [...(groups.get(part.feedbackId) ?? []), part]);
  return groups;
}
