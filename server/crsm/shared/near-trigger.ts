import { and, eq, isNotNull, lte, not } from 'drizzle-orm';
import { nearTriggerDistance } from '../../../api/crsm/values.ts';
import type { Services } from '../../platform/services/context.ts';
import { crsms } from '../tables.ts';
import { isBlockOutdated } from './figures-age.ts';

/** Usable, with current figures, near or below its trigger. */
export const isNearTrigger = (services: Services) =>
  and(
    isNotNull(crsms.block),
    eq(crsms.isTrovesOwner, true),
    lte(crsms.distance, nearTriggerDistance),
    not(isBlockOutdated(services, crsms.block)),
  );

export const isFigureOutdated = (services: Services) => and(isNotNull(crsms.block), isBlockOutdated(services, crsms.block));
