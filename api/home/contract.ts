import * as z from 'zod/mini';
import { route } from '../base.ts';

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

export const maxWaiting = 999;

/** Parts of the panel whose data is unreachable, while the others work. */
export const outages = ['statistics'] as const;

const waitingCount = z.object({ kind: z.enum(waitingKinds), count: z.int() });

export const home = {
  /** `count` stops at maxWaiting + 1. */
  waiting: route.meta({ menu: '/' }).route({ method: 'GET', path: '/home/waiting' }).output(z.array(waitingCount)),

  outages: route
    .meta({ menu: '/' })
    .route({ method: 'GET', path: '/home/outages' })
    .output(z.array(z.enum(outages))),
};
