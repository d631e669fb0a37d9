import * as z from 'zod/mini';
import { route } from '../base.ts';

/** What may wait for somebody, in the order it is shown. */
export const waitingKinds = [
  'freeze',
  'nearTrigger',
  'staleFigures',
  'failedMints',
  'canceledMints',
  'statements',
  'deposits',
  'refunds',
  'withdrawals',
  'feedback',
] as const;
export type WaitingKind = (typeof waitingKinds)[number];

/** More than this is said as "and more": nobody reads on to the exact number. */
export const mostWaiting = 999;

const waiting = z.object({ kind: z.enum(waitingKinds), count: z.int() });

export const home = {
  /** What waits on the screens this person may open; kinds with nothing are left out. `count` stops at mostWaiting + 1. */
  waiting: route.meta({ menu: '/' }).route({ method: 'GET', path: '/home/waiting' }).output(z.array(waiting)),
};
