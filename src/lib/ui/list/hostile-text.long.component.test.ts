import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { hostileTexts } from '../../../../server/testing/hostile-texts.ts';
import { press } from '../../../testing/keys.ts';
import { listRows } from '../../../testing/list.ts';
import { buildNews, newsRoutes } from '../../../testing/news.ts';
import { signIn } from '../../../testing/panel.tsx';
import { importTraces } from '../../../testing/traces.ts';

// Without a content policy, so that markup that could run would run.
// server/suites/hostile-text.long.test.ts and e2e/suites/hostile-text.spec.ts cover storage and
// policy.

const sideEffects: string[] = [];
beforeEach(() => {
  sideEffects.length = 0;
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'open'] as const)
    vi.spyOn(window, name).mockImplementation((...args: unknown[]) => void sideEffects.push(`${name} ${String(args)}`) as never);
});
afterEach(() => void vi.restoreAllMocks());

const rowsPerScreen = 18;

for (let from = 0; from < hostileTexts.length; from += rowsPerScreen) {
  const screenTexts = hostileTexts.slice(from, from + rowsPerScreen);
  test(
    `hostile texts ${from + 1} to ${from + screenTexts.length} stay text in the list and in each record`,
    { timeout: 60_000 },
    async () => {
      await signIn('all', '/news', {
        news: newsRoutes(buildNews(screenTexts, (text) => ({ title: text, description: text, image: text, link: text }))),
      });
      await expect.element(listRows()).toHaveLength(screenTexts.length);
      for (const [index, text] of screenTexts.entries())
        expect(listRows().nth(index).css('[data-column="title"]').element().textContent?.trim()).toBe(text.trim());
      expect(importTraces()).toEqual([]);
      await press('j');
      await press('Enter');
      for (const [index, text] of screenTexts.entries()) {
        if (index > 0) await press(']');
        await expect.poll(() => page.css('[data-record]').elements()[0]?.textContent ?? '').toContain(text.trim());
        expect(importTraces(), text).toEqual([]);
      }
      expect(sideEffects).toEqual([]);
      expect(performance.getEntriesByType('resource').filter(({ name }) => /^https?:\/\/evil\.example/.test(name))).toEqual([]);
    },
  );
}
