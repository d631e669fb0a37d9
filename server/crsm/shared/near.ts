import { and, eq, isNotNull, lte, not } from 'drizzle-orm';
import { nearTrigger } from '../../../api/crsm/values.ts';
import type { Services } from '../../platform/core/context.ts';
import { crsms } from '../tables.ts';
import { isStale } from './staleness.ts';

/** A CRSM that can still act and is near its trigger or beyond it by figures of now: it waits for somebody. */
export const isNear = (services: Services) =>
  and(
    isNotNull(crsms.block),
    eq(crsms.isTrovesOwner, true),
    lte(crsms.distance, nearTrigger),
    not(isStale(services, crsms.block)),
  );

/** A CRSM whose figures could not be refreshed. */
export const isUnread = (services: Services) => and(isNotNull(crsms.block), isStale(services, crsms.block));
