import { Secret, TOTP } from 'otpauth';
import type { TestApi, TestApp } from './support.ts';

/** Sets up an authenticator app through the API. Guarded routes then accept the session for five minutes. */
export async function enrollTotp(app: TestApp, api: TestApi): Promise<TOTP> {
  const { secret } = await api.account.startTotp();
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await api.account.addTotp({ code: totp.generate({ timestamp: app.clock.now }) });
  return totp;
}
