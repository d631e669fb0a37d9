import axe, { type RunOptions } from 'axe-core';
import type { Page } from 'playwright/test';

/** Default: whole page, all rules. */
export interface AxeScope {
  /** Selectors. */
  include?: string[];
  exclude?: string[];
  only?: readonly string[];
  except?: readonly string[];
}

/** One line each. */
export async function axeViolations(
  page: Page,
  { include = ['html'], exclude = [], only, except = [] }: AxeScope = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const options: RunOptions = {
    resultTypes: ['violations'],
    rules: Object.fromEntries(except.map((rule) => [rule, { enabled: false }])),
    ...(only ? { runOnly: { type: 'rule', values: [...only] } } : {}),
  };
  const context = { include, exclude };
  return page.evaluate(
    async ([axeContext, runOptions]) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(axeContext, runOptions);
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}\n${failureSummary}`),
      );
    },
    [context, options] as const,
  );
}
