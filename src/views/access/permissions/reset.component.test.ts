import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { TreeChange } from '../../../../api/access/permissions.ts';
import { runCommand } from '../../../commands/app/app.ts';
import { mockRoutes, readCalls } from '../../../testing/api.ts';
import { signIn } from '../../../testing/panel.tsx';

async function askReset(changes: TreeChange[]): Promise<void> {
  await signIn('all', '/news', {
    permissions: {
      changes: mockRoutes.permissions.changes.handler(() => ({ changes })),
      reset: mockRoutes.permissions.reset.handler(() => ({ changes })),
    },
  });
  runCommand({ id: 'permissions.reset' }, 'button');
}
const question = () => page.getByRole('alertdialog');
const confirmButton = () => question().getByRole('button').last();

test('an unchanged permission tree can’t be reset, with the reason beside the button', async () => {
  await askReset([]);
  await expect.element(confirmButton()).toHaveAccessibleDescription('权限树与内置权限树一致，无需恢复。');
  await expect.element(confirmButton()).toHaveAttribute('aria-disabled', 'true');
  await confirmButton().click({ force: true });
  await expect.element(question()).toBeVisible();
  expect(readCalls('permissions/reset')).toEqual([]);
});

test('a changed permission tree lists its changes and can be reset', async () => {
  await askReset([{ what: 'added', identifier: 'news.add', zh: '添加新闻', en: 'Add news item', roles: [] }]);
  await expect.element(question().css('[data-consequences]')).toHaveTextContent('news.add');
  await expect.element(confirmButton()).not.toHaveAttribute('aria-disabled', 'true');
  await confirmButton().click();
  await expect.poll(() => readCalls('permissions/reset')).toHaveLength(1);
});
