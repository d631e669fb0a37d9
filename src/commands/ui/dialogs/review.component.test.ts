import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { apiFailure, holdResponses, mockRoutes } from '../../../testing/api.ts';
import { press } from '../../../testing/keys.ts';
import { signIn } from '../../../testing/panel.tsx';
import { askConfirmation } from '../../app/collect.ts';
import { $confirm, $palette, type OpenConfirm } from '../../app/open-dialogs.ts';
import type { AnyCommand } from '../../engine/define.ts';
import { pickField, type FieldContext, type FieldOption } from '../../engine/fields.ts';
import type { InvocationSource } from '../../engine/ui.ts';
import { points } from '../../rewards/points.ts';

const address = '0x00000000000000000000000000000000000000A1';
const adjustCommand = points.find(({ id }) => id === 'points.adjust') as AnyCommand;
const confirmDialog = () => page.getByRole('alertdialog');
const lines = () => page.css('[data-consequences]');
const confirmButton = (dialog = confirmDialog()) => dialog.getByRole('button').last();

/** The server fails as often as `failureCount`. */
async function openPoints(failureCount = 0): Promise<void> {
  let remainingFailures = failureCount;
  await signIn('all', '/points', {
    points: {
      list: mockRoutes.points.list.handler(() => ({
        rows: [],
        nextCursor: null,
        prevCursor: null,
        count: { value: 0, kind: 'exact' },
      })),
      balancesOf: mockRoutes.points.balancesOf.handler(() => {
        if (remainingFailures-- > 0) throw apiFailure('UNAVAILABLE');
        return [{ id: address, address, berries: '1200', entries: 1, updatedAt: '2026-01-01T00:00:00.000Z' }];
      }),
    },
  });
  await expect.element(page.getByRole('tabpanel')).toBeVisible();
}

function openConfirmation(source: InvocationSource, command = adjustCommand): boolean[] {
  const answersGiven: boolean[] = [];
  const params = { address, berries: '-200', reason: 'test' };
  void askConfirmation({ command, targets: [], skipped: [], source, params }).then((answer) => answersGiven.push(answer));
  return answersGiven;
}

test('a money review blocks Enter with a reason until all consequences are loaded', async () => {
  await openPoints();
  const release = holdResponses('points/balancesOf');
  const answersGiven = openConfirmation('button');
  await expect.element(confirmButton()).toHaveAttribute('aria-disabled', 'true');
  await expect.element(confirmButton()).toHaveAccessibleDescription('核对中…');
  await press('Tab');
  await expect.element(confirmButton()).toHaveFocus();
  await press('Enter');
  await confirmButton().click({ force: true });
  expect(answersGiven).toEqual([]);
  release();
  await expect.element(lines()).toHaveTextContent('余额1,2001,000');
  await expect.element(confirmButton()).not.toHaveAttribute('aria-disabled', 'true');
  await expect.element(confirmButton()).toHaveFocus();
  await press('Enter');
  await expect.poll(() => answersGiven).toEqual([true]);
});

test('a money review stays blocked until its consequences are loaded by another try', async () => {
  await openPoints(1);
  const answersGiven = openConfirmation('button');
  const retry = confirmDialog().getByRole('alert').getByRole('button', { name: '重试' });
  await expect.element(retry).toBeVisible();
  await expect.element(confirmButton()).toHaveAttribute('aria-disabled', 'true');
  await confirmButton().click({ force: true });
  expect(answersGiven).toEqual([]);
  await retry.click();
  await expect.element(lines()).toHaveTextContent('余额1,2001,000');
  expect(confirmDialog().element().contains(document.activeElement)).toBe(true);
  await confirmButton().click();
  await expect.poll(() => answersGiven).toEqual([true]);
});

test('a money review in the palette behaves the same', async () => {
  await openPoints(1);
  $palette.set({ targets: [] });
  const release = holdResponses('points/balancesOf');
  const answersGiven = openConfirmation('palette');
  const review = page.css('[role="group"]:has(h2)');
  await expect.element(confirmButton(review)).toHaveAttribute('aria-disabled', 'true');
  await confirmButton(review).click({ force: true });
  release();
  const retry = review.getByRole('button', { name: '重试' });
  await expect.element(retry).toBeVisible();
  await confirmButton(review).click({ force: true });
  expect(answersGiven).toEqual([]);
  await retry.click();
  await expect.element(confirmButton(review)).not.toHaveAttribute('aria-disabled', 'true');
  await confirmButton(review).click();
  await expect.poll(() => answersGiven).toEqual([true]);
});

test('a question without consequences or money can be answered without waiting', async () => {
  await openPoints();
  holdResponses('points/balancesOf');
  const { consequences: _, ...alone } = adjustCommand;
  for (const command of [alone as AnyCommand, { ...adjustCommand, danger: 'irreversible' } as AnyCommand]) {
    const answersGiven = openConfirmation('button', command);
    await expect.element(confirmButton()).not.toHaveAttribute('aria-disabled', 'true');
    await confirmButton().click();
    await expect.poll(() => answersGiven).toEqual([true]);
  }
});

test('a review shows no ID of a chosen value while its options load again', async () => {
  await openPoints();
  const pending: ((options: FieldOption[]) => void)[] = [];
  const options = ({ signal }: FieldContext) =>
    new Promise<FieldOption[]>((resolve, reject) => {
      pending.push(resolve);
      signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
  const fields = { address: pickField('points.field.address', options) };
  const command = { ...adjustCommand, params: { ...adjustCommand.params, fields } } as AnyCommand;
  delete command.consequences;
  delete command.reviewNamesParams;
  openConfirmation('button', command);
  const value = confirmDialog().css('dd');
  await expect.element(value).toHaveTextContent('…');
  $confirm.set({ ...($confirm.get() as OpenConfirm), targets: [] });
  await expect.poll(() => pending.length).toBe(2);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(value.element().textContent).toBe('…');
  pending[1]?.([{ value: address, label: 'Treasury' }]);
  await expect.element(value).toHaveTextContent('Treasury');
});
