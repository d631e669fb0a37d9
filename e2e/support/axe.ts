import axe, { type RunOptions } from 'axe-core';
import type { Page } from 'playwright/test';

/** What of a page is looked at, and by which rules; nothing said: all of it, by all of them. */
export interface Looked {
  /** What is looked at, and what in it is not, as selectors. */
  include?: string[];
  exclude?: string[];
  /** Rules that are asked by name alone. */
  only?: readonly string[];
  /** Rules that are not asked. */
  except?: readonly string[];
}

/** What axe finds wrong on the page as it stands, one line for each thing. It is brought to a page once, not for each look. */
export async function violations(
  page: Page,
  { include = ['html'], exclude = [], only, except = [] }: Looked = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const options: RunOptions = {
    resultTypes: ['violations'],
    rules: Object.fromEntries(except.map((rule) => [rule, { enabled: false }])),
    ...(only ? { runOnly: { type: 'rule', values: [...only] } } : {}),
  };
  const context = { include, exclude };
  return page.evaluate(
    async ([where, how]) => {
      const { violations: found } = await (window as unknown as { axe: typeof axe }).axe.run(where, how);
      return found.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}\n${failureSummary}`),
      );
    },
    [context, options] as const,
  );
}
