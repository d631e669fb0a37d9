import { spawnSync } from 'node:child_process';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { bundleOf } from '../scripts/setup.mjs';
import { demoAccounts } from './seed/roles.ts';
import { administrators } from './platform/auth/tables.ts';
import { readConfig } from './platform/core/config.ts';
import { seal, unseal } from './platform/core/encryption.ts';
import { createTestDatabase } from './testing/support.ts';

const [oldKey, newKey] = ['the old key, that is long enough to be one', 'the new key, that is long enough to be one'];

test('after a rotation the new key alone decrypts authenticator secrets', async () => {
  const { db, url } = await createTestDatabase();
  const [email = ''] = demoAccounts.map((account) => account.email);
  const [owner] = await db.select().from(administrators).where(eq(administrators.email, email));
  const secretUse = `totp ${owner?.id}`;
  await db
    .update(administrators)
    .set({ totpSecret: seal(readConfig({ SECRET_KEY: oldKey }), secretUse, 'JBSWY3DPEHPK3PXP') })
    .where(eq(administrators.email, email));
  const runRotation = (env: Record<string, string>) =>
    spawnSync(process.execPath, [bundleOf('secret-key-rotate')], { env: { DATABASE_URL: url, ...env }, encoding: 'utf8' });

  expect(runRotation({ SECRET_KEY: newKey }).stderr).toBe(
    'Set SECRET_KEY to the new key and SECRET_KEY_ACCEPTED to the old one.\n',
  );
  expect(runRotation({ SECRET_KEY: newKey, SECRET_KEY_ACCEPTED: oldKey })).toMatchObject({
    status: 0,
    stdout: 'Authenticator secrets encrypted with the new key: 1.\nSECRET_KEY_ACCEPTED can be removed on every server.\n',
  });
  const [rotatedRow] = await db.select().from(administrators).where(eq(administrators.email, email));
  expect(unseal(readConfig({ SECRET_KEY: newKey }), secretUse, rotatedRow?.totpSecret ?? '')).toBe('JBSWY3DPEHPK3PXP');
});
