import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { readCalls, apiFailure, mockRoutes } from '../../../testing/api.ts';
import { press } from '../../../testing/keys.ts';
import { openNews } from '../../../testing/list.ts';
import { newsRoutes } from '../../../testing/news.ts';
import { signIn } from '../../../testing/panel.tsx';

const findPeek = () => page.css('[data-peek]');
const isRecordOpen = () => new URLSearchParams(location.search).has('open');
const throwError = (): never => {
  throw apiFailure('UNAVAILABLE');
};

test('a record shows its list row while the server is down, and closes once deleted', async () => {
  const errorResponse = { code: 'UNAVAILABLE' as 'UNAVAILABLE' | 'NOT_FOUND' };
  const manyHandler = mockRoutes.news.many.handler(() => {
    throw apiFailure(errorResponse.code);
  });
  await signIn('all', '/news', { news: { ...newsRoutes(), many: manyHandler } });
  await openNews(2);
  await press('Enter');
  await expect.poll(() => readCalls('news/many').length).toBe(3);
  await expect.element(findPeek().getByRole('heading', { level: 2 })).toHaveTextContent('稳定池第三季度收益分配完成');
  expect(isRecordOpen()).toBe(true);
  await press('Escape');
  await expect.poll(isRecordOpen).toBe(false);

  errorResponse.code = 'NOT_FOUND';
  await press('j');
  await press('Enter');
  await expect.poll(() => readCalls('news/many').length).toBe(4);
  await expect.poll(isRecordOpen).toBe(false);
});

test('Escape closes a record that is still loading', async () => {
  const manyHandler = mockRoutes.news.many.handler(() => new Promise<never>(() => {}));
  await signIn('all', '/news?open=0199b7d0-0000-7000-8000-00000000ffff', { news: { ...newsRoutes(), many: manyHandler } });
  await expect.poll(() => readCalls('news/many').length).toBeGreaterThan(0);
  await expect.element(page.getByRole('grid')).toBeVisible();
  await press('Escape');
  await expect.poll(isRecordOpen).toBe(false);
});

test('an institution and an address with its points show their list row while the server is down', async () => {
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  await signIn('all', '/', {
    dataPanel: { get: mockRoutes.dataPanel.get.handler(throwError) },
    points: { balancesOf: mockRoutes.points.balancesOf.handler(throwError) },
  });
  for (const [path, route] of [
    ['/selfCustody/dataPanel', 'dataPanel/get'],
    ['/points', 'points/balancesOf'],
  ] as const) {
    history.replaceState(null, '', `${path}?open=${address}`);
    dispatchEvent(new PopStateEvent('popstate'));
    await expect.poll(() => readCalls(route).length).toBe(3);
    await new Promise((resolve) => setTimeout(resolve, 200)); // lets any follow-up request happen
    expect(isRecordOpen(), route).toBe(true);
  }
});
