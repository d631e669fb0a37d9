import type { RawRoute } from './platform/http/raw-routes.ts';
import { backChannelLogout } from './access/back-channel-logout.ts';
import { leakedTokens } from './access/leaked-tokens.ts';
import { publicReserve } from './custody/reserve.ts';
import { publicFeedback, publicFeedbackForm } from './feedback/public.ts';
import { publicNews } from './news/public.ts';
import { publicNotices } from './notices/public.ts';
import { publicVisits, publicWalletConnections } from './statistics/public.ts';

/** Called without a session, most by the official website. */
export const publicRoutes: readonly RawRoute[] = [
  leakedTokens,
  backChannelLogout,
  publicFeedback,
  publicFeedbackForm,
  publicNews,
  publicNotices,
  publicReserve,
  publicVisits,
  publicWalletConnections,
];
