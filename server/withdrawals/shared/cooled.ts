import { and, eq, lte } from 'drizzle-orm';
import { withdrawals } from '../tables.ts';

/** A withdrawal that has cooled and waits to be confirmed. */
export const hasCooled = (now: Date) => and(eq(withdrawals.status, 'doing'), lte(withdrawals.coolsUntil, now));
