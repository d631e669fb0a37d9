import { and, desc, eq, inArray } from 'drizzle-orm';
import { platforms, type Platform } from '../../api/notices/values.ts';
import { badField } from '../platform/core/errors.ts';
import { publicList } from '../platform/records/public-list.ts';
import { inPhase, scheduledChanges } from '../platform/records/schedule.ts';
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
export const publicNotices = publicList<PublicNotice, readonly Platform[] | null>({
  resource: 'notices',
  shape: 1,
  order: notices.createdAt,
  id: notices.id,
  ask: platformsOf,
  read: async (tx, { asked, beyond, limit, now }) => {
    const { id, content, link, platform, endsAt, createdAt } = notices;
    const found = await tx
      .select({ id, content, link, platform, endsAt, createdAt })
      .from(notices)
      .where(
        and(eq(notices.shown, true), inPhase(notices, 'current', now), asked ? inArray(platform, [...asked]) : undefined, beyond),
      )
      .orderBy(desc(createdAt), desc(id))
      .limit(limit);
    return found.map(({ endsAt: until, createdAt: at, ...row }) => ({
      at,
      row: { ...row, until: until?.toISOString() ?? null },
    }));
  },
  schedule: scheduledChanges(notices),
});

function platformsOf(query: URLSearchParams): readonly Platform[] | null {
  const requestedPlatform = query.get('platform') ?? 'all';
  if (!platforms.some((platform) => platform === requestedPlatform)) throw badField('platform');
  return requestedPlatform === 'all' ? null : ['all', requestedPlatform as Platform];
}
