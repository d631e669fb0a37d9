import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { hostileTexts } from '../../../../server/testing/hostile-texts.ts';
import { press } from '../../../testing/keys.ts';
import { listRows } from '../../../testing/list.ts';
import { newsOf, newsRoutes } from '../../../testing/news.ts';
import { signIn } from '../../../testing/panel.tsx';
import { importTraces } from '../../../testing/traces.ts';

// Without a content policy, so that markup that could run would run.
// server/suites/hostile-text.long.test.ts and e2e/suites/hostile-text.spec.ts cover storage and
// policy.

const deeds: string[] = [];
beforeEach(() => {
  deeds.length = 0;
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'open'] as const)
    vi.spyOn(window, name).mockImplementation(
      (...provided: unknown[]) => void deeds.push(`${name} ${String(provided)}`) as never,
    );
});
afterEach(() => void vi.restoreAllMocks());

const screenful = 18;

for (let from = 0; from < hostileTexts.length; from += screenful) {
  const texts = hostileTexts.slice(from, from + screenful);
  test(
    `hostile texts ${from + 1} to ${from + texts.length} stay text in the list and in each record`,
    { timeout: 60_000 },
    async () => {
      await signIn('all', '/news', {
        news: newsRoutes(newsOf(texts, (text) => ({ title: text, description: text, image: text, link: text }))),
      });
      await expect.element(listRows()).toHaveLength(texts.length);
      for (const [at, text] of texts.entries())
        expect(listRows().nth(at).css('[data-column="title"]').element().textContent?.trim()).toBe(text.trim());
      expect(importTraces()).toEqual([]);
      await press('j');
      await press('Enter');
      for (const [at, text] of texts.entries()) {
        if (at > 0) await press(']');
        await expect.poll(() => page.css('[data-record]').elements()[0]?.textContent ?? '').toContain(text.trim());
        expect(importTraces(), text).toEqual([]);
      }
      expect(deeds).toEqual([]);
      expect(performance.getEntriesByType('resource').filter(({ name }) => /^https?:\/\/evil\.example/.test(name))).toEqual([]);
    },
  );
}
