import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { FeedbackRow } from '../../../api/feedback/contract.ts';
import { readCalls, holdResponses, mockRoutes } from '../../testing/api.ts';
import { publishArrival } from '../../lib/net/arrivals.ts';
import { press } from '../../testing/keys.ts';
import { openPage, signIn } from '../../testing/panel.tsx';
import { build } from '../../../testing/factories/build.ts';

const feedback = (n: number): FeedbackRow => {
  const timestamp = new Date(Date.UTC(2026, 8, n)).toISOString();
  return build.feedback({
    id: `01900000-0000-7000-8000-00000000000${n}`,
    content: `Feedback ${n}`,
    createdAt: timestamp,
    updatedAt: timestamp,
  });
};

/** Opens triage with three items. Returns a function that adds another. */
async function openTriage(): Promise<(row: FeedbackRow) => void> {
  let rows = [1, 2, 3].map(feedback);
  const findRows = ({ id }: { id: string }) => rows.filter((row) => row.id === id);
  await signIn('all', '/', {
    feedback: {
      list: mockRoutes.feedback.list.handler(({ input: { direction } }) => ({
        rows: rows
          .filter(({ processed }) => !processed)
          .toSorted((a, b) => (direction === 'asc' ? 1 : -1) * a.id.localeCompare(b.id)),
        nextCursor: null,
        prevCursor: null,
        count: { value: rows.length, kind: 'exact' as const },
      })),
      many: mockRoutes.feedback.many.handler(({ input: { ids } }) => ids.flatMap((id) => findRows({ id }))),
      process: mockRoutes.feedback.process.handler(({ input: { items } }) => {
        const processedRows = items.flatMap(findRows).map((row) => ({ ...row, version: 2, processed: true }));
        rows = rows.map((row) => processedRows.find(({ id }) => id === row.id) ?? row);
        return { done: processedRows, failed: [] };
      }),
    },
  });
  await openPage('/feedback?triage=on');
  await expect.element(article()).toHaveTextContent('Feedback 1');
  return (row) => {
    rows = [...rows, row];
    publishArrival(`feedback ${rows.length}`);
  };
}

const article = () => page.css('[data-triage] article');
const question = () => page.getByRole('alertdialog');
const successToast = () => page.css('[data-toast="success"]');

/** The first answer covers the rest of the triage. */
async function confirmFirst(): Promise<void> {
  await press('d');
  await expect.element(question()).toHaveTextContent('Feedback 1');
  await press('Enter');
}

test('triage asks before the first feedback only, and again after it was left', async () => {
  await openTriage();
  await press('d');
  await expect.element(question()).toHaveTextContent('Feedback 1');
  await press('Escape');
  await expect.element(question()).not.toBeInTheDocument();
  expect(readCalls('feedback/process')).toHaveLength(0);
  await confirmFirst();
  await expect.element(article()).toHaveTextContent('Feedback 2');
  await press('d');
  await expect.element(article()).toHaveTextContent('Feedback 3');
  expect(readCalls('feedback/process')).toHaveLength(2);

  await press('Escape');
  await expect.element(page.css('[data-triage]')).not.toBeInTheDocument();
  await press('t');
  await expect.element(article()).toHaveTextContent('Feedback 3');
  await press('d');
  await expect.element(question()).toHaveTextContent('Feedback 3');
  expect(readCalls('feedback/process')).toHaveLength(2);
});

test('feedback that arrives while another arrival loads is loaded as well', async () => {
  const addArrival = await openTriage();
  const callCountBefore = readCalls('feedback/list').length;
  const release = holdResponses('feedback/list');
  addArrival(feedback(4));
  await expect.poll(() => readCalls('feedback/list')).toHaveLength(callCountBefore + 1);
  addArrival(feedback(5));
  release();
  await expect.poll(() => readCalls('feedback/list')).toHaveLength(callCountBefore + 2);
  await expect.element(page.css('[data-triage]')).toHaveTextContent(/5/);
});

test('a response that arrives after moving on keeps the feedback now on screen', async () => {
  await openTriage();
  const release = holdResponses('feedback/process');
  await confirmFirst();
  await expect.poll(() => readCalls('feedback/process')).toHaveLength(1);
  await press('j');
  await expect.element(article()).toHaveTextContent('Feedback 2');
  release();
  await expect.element(successToast()).toBeVisible();
  await expect.element(article()).toHaveTextContent('Feedback 2');
});
