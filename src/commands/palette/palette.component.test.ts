import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { palette, signIn } from '../../testing/panel.tsx';

test('a choice: options found by their words, the highlighted one taken', async () => {
  await signIn('all', '/');
  await palette('theme.set');
  await expect.element(page.css('[data-palette] [cmdk-item]')).toHaveLength(4);
});
