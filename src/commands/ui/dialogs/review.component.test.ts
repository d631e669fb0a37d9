import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { apiFailure, holdResponses, on } from '../../../testing/api.ts';
import { press } from '../../../testing/keys.ts';
import { signIn } from '../../../testing/panel.tsx';
import { askConfirmation } from '../../app/collect.ts';
import { $palette } from '../../app/open-dialogs.ts';
import type { AnyCommand } from '../../engine/define.ts';
import type { InvocationSource } from '../../engine/ui.ts';
import { points } from '../../rewards/points.ts';

const address = '0x00000000000000000000000000000000000000A1';
const adjust = points.find(({ id }) => id === 'points.adjust') as AnyCommand;
const question = () => page.getByRole('alertdialog');
const lines = () => page.css('[data-consequences]');
const yes = (within = question()) => within.getByRole('button').last();

/** The server fails as often as `failures`. */
async function openPoints(failures = 0): Promise<void> {
  let left = failures;
  await signIn('all', '/points', {
    points: {
      list: on.points.list.handler(() => ({ rows: [], nextCursor: null, prevCursor: null, count: { value: 0, kind: 'exact' } })),
      balancesOf: on.points.balancesOf.handler(() => {
        if (left-- > 0) throw apiFailure('UNAVAILABLE');
        return [{ id: address, address, berries: '1200', entries: 1, updatedAt: '2026-01-01T00:00:00.000Z' }];
      }),
    },
  });
  await expect.element(page.getByRole('tabpanel')).toBeVisible();
}

function ask(source: InvocationSource, command = adjust): boolean[] {
  const answers: boolean[] = [];
  const params = { address, berries: '-200', reason: 'test' };
  void askConfirmation({ command, targets: [], skipped: [], source, params }).then((answer) => answers.push(answer));
  return answers;
}

test('a money review blocks Enter with a reason until all consequences are loaded', async () => {
  await openPoints();
  const release = holdResponses('points/balancesOf');
  const answers = ask('button');
  await expect.element(yes()).toHaveAttribute('aria-disabled', 'true');
  await expect.element(yes()).toHaveAccessibleDescription('核对中…');
  await press('Tab');
  await expect.element(yes()).toHaveFocus();
  await press('Enter');
  await yes().click({ force: true });
  expect(answers).toEqual([]);
  release();
  await expect.element(lines()).toHaveTextContent('1,200 → 1,000');
  await expect.element(yes()).not.toHaveAttribute('aria-disabled', 'true');
  await expect.element(yes()).toHaveFocus();
  await press('Enter');
  await expect.poll(() => answers).toEqual([true]);
});

test('a money review stays blocked until its consequences are loaded by another try', async () => {
  await openPoints(1);
  const answers = ask('button');
  const retry = question().getByRole('alert').getByRole('button', { name: '重试' });
  await expect.element(retry).toBeVisible();
  await expect.element(yes()).toHaveAttribute('aria-disabled', 'true');
  await yes().click({ force: true });
  expect(answers).toEqual([]);
  await retry.click();
  await expect.element(lines()).toHaveTextContent('1,200 → 1,000');
  expect(question().element().contains(document.activeElement)).toBe(true);
  await yes().click();
  await expect.poll(() => answers).toEqual([true]);
});

test('a money review in the palette behaves the same', async () => {
  await openPoints(1);
  $palette.set({ targets: [] });
  const release = holdResponses('points/balancesOf');
  const answers = ask('palette');
  const review = page.css('[role="group"]:has(h2)');
  await expect.element(yes(review)).toHaveAttribute('aria-disabled', 'true');
  await yes(review).click({ force: true });
  release();
  const retry = review.getByRole('button', { name: '重试' });
  await expect.element(retry).toBeVisible();
  await yes(review).click({ force: true });
  expect(answers).toEqual([]);
  await retry.click();
  await expect.element(yes(review)).not.toHaveAttribute('aria-disabled', 'true');
  await yes(review).click();
  await expect.poll(() => answers).toEqual([true]);
});

test('a question without consequences or money can be answered without waiting', async () => {
  await openPoints();
  holdResponses('points/balancesOf');
  const { consequences: _, ...alone } = adjust;
  for (const command of [alone as AnyCommand, { ...adjust, danger: 'irreversible' } as AnyCommand]) {
    const answers = ask('button', command);
    await expect.element(yes()).not.toHaveAttribute('aria-disabled', 'true');
    await yes().click();
    await expect.poll(() => answers).toEqual([true]);
  }
});
