import { and, eq, isNotNull, lte, not } from 'drizzle-orm';
import { nearTrigger } from '../../../api/crsm/values.ts';
import type { Services } from '../../platform/services/context.ts';
import { crsms } from '../tables.ts';
import { isBlockStale } from './staleness.ts';

/** Usable, with current figures, near or below its trigger. */
export const isNearTrigger = (services: Services) =>
  and(
    isNotNull(crsms.block),
    eq(crsms.isTrovesOwner, true),
    lte(crsms.distance, nearTrigger),
    not(isBlockStale(services, crsms.block)),
  );

export const isFigureStale = (services: Services) => and(isNotNull(crsms.block), isBlockStale(services, crsms.block));
