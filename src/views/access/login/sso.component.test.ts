import { afterEach, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { apiFailure, mockRoutes, readCalls, registerSession, startApi } from '../../../testing/api.ts';
import { press } from '../../../testing/keys.ts';
import { loadPage, openSignedOut, signIn } from '../../../testing/panel.tsx';
import { accessOfRole } from '../../../testing/roles.ts';

function setSsoWay(required: boolean): void {
  document.querySelector('meta[name=sso]')?.remove();
  const content = JSON.stringify({ name: 'Acme', required });
  document.head.append(Object.assign(document.createElement('meta'), { name: 'sso', content }));
}
beforeEach(() => setSsoWay(false));
afterEach(() => {
  document.querySelector('meta[name=sso]')?.remove();
  delete window.ssoQuery;
});

const { session } = mockRoutes;
const providerButton = () => page.getByRole('button', { name: '使用 Acme 登录' });
const alert = () => page.css('[data-flow="sso"] [role="alert"]');

/** As src/boot.ts leaves the page when the provider returns. */
async function openAnswer(query: string): Promise<void> {
  window.ssoQuery = query;
  await loadPage('/login');
}

const signedIn = () => {
  const access = accessOfRole('all', 'link@demo.local');
  registerSession('linked', access);
  return { authorization: 'linked', access };
};

test('the provider’s button comes first, and the email keeps the focus', async () => {
  await openSignedOut('/login');
  await expect.element(page.getByLabelText('邮箱')).toHaveFocus();
  expect(page.css('main button').first().element().textContent).toBe('使用 Acme 登录');
});

test('with SSO_REQUIRED the provider’s button is focused, and the other ways open on request', async () => {
  setSsoWay(true);
  await openSignedOut('/login');
  await expect.element(providerButton()).toHaveFocus();
  expect(page.getByLabelText('邮箱').query()).toBeNull();
  await page.getByRole('button', { name: '其他登录方式' }).click();
  await expect.element(page.getByLabelText('邮箱')).toHaveFocus();
  await expect.element(page.getByRole('button', { name: '连接钱包登录' })).toBeVisible();
});

test('the provider’s answer is posted once and signs in', async () => {
  await openSignedOut('/404');
  startApi({ session: { answerSso: session.answerSso.handler(signedIn) } });
  await openAnswer('code=a1&state=s1');
  await expect.poll(() => location.pathname).not.toBe('/login');
  expect(readCalls('session/answerSso').map(({ input }) => input)).toEqual([{ query: 'code=a1&state=s1' }]);
  expect(window.ssoQuery).toBeUndefined();
});

test('an invitation shows both accounts and links only after the confirmation', async () => {
  await openSignedOut('/404');
  startApi({
    session: {
      answerSso: session.answerSso.handler(() => ({
        step: 'link' as const,
        ticket: 't1',
        provider: { name: 'Acme', email: 'lin@acme.example', displayName: 'Lin' },
        account: { email: 'link@demo.local' },
      })),
      confirmSsoLink: session.confirmSsoLink.handler(signedIn),
    },
  });
  await openAnswer('code=a2&state=s2');
  for (const text of ['Lin', 'lin@acme.example', 'link@demo.local'])
    await expect.element(page.getByText(text, { exact: true })).toBeVisible();
  await expect.element(page.getByRole('heading', { name: '确定关联这两个账户？' })).toHaveFocus();
  await press('Enter');
  expect(readCalls('session/confirmSsoLink')).toEqual([]);
  await page.getByRole('button', { name: '关联账户' }).click();
  await expect.poll(() => location.pathname).not.toBe('/login');
  expect(readCalls('session/confirmSsoLink').map(({ input }) => input)).toEqual([{ ticket: 't1' }]);
});

test('the person of a session confirms a link of their own and returns to My account', async () => {
  await signIn('all', '/notices', {
    session: {
      answerSso: session.answerSso.handler(() => ({
        step: 'link' as const,
        ticket: 't2',
        provider: { name: 'Acme', email: null, displayName: null },
        account: { email: 'all@demo.local' },
      })),
      confirmSsoLink: session.confirmSsoLink.handler(() => ({ step: 'linked' as const })),
    },
  });
  await openAnswer('code=a3&state=s3');
  await page.getByRole('button', { name: '关联账户' }).click();
  await expect.poll(() => location.pathname).toBe('/account');
});

test('a proof tells the page that asked for it, and asks to go back to that tab', async () => {
  await signIn('all', '/notices', { session: { answerSso: session.answerSso.handler(() => ({ step: 'proven' as const })) } });
  const channel = new BroadcastChannel('sso.proven');
  const told = new Promise((resolve) => (channel.onmessage = resolve));
  await openAnswer('code=a4&state=s4');
  await expect.element(page.getByRole('heading', { name: '已确认身份' })).toHaveFocus();
  await told;
  channel.close();
});

test.each([
  ['NOT_INVITED', '没有账户与该登录关联，请联系权限管理员邀请您。'],
  ['OTHER_PERSON', '您使用了其他 Acme 账户登录。请先在 Acme 退出登录，再使用已关联的账户登录。'],
  ['CLOCK', 'Acme 与本服务器的时间相差 90 秒，请联系管理员。'],
])('a sign-in refused as %s says why and can start again', async (reason, text) => {
  await openSignedOut('/404');
  const fail = () => {
    throw apiFailure('SSO_FAILED', { reason, name: 'Acme', seconds: 90 });
  };
  startApi({ session: { answerSso: session.answerSso.handler(fail) } });
  await openAnswer(`code=${reason}&state=s`);
  await expect.element(alert()).toHaveTextContent(text);
  await expect.element(providerButton()).toHaveFocus();
  await page.getByRole('button', { name: '返回登录' }).click();
  await expect.element(page.getByLabelText('邮箱')).toBeVisible();
});

test('the token of an invitation leaves the address and survives a reload', async () => {
  await openSignedOut('/login#link-sso=invitation-token');
  await expect.element(page.getByRole('heading', { name: '关联 Acme' })).toBeVisible();
  expect(location.href).not.toContain('invitation-token');
  await loadPage('/login');
  startApi({ session: { startSso: session.startSso.handler(() => Promise.reject(apiFailure('LINK_GONE'))) } });
  await providerButton().click();
  await expect.element(alert()).toHaveTextContent('该链接已使用或已失效，请重新获取。');
  expect(readCalls('session/startSso').map(({ input }) => input)).toEqual([{ invitation: 'invitation-token' }]);
  await page.getByRole('button', { name: '返回登录' }).click();
  await loadPage('/login');
  await expect.element(page.getByLabelText('邮箱')).toBeVisible();
});
