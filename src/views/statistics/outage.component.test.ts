import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { apiFailure, mockRoutes } from '../../testing/api.ts';
import { signIn } from '../../testing/panel.tsx';

const failWithOutage = () => {
  throw apiFailure('UNAVAILABLE', { what: 'statistics', retryAfter: 5 });
};
const routes = {
  home: {
    waiting: mockRoutes.home.waiting.handler(() => []),
    outages: mockRoutes.home.outages.handler(() => ['statistics' as const]),
  },
  visits: {
    list: mockRoutes.visits.list.handler(failWithOutage),
    totals: mockRoutes.visits.totals.handler(failWithOutage),
    series: mockRoutes.visits.series.handler(failWithOutage),
  },
};

test('Home and page statistics say that visits are unavailable while the statistics database is down', async () => {
  const outageText = '统计数据库无响应，暂时无法查看访问数据，其他功能不受影响。';
  await signIn('all', '/', routes);
  await expect.element(page.css('[data-outage="statistics"]')).toHaveTextContent(outageText);
  await signIn('all', '/statistics/dataView', routes);
  await expect.element(page.css('[role="alert"]').filter({ hasText: outageText })).toBeVisible();
  await expect.poll(() => document.body.innerText.split(outageText).length - 1).toBe(1);
});
