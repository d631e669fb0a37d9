import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { createStore } from '../../testing/factories/store.ts';
import { administrators } from '../platform/auth/tables.ts';
import { mails } from '../platform/content/tables.ts';
import { createApi, createTestApp, signInAs, type TestApp, type TestSession } from '../testing/support.ts';

let app: TestApp;
let access: TestSession;

beforeAll(async () => {
  app = await createTestApp({}, { jobs: false });
  access = await signInAs(app, 'all');
});

const mailsTo = (recipient: string) => app.database.db.select().from(mails).where(eq(mails.recipient, recipient));

test('an account without a password gets one by the link of a colleague, and never without a colleague', async () => {
  const { id, email, version } = await createStore(app.database.db).person({ passwordHash: null });
  await createApi(app).session.forgot({ email });
  expect(await mailsTo(email)).toEqual([]);
  await access.api.administrators.resetPassword({ id, version });
  const [mail] = await mailsTo(email);
  const token = /#set-password=([\w-]+)/.exec(mail?.body ?? '')?.[1] ?? '';
  const password = 'a lantern of my very own';
  expect(await createApi(app).session.usePasswordLink({ token, password })).toEqual({ email });
  const [row] = await app.database.db.select().from(administrators).where(eq(administrators.id, id));
  expect(row?.passwordHash).toMatch(/^\$argon2id/);
});
