import { and, eq, isNotNull, lte, not } from 'drizzle-orm';
import { nearTrigger } from '../../../api/crsm/values.ts';
import type { Services } from '../../platform/services/context.ts';
import { crsms } from '../tables.ts';
import { isStale } from './staleness.ts';

/** Usable, with current figures, near or below its trigger. */
export const isNear = (services: Services) =>
  and(
    isNotNull(crsms.block),
    eq(crsms.isTrovesOwner, true),
    lte(crsms.distance, nearTrigger),
    not(isStale(services, crsms.block)),
  );

export const isUnread = (services: Services) => and(isNotNull(crsms.block), isStale(services, crsms.block));
