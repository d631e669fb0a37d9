import type { FeedbackRow } from '../../../api/feedback/contract.ts';
import type { Target } from '../../lib/scope.ts';

const shown = 60;

/** Feedback as commands aim at it, called by who wrote and how it begins. */
export const feedbackTarget = (row: FeedbackRow): Target<'feedback'> => {
  const words = row.content.replaceAll(/\s+/g, ' ');
  const name = `${row.email} · ${words.length > shown ? `${words.slice(0, shown)}…` : words}`;
  return { entity: 'feedback', id: row.id, version: row.version, name, row };
};
