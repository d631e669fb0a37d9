import { expect, test } from '../fixtures.ts';

test.describe('a panel that was started for tests', { tag: '@long' }, () => {
  test.use({ serverEnv: { QA_TOOLS: 'on', DEVNET: 'on' } });
  test.describe.configure({ mode: 'serial' });

  test('is kept under a name, brought back, and reset', async ({ admin }) => {
    test.setTimeout(150_000);
    const environment = admin.environment;
    const titles = async () => (await admin.read('news', { filter: { q: 'Environment' } })).map(({ title }) => title);
    const add = (title: string) =>
      admin.run('news.add', {
        params: { title, description: 'd', image: 'https://example.com/a.png', link: 'https://example.com' },
      });
    await admin.signIn('all', '/news');
    await add('Environment one');
    await environment.keep('one');
    await admin.open('/news'); // its session is still there
    await add('Environment two');
    expect((await titles()).toSorted()).toEqual(['Environment one', 'Environment two']);
    await environment.restore('one');
    await admin.open('/news');
    expect(await titles()).toEqual(['Environment one']);
    await environment.reset();
    await expect(admin.open('/news')).rejects.toMatchObject({ code: 'SIGNED_OUT' });
    await admin.signIn('all', '/news');
    expect(await titles()).toEqual([]);
    expect((await admin.read('news')).length).toBeGreaterThan(0); // seeded
    await expect(environment.restore('another')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('obeys nobody without the right', async ({ admin, page, server }) => {
    await admin.signIn('editor', '/news');
    await expect(admin.environment.reset()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(admin.environment.mail('admin@demo.local')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await page.request.post(`${server.url}/qa/reset`)).status()).toBe(401);
    await admin.open('/news');
  });

  test('empties no database in which somebody was before the demo', async ({ admin, db }) => {
    await admin.signIn('all', '/news');
    const before = `update administrators set demo = $1, created_at = created_at + $2 where email = 'analyst@demo.local'`;
    await db.query(before, [false, '-1 day']);
    await expect(admin.environment.reset()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(admin.environment.keep('theirs')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await db.query(before, [true, '1 day']);
    await admin.open('/news');
  });

  test('what is made for a test, blocks and mail', async ({ admin, make }) => {
    await admin.signIn('all', '/selfCustody/deposit');
    const deposit = await make.deposit({ btc: '0.5' });
    expect(deposit).toMatchObject({ amount: '50000000' });
    expect(await admin.get('deposits', deposit.id)).toMatchObject({ txid: deposit.txid });
    await admin.environment.mine(3);
    await admin.page.request.post(`${admin.url}/api/session/forgot`, { data: { email: 'editor@demo.local' } });
    const [mail] = await admin.environment.mail('editor@demo.local');
    expect(mail).toMatchObject({ to: 'editor@demo.local', text: expect.stringMatching(/\d{6}/) });
    await make.unmake();
    expect(await admin.get('deposits', deposit.id)).toBeNull();
  });
});
