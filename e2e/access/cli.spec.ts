import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { axeViolations } from '../support/axe.ts';

const texts = {
  'zh-CN': {
    title: '确定批准该终端登录？',
    gone: '登录请求已过期或已使用',
    limit: '资金、托管、CRSM、权限和审计操作',
    act: '批准登录',
  },
  'en-US': {
    title: 'Allow this terminal to sign in?',
    gone: 'The sign-in request has expired or was used',
    limit: 'Money, custody, CRSM, access and audit functions',
    act: 'Allow sign-in',
  },
} as const;

const dialog = (page: Page) => page.locator('[role=dialog][aria-modal=true]');
const code = (page: Page) => page.locator('[data-cli-code]');

async function startLogin(url: string, name = 'build-01', port: number | null = null) {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const post = (path: string, body: unknown) =>
    fetch(`${url}/api/cli/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  expect((await post('start', { challenge, name, port })).status).toBe(200);
  return { challenge, exchange: (typed: string) => post('exchange', { verifier, code: typed }) };
}

for (const locale of ['zh-CN', 'en-US'] as const)
  test.describe(`in ${locale}`, () => {
    test.use({ locale });

    test('a terminal is allowed by keyboard alone, and its code is shown once', async ({ admin, page }) => {
      const { challenge, exchange } = await startLogin(admin.url);
      await admin.signIn('all', '/');
      await page.goto(`${admin.url}/~cli.approve?challenge=${challenge}`);
      await expect(dialog(page).getByRole('heading', { name: texts[locale].title })).toBeVisible();
      await expect(page.locator('[data-machine]')).toContainText('build-01');
      await expect(page.locator('[data-terminal-address]')).toContainText('127.0.0.1');
      await expect(page.locator('[data-browser-address]')).toContainText('127.0.0.1');
      await expect(dialog(page)).toContainText(texts[locale].limit);
      expect(await axeViolations(page)).toEqual([]);
      await page.keyboard.press('Control+Enter');
      await expect(code(page)).toBeVisible();
      expect(await axeViolations(page)).toEqual([]);
      const response = await exchange((await code(page).textContent()) ?? '');
      expect(await response.json()).toMatchObject({ access: { email: 'admin@demo.local' } });
      await page.keyboard.press('Escape');
      await expect(code(page)).toBeVisible();
      await page.getByRole('alertdialog').getByRole('button').last().press('Enter');
      await expect(code(page)).toHaveCount(0);
      expect(page.url()).not.toContain(challenge);
      await admin.open('/account');
      await expect(page.getByRole('row').filter({ hasText: 'CLI · build-01' }).first()).toBeVisible();
    });

    test('a wrong or used request cannot be allowed', async ({ admin, page }) => {
      await admin.signIn('editor', '/');
      const unknown = createHash('sha256').update(randomBytes(8)).digest('base64url');
      await page.goto(`${admin.url}/~cli.approve?challenge=${unknown}`);
      await expect(dialog(page).getByRole('alert')).toContainText(texts[locale].gone);
      await expect(dialog(page).getByRole('button', { name: texts[locale].act })).toHaveAttribute('aria-disabled', 'true');
      await page.keyboard.press('Control+Enter');
      await expect(code(page)).toHaveCount(0);
    });
  });

test('the browser brings the code to a terminal on this machine', async ({ admin, page }) => {
  const requests: string[] = [];
  const terminal = createServer(({ url = '' }, response) => {
    requests.push(url);
    response.setHeader('content-type', 'text/html').end('<h1>Back in the terminal</h1>');
  }).listen(0, '127.0.0.1');
  await once(terminal, 'listening');
  const { port } = terminal.address() as AddressInfo;
  const { challenge, exchange } = await startLogin(admin.url, 'build-01', port);
  await admin.signIn('editor', '/');
  await page.goto(`${admin.url}/~cli.approve?challenge=${challenge}`);
  await expect(page.locator('[data-cli-request]')).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Back in the terminal' })).toBeVisible();
  const arrived = new URL(requests[0] ?? '', `http://127.0.0.1:${port}`);
  expect(arrived.pathname).toBe(`/${challenge}`);
  expect((await exchange(arrived.searchParams.get('code') ?? '')).status).toBe(200);
  await page.goto(admin.url);
  terminal.close();
  terminal.closeAllConnections();
});

test('a hostile machine name is shown as text, and the address cannot replace it', async ({ admin, page }) => {
  const name = '<img src=x onerror=alert(1)> your bank';
  const { challenge } = await startLogin(admin.url, name);
  await admin.signIn('editor', '/');
  await page.goto(`${admin.url}/~cli.approve?challenge=${challenge}&name=trusted&port=1`);
  await expect(page.locator('[data-machine]')).toContainText(name);
  await expect(dialog(page)).not.toContainText('trusted');
  await expect(page.locator('[data-machine] img')).toHaveCount(0);
});

test('a person who is signed out signs in first, and the page cannot be framed', async ({ admin, page }) => {
  const { challenge } = await startLogin(admin.url);
  const response = await page.goto(`${admin.url}/~cli.approve?challenge=${challenge}`);
  expect(response?.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
  await expect(page).toHaveURL(/\/login/);
  await page.getByRole('textbox').first().fill('editor@demo.local');
  await page.locator('input[type=password]').fill('demo-keys-open-doors');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-machine]')).toContainText('build-01');
});
