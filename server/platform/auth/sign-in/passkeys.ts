import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { and, eq } from 'drizzle-orm';
import { passkeys } from '../tables.ts';
import { burnChallenge, putChallenge } from './challenges.ts';
import type { RequestContext } from '../../services/context.ts';
import { appError } from '../../core/errors.ts';
import { describeError } from '../../core/log.ts';

const challengeOf = (options: { challenge: string }) => options.challenge;
const rp = ({ services: { config } }: RequestContext) => ({
  rpID: new URL(config.publicUrl).hostname,
  origins: [config.publicUrl],
});

const keysOf = ({ db }: RequestContext, administratorId: string) =>
  db.select().from(passkeys).where(eq(passkeys.administratorId, administratorId));

const transportsOf = (stored: string) => ({ transports: stored.split(' ').filter(Boolean) });

export async function passkeyCreationOptions(
  context: RequestContext,
  { id, email }: { id: string; email: string },
  sessionId: string,
): Promise<string> {
  const existing = await keysOf(context, id);
  const options = await generateRegistrationOptions({
    rpName: 'Admin Panel',
    rpID: rp(context).rpID,
    userName: email,
    userID: new Uint8Array(Buffer.from(id)),
    attestationType: 'none',
    excludeCredentials: existing.map(({ credentialId, transports }) => ({ id: credentialId, ...transportsOf(transports) })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  });
  const challenge = { purpose: 'addPasskey', browser: sessionId, administratorId: id };
  await putChallenge(context.db, context, challenge, challengeOf(options));
  return JSON.stringify(options);
}

/** Throws FACTOR_WRONG. */
export async function verifyNewPasskey(context: RequestContext, administratorId: string, response: string, sessionId: string) {
  const challenge = await burnChallenge(context.db, context, 'addPasskey', sessionId);
  if (!challenge || challenge.administratorId !== administratorId) throw appError('FACTOR_WRONG');
  const { rpID, origins } = rp(context);
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: JSON.parse(response),
      expectedChallenge: challenge.message,
      expectedOrigin: origins,
      expectedRPID: rpID,
      requireUserVerification: true,
    });
    if (!verified) throw new Error('not verified');
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return {
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: transports.join(' '),
    };
  } catch (error) {
    context.log.info({ err: describeError(error) }, 'passkey registration refused');
    throw appError('FACTOR_WRONG');
  }
}

export async function passkeyRequestOptions(context: RequestContext, administratorId: string, browser: string): Promise<string> {
  const known = await keysOf(context, administratorId);
  const options = await generateAuthenticationOptions({
    rpID: rp(context).rpID,
    allowCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, ...transportsOf(transports) })),
    userVerification: 'required',
  });
  await putChallenge(context.db, context, { purpose: 'passkey', browser, administratorId }, challengeOf(options));
  return JSON.stringify(options);
}

/** Consumes the challenge either way. */
export async function checkPasskey(
  context: RequestContext,
  administratorId: string,
  answer: string,
  browser: string,
): Promise<boolean> {
  const challenge = await burnChallenge(context.db, context, 'passkey', browser);
  if (!challenge || challenge.administratorId !== administratorId) return false;
  const { rpID, origins } = rp(context);
  try {
    const response = JSON.parse(answer);
    const known = (await keysOf(context, administratorId)).find(({ credentialId }) => credentialId === response?.id);
    if (!known) return false;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge.message,
      expectedOrigin: origins,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: known.credentialId,
        publicKey: new Uint8Array(Buffer.from(known.publicKey, 'base64url')),
        counter: known.counter,
      },
    });
    if (!verified) return false;
    // A counter moved concurrently means a cloned key.
    const moved = await context.db
      .update(passkeys)
      .set({ counter: authenticationInfo.newCounter, lastUsedAt: new Date(context.services.now()) })
      .where(and(eq(passkeys.id, known.id), eq(passkeys.counter, known.counter)))
      .returning({ id: passkeys.id });
    return moved.length > 0;
  } catch (error) {
    context.log.info({ err: describeError(error) }, 'passkey assertion refused');
    return false;
  }
}
