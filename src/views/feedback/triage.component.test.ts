import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { FeedbackRow } from '../../../api/feedback/contract.ts';
import { callsOf, holdResponses, on } from '../../testing/api.ts';
import { announceArrival } from '../../lib/net/arrivals.ts';
import { press } from '../../testing/keys.ts';
import { openPage, signIn } from '../../testing/panel.tsx';
import { build } from '../../../testing/factories/build.ts';

const feedback = (n: number): FeedbackRow => {
  const at = new Date(Date.UTC(2026, 8, n)).toISOString();
  return build.feedback({
    id: `01900000-0000-7000-8000-00000000000${n}`,
    content: `Feedback ${n}`,
    createdAt: at,
    updatedAt: at,
  });
};

/** Opens triage with three items. Returns a function that adds another. */
async function openTriage(): Promise<(row: FeedbackRow) => void> {
  let rows = [1, 2, 3].map(feedback);
  const find = ({ id }: { id: string }) => rows.filter((row) => row.id === id);
  await signIn('all', '/', {
    feedback: {
      list: on.feedback.list.handler(({ input: { direction } }) => ({
        rows: rows
          .filter(({ processed }) => !processed)
          .toSorted((a, b) => (direction === 'asc' ? 1 : -1) * a.id.localeCompare(b.id)),
        nextCursor: null,
        prevCursor: null,
        count: { value: rows.length, kind: 'exact' as const },
      })),
      many: on.feedback.many.handler(({ input: { ids } }) => ids.flatMap((id) => find({ id }))),
      process: on.feedback.process.handler(({ input: { items } }) => {
        const done = items.flatMap(find).map((row) => ({ ...row, version: 2, processed: true }));
        rows = rows.map((row) => done.find(({ id }) => id === row.id) ?? row);
        return { done, failed: [] };
      }),
    },
  });
  await openPage('/feedback?triage=on');
  await expect.element(reading()).toHaveTextContent('Feedback 1');
  return (row) => {
    rows = [...rows, row];
    announceArrival(`feedback ${rows.length}`);
  };
}

const reading = () => page.css('[data-triage] article');
const done = () => page.css('[data-toast="success"]');

test('a key processes the feedback and shows the next one', async () => {
  await openTriage();
  await press('d');
  await expect.element(reading()).toHaveTextContent('Feedback 2');
});

test('feedback that arrives while another arrival loads is loaded as well', async () => {
  const arrive = await openTriage();
  const before = callsOf('feedback/list').length;
  const release = holdResponses('feedback/list');
  arrive(feedback(4));
  await expect.poll(() => callsOf('feedback/list')).toHaveLength(before + 1);
  arrive(feedback(5));
  release();
  await expect.poll(() => callsOf('feedback/list')).toHaveLength(before + 2);
  await expect.element(page.css('[data-triage]')).toHaveTextContent(/5/);
});

test('a response that arrives after moving on keeps the feedback now on screen', async () => {
  await openTriage();
  const release = holdResponses('feedback/process');
  await press('d');
  await expect.poll(() => callsOf('feedback/process')).toHaveLength(1);
  await press('j');
  await expect.element(reading()).toHaveTextContent('Feedback 2');
  release();
  await expect.element(done()).toBeVisible();
  await expect.element(reading()).toHaveTextContent('Feedback 2');
});
