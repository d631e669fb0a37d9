import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { apiFailure, on } from '../../testing/api.ts';
import { signIn } from '../../testing/panel.tsx';

const down = () => {
  throw apiFailure('UNAVAILABLE', { what: 'statistics', retryAfter: 5 });
};
const routes = {
  home: { waiting: on.home.waiting.handler(() => []), outages: on.home.outages.handler(() => ['statistics' as const]) },
  visits: {
    list: on.visits.list.handler(down),
    totals: on.visits.totals.handler(down),
    series: on.visits.series.handler(down),
  },
};

test('Home and page statistics say that visits are unavailable while the statistics database is down', async () => {
  const words = '统计数据库无响应，暂时无法查看访问数据，其他功能不受影响。';
  await signIn('all', '/', routes);
  await expect.element(page.css('[data-outage="statistics"]')).toHaveTextContent(words);
  await signIn('all', '/statistics/dataView', routes);
  await expect.element(page.css('[data-totals]')).toHaveTextContent(words);
  await expect.element(page.css('[data-chart] [role="alert"]')).toHaveTextContent(words);
  await expect.element(page.css('[role="alert"]').filter({ hasText: words }).last()).toBeVisible();
});
