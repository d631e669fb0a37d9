import { and, desc, eq, inArray } from 'drizzle-orm';
import { platforms, type Platform } from '../../api/notices/values.ts';
import { createFieldError } from '../platform/core/errors.ts';
import { createPublicList } from '../platform/records/public-list.ts';
import { phaseConditionOf, scheduledChangeTimes } from '../platform/records/schedule.ts';
import { notices } from './tables.ts';

/** `until` lets an open page remove it in time. */
export interface PublicNotice {
  id: string;
  content: string;
  link: string;
  platform: Platform;
  until: string | null;
}

/** Currently shown, by platform ('all' is on each) or on any, newest first. */
export const publicNotices = createPublicList<PublicNotice, readonly Platform[] | null>({
  resource: 'notices',
  shape: 1,
  order: notices.createdAt,
  id: notices.id,
  ask: parsePlatforms,
  read: async (tx, { asked, beyond, limit, now }) => {
    const { id, content, link, platform, endsAt, createdAt } = notices;
    const noticeRows = await tx
      .select({ id, content, link, platform, endsAt, createdAt })
      .from(notices)
      .where(
        and(
          eq(notices.shown, true),
          phaseConditionOf(notices, 'current', now),
          asked ? inArray(platform, [...asked]) : undefined,
          beyond,
        ),
      )
      .orderBy(desc(createdAt), desc(id))
      .limit(limit);
    return noticeRows.map(({ endsAt: until, createdAt: at, ...row }) => ({
      at,
      row: { ...row, until: until?.toISOString() ?? null },
    }));
  },
  schedule: scheduledChangeTimes(notices),
});

function parsePlatforms(query: URLSearchParams): readonly Platform[] | null {
  const requestedPlatform = query.get('platform') ?? 'all';
  if (!platforms.some((platform) => platform === requestedPlatform)) throw createFieldError('platform');
  return requestedPlatform === 'all' ? null : ['all', requestedPlatform as Platform];
}
