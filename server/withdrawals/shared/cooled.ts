import { and, eq, lte } from 'drizzle-orm';
import { withdrawals } from '../tables.ts';

export const isCooled = (now: Date) => and(eq(withdrawals.status, 'doing'), lte(withdrawals.coolsUntil, now));
