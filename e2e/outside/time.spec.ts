import { expect, test } from '@admin-panel/qa';
import { findAccount } from './accounts.ts';

// Each worker has its own panel and clock.

test('the website shows a notice from its start time to its end time', async ({ admin, make, page }) => {
  await admin.signIn('/notices', findAccount('qa'));
  const now = (await admin.environment.now()).getTime();
  const timeAfter = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
  const notice = await make.notice({ startsAt: timeAfter(24), endsAt: timeAfter(48) });
  await admin.run('notices.show', { targets: [notice.id], confirm: true });
  const readPhase = async () => {
    await admin.signIn('/notices', findAccount('qa'));
    const phases = ['scheduled', 'current', 'over'];
    const rows = await Promise.all(
      phases.map((phaseName) => admin.read('notices', { filter: { phase: phaseName, q: notice.content } })),
    );
    return phases[rows.findIndex(({ length }) => length === 1)];
  };
  expect(await readPhase()).toBe('scheduled');
  await admin.environment.forward({ days: 1, minutes: 1 });
  expect(await readPhase()).toBe('current');
  await admin.environment.forward({ days: 1 });
  expect(await readPhase()).toBe('over');
  expect(Math.abs((await page.evaluate(() => Date.now())) - now - 48 * 3_600_000)).toBeLessThan(300_000);
});

test('a session without use ends after the idle time', async ({ admin }) => {
  await admin.signIn('/news', findAccount('qa'));
  await admin.environment.forward({ minutes: 31 });
  await expect(admin.open('/news')).rejects.toMatchObject({ code: 'SIGNED_OUT' });
});

test('one mailbox can send more than five feedback entries a day with limits off', async ({ admin, make }) => {
  await admin.signIn('/feedback', findAccount('qa'));
  await admin.environment.limits('off');
  const email = `often-${Date.now()}@example.com`;
  for (let count = 1; count <= 6; count++) await make.feedback({ email, content: `Number ${count}` });
  expect((await admin.read('feedback', { filter: { email } })).length).toBe(6);
  await admin.environment.limits('on');
});
