import { expect, test } from '../fixtures.ts';
import { build } from '../../testing/factories/build.ts';

test.describe('a panel started for tests', { tag: '@long' }, () => {
  test.use({ serverEnv: { QA_TOOLS: 'on', DEVNET: 'on', SIGN_IN_FREE: '5', DEMO_WALLET: 'on' } });
  test.describe.configure({ mode: 'serial' });

  test('is saved under a name, restored and reset', async ({ admin }) => {
    test.setTimeout(150_000);
    const environment = admin.environment;
    const readTitles = async () => (await admin.read('news', { filter: { q: 'Environment' } })).map(({ title }) => title);
    const addNews = (title: string) =>
      admin.run('news.add', {
        params: build.newsFields({ title }),
      });
    await admin.signIn('all', '/news');
    await addNews('Environment one');
    await environment.keep('one');
    await admin.open('/news');
    await addNews('Environment two');
    expect((await readTitles()).toSorted()).toEqual(['Environment one', 'Environment two']);
    await environment.restore('one');
    await admin.open('/news');
    expect(await readTitles()).toEqual(['Environment one']);
    await environment.reset();
    await expect(admin.open('/news')).rejects.toMatchObject({ code: 'SIGNED_OUT' });
    await admin.signIn('all', '/news');
    expect(await readTitles()).toEqual([]);
    expect((await admin.read('news')).length).toBeGreaterThan(0);
    await expect(environment.restore('another')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('refuses people without the permission', async ({ admin, page, server }) => {
    await admin.signIn('editor', '/news');
    await expect(admin.environment.reset()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(admin.environment.mail('admin@demo.local')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(admin.environment.forward({ days: 1 })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(admin.environment.limits('off')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await page.request.post(`${server.url}/qa/reset`)).status()).toBe(401);
    await admin.open('/news');
  });

  test('refuses to empty a database that was used before the demo', async ({ admin, db }) => {
    await admin.signIn('all', '/news');
    const updateSql = `update administrators set demo = $1, created_at = created_at + $2 where email = 'analyst@demo.local'`;
    await db.query(updateSql, [false, '-1 day']);
    await expect(admin.environment.reset()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(admin.environment.keep('theirs')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(admin.environment.forward({ days: 1 })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(admin.environment.limits('off')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect([await admin.environment.aheadMs(), await admin.environment.isUnlimited()]).toEqual([0, false]);
    await db.query(updateSql, [true, '1 day']);
    await admin.open('/news');
  });

  test('creates deposits, blocks and mail for a test', async ({ admin, make }) => {
    await admin.signIn('all', '/selfCustody/deposit');
    const deposit = await make.deposit({ btc: '0.5' });
    expect(deposit).toMatchObject({ amount: '50000000' });
    expect(await admin.get('deposits', deposit.id)).toMatchObject({ txid: deposit.txid });
    await admin.environment.mine(3);
    await admin.page.request.post(`${admin.url}/api/session/forgot`, { data: { email: 'editor@demo.local' } });
    const [sentMail] = await admin.environment.mail('editor@demo.local');
    expect(sentMail).toMatchObject({ to: 'editor@demo.local', text: expect.stringMatching(/\d{6}/) });
    await make.unmake();
    expect(await admin.get('deposits', deposit.id)).toBeNull();
  });

  test('advances its clock for sessions, pages, chain and signer, and restores it with a save', async ({
    admin,
    make,
    page,
    server,
  }) => {
    test.setTimeout(120_000);
    const { environment } = admin;
    const readChainHead = async () => {
      const data = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['latest', false] };
      const response = (await (await page.request.post(`${server.url}/dev/rpc`, { data })).json()) as {
        result: { timestamp: string };
      };
      return Number(response.result.timestamp) * 1000;
    };
    const dayMs = 86_400_000;
    await admin.signIn('all', '/news');
    await environment.keep('now');
    await admin.open('/news');
    const startedAt = Date.now();
    await environment.forward({ days: 40 });
    const isFortyDaysLater = (timestamp: number) => Math.abs(timestamp - startedAt - 40 * dayMs) < 120_000;
    expect(isFortyDaysLater((await environment.now()).getTime())).toBe(true);
    expect(isFortyDaysLater(await page.evaluate(() => new Date().getTime()))).toBe(true);
    expect(isFortyDaysLater(await readChainHead())).toBe(true);
    await expect(admin.open('/news')).rejects.toMatchObject({ code: 'SIGNED_OUT' });
    await admin.signIn('all', '/news');
    expect(isFortyDaysLater(await page.evaluate(() => Date.now()))).toBe(true);
    const { done } = await admin.run('news.add', {
      params: build.newsFields({ title: 'Of another day' }),
    });
    expect(isFortyDaysLater(Date.parse(done[0].createdAt))).toBe(true);
    await make.visits({ page: '/later' });
    await expect(environment.setTime(new Date(startedAt))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    // The signer uses that time too, and its clock check passes.
    await admin.open('/selfCustody/dataPanel');
    await expect(page.locator('[data-reserve-problem="ONE_NODE"]')).toBeVisible({ timeout: 60_000 });
    await environment.restore('now');
    expect(Math.abs((await page.evaluate(() => Date.now())) - Date.now())).toBeLessThan(5_000);
    await admin.signIn('all', '/news');
    expect(Math.abs((await page.evaluate(() => Date.now())) - Date.now())).toBeLessThan(5_000);
    expect(await admin.read('news', { filter: { q: 'Of another day' } })).toEqual([]);
  });

  test('turns its limits off and on', async ({ admin, make, page, server }) => {
    await admin.signIn('all', '/feedback');
    await admin.environment.limits('off');
    const email = 'often@example.com';
    for (let count = 1; count <= 6; count++) await make.feedback({ email, content: `Number ${count}` });
    const wrongCredentials = { data: { email: 'approver@demo.local', password: 'wrong' } };
    const exhaustAttempts = async () => {
      const codes = [];
      for (let count = 0; count < 8; count++)
        codes.push((await page.request.post(`${server.url}/api/session`, wrongCredentials)).status());
      return codes;
    };
    expect(new Set(await exhaustAttempts())).toEqual(new Set([401]));
    await admin.environment.limits('on');
    expect(await exhaustAttempts()).toContain(429);
  });

  test('creates each entity and removes it after the test', async ({ admin, make }) => {
    test.setTimeout(120_000);
    await admin.signIn('all', '/news');
    const newAdministrator = await make.administrator();
    const airdrop = await make.airdrop();
    const entry = await make.points();
    const view = await make.view();
    const withdrawal = await make.withdrawal();
    await make.visits({ page: '/made' });
    await make.walletConnections({ address: entry.address, wallet: 'Made' });
    expect((await admin.read('walletConnections', { filter: { address: entry.address } })).length).toBe(1);
    expect(await admin.get('airdrops', airdrop.id)).toMatchObject({ stage: 'QA' });
    expect(await admin.get('withdrawals', withdrawal.id)).toMatchObject({ status: 'todo' });
    const ownAccount = await make.account(['/', '/news']);
    await make.unmake();
    expect(await admin.get('airdrops', airdrop.id)).toBeNull();
    expect(await admin.get('withdrawals', withdrawal.id)).toMatchObject({ status: 'canceled' });
    expect(await admin.get('points', entry.id)).toMatchObject({ reversedBy: expect.stringMatching(/./) });
    for (const { email } of [newAdministrator, ownAccount])
      expect(await admin.read('administrators', { filter: { q: email } })).toEqual([]);
    await expect(admin.run('views.open', { params: { view: view.id } })).rejects.toMatchObject({ code: 'BLOCKED' });
    expect(test.info().annotations.filter(({ type }) => type === 'left behind')).toEqual([]);
  });
});
