import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { callsOf, apiFailure, on } from '../../../testing/api.ts';
import { press } from '../../../testing/keys.ts';
import { openNews } from '../../../testing/list.ts';
import { newsRoutes } from '../../../testing/news.ts';
import { signIn } from '../../../testing/panel.tsx';

const peek = () => page.css('[data-peek]');
const isOpen = () => new URLSearchParams(location.search).has('open');
const away = (): never => {
  throw apiFailure('UNAVAILABLE');
};

test('a record shows its list row while the server is down, and closes once deleted', async () => {
  const answers = { code: 'UNAVAILABLE' as 'UNAVAILABLE' | 'NOT_FOUND' };
  const many = on.news.many.handler(() => {
    throw apiFailure(answers.code);
  });
  await signIn('all', '/news', { news: { ...newsRoutes(), many } });
  await openNews(2);
  await press('Enter');
  await expect.poll(() => callsOf('news/many').length).toBe(3);
  await expect.element(peek().getByRole('heading', { level: 2 })).toHaveTextContent('稳定池第三季度收益分配完成');
  expect(isOpen()).toBe(true);
  await press('Escape');
  await expect.poll(isOpen).toBe(false);

  answers.code = 'NOT_FOUND';
  await press('j');
  await press('Enter');
  await expect.poll(() => callsOf('news/many').length).toBe(4);
  await expect.poll(isOpen).toBe(false);
});

test('Escape closes a record that is still loading', async () => {
  const many = on.news.many.handler(() => new Promise<never>(() => {}));
  await signIn('all', '/news?open=0199b7d0-0000-7000-8000-00000000ffff', { news: { ...newsRoutes(), many } });
  await expect.poll(() => callsOf('news/many').length).toBeGreaterThan(0);
  await expect.element(page.getByRole('grid')).toBeVisible();
  await press('Escape');
  await expect.poll(isOpen).toBe(false);
});

test('an institution and an address with its points show their list row while the server is down', async () => {
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  await signIn('all', '/', {
    dataPanel: { get: on.dataPanel.get.handler(away) },
    points: { balancesOf: on.points.balancesOf.handler(away) },
  });
  for (const [path, route] of [
    ['/selfCustody/dataPanel', 'dataPanel/get'],
    ['/points', 'points/balancesOf'],
  ] as const) {
    history.replaceState(null, '', `${path}?open=${address}`);
    dispatchEvent(new PopStateEvent('popstate'));
    await expect.poll(() => callsOf(route).length).toBe(3);
    await new Promise((done) => setTimeout(done, 200)); // lets any follow-up request happen
    expect(isOpen(), route).toBe(true);
  }
});
