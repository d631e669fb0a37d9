import { eq, ne } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { administrators, identityLinks, sessions } from '../platform/auth/tables.ts';
import { newId } from '../platform/core/ids.ts';
import { createTestApp, signInAs, type TestApp, type TestSession } from '../testing/support.ts';

let app: TestApp;
let manager: TestSession;
let id: string;

const change = (values: Partial<typeof administrators.$inferInsert>) =>
  app.database.db.update(administrators).set(values).where(eq(administrators.id, id));
const setOthers = (enabled: boolean) => app.database.db.update(administrators).set({ enabled }).where(ne(administrators.id, id));

beforeAll(async () => {
  app = await createTestApp({}, { jobs: false });
  manager = await signInAs(app, 'all');
  const { email } = await manager.api.session.current();
  const [row] = await app.database.db.select().from(administrators).where(eq(administrators.email, email));
  id = row?.id ?? '';
  const now = new Date(app.clock.now);
  await change({ demo: false, totpSecret: 'sealed', factorVouchedAt: now });
  await app.database.db.update(sessions).set({ factorAt: now }).where(eq(sessions.administratorId, id));
  const link = { id: newId(), administratorId: id, issuer: 'https://idp.example', subject: 'last', origin: 'self' as const };
  await app.database.db.insert(identityLinks).values({ ...link, createdAt: now });
});

test('the last access manager keeps a second factor that a colleague would have to vouch for', async () => {
  await setOthers(false);
  await expect(manager.api.account.removeTotp()).rejects.toMatchObject({ code: 'LAST_ACCESS' });
  const [row] = await app.database.db.select().from(administrators).where(eq(administrators.id, id));
  expect(row).toMatchObject({ totpSecret: 'sealed' });
  await setOthers(true);
  expect(await manager.api.account.removeTotp()).toEqual({});
});
