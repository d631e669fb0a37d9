import { and, eq, isNotNull, lte } from 'drizzle-orm';
import { nearTrigger } from '../../../api/crsm/values.ts';
import { crsms } from '../tables.ts';

/** A CRSM that can still act and stands near its trigger or beyond it: it waits for somebody. */
export const isNear = () => and(isNotNull(crsms.block), eq(crsms.isTrovesOwner, true), lte(crsms.distance, nearTrigger));
