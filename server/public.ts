import type { RawRoute } from './platform/http/raw-routes.ts';
import { publicReserve } from './custody/reserve.ts';
import { publicFeedback, publicFeedbackForm } from './feedback/public.ts';
import { publicNews } from './news/public.ts';
import { publicNotices } from './notices/public.ts';
import { publicVisits, publicWalletConnections } from './statistics/public.ts';

/** Called by the official website without a session. */
export const publicRoutes: readonly RawRoute[] = [
  publicFeedback,
  publicFeedbackForm,
  publicNews,
  publicNotices,
  publicReserve,
  publicVisits,
  publicWalletConnections,
];
