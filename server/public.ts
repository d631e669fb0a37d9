import type { PlainRoute } from './platform/plain.ts';
import { publicFeedback, publicFeedbackForm } from './public-feedback.ts';
import { publicNews } from './public-news.ts';
import { publicNotices } from './public-notices.ts';
import { publicVisits, publicWalletConnections } from './public-visits.ts';

/** What the official website calls, without a session. */
export const publicRoutes: readonly PlainRoute[] = [
  publicFeedback,
  publicFeedbackForm,
  publicNews,
  publicNotices,
  publicVisits,
  publicWalletConnections,
];
