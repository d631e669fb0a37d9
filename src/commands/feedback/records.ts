import type { FeedbackRow } from '../../../api/feedback/contract.ts';
import { formatTime } from '../../lib/format.ts';
import { newest, targetOf, type RecordKinds } from '../engine/resource.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    feedback: FeedbackRow;
  }
}

const shown = 60;

/** Feedback is called by who wrote and how it begins. */
export const feedbackTarget = targetOf('feedback', ({ email, content }) => {
  const words = content.replaceAll(/\s+/g, ' ');
  return `${email} · ${words.length > shown ? `${words.slice(0, shown)}…` : words}`;
});

export const records = {
  feedback: {
    target: feedbackTarget,
    place: '/feedback',
    read: ({ feedback }, ids) => feedback.many({ ids }),
    open: 'feedback.open',
    by: ['words', 'email', 'id'],
    find: async ({ feedback }, text, clues) =>
      (await feedback.list({ ...newest, filter: clues.includes('email') ? { email: text } : { q: text } })).rows,
    note: ({ createdAt }) => formatTime(createdAt),
    restored: {
      as: 'feedback',
      by: 'feedback.restore',
      read: ({ feedback }, ids, options) => feedback.versions({ ids }, options),
    },
  },
} as const satisfies RecordKinds;
