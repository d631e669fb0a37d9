import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { and, eq } from 'drizzle-orm';
import { passkeys } from '../tables.ts';
import { consumeChallenge, storeChallenge } from './challenges.ts';
import type { RequestContext } from '../../services/context.ts';
import { createAppError } from '../../core/errors.ts';
import { describeError } from '../../core/log.ts';

const challengeOf = (options: { challenge: string }) => options.challenge;
const relyingPartyOf = ({ services: { config } }: RequestContext) => ({
  rpID: new URL(config.publicUrl).hostname,
  origins: [config.publicUrl],
});

const readPasskeys = ({ db }: RequestContext, administratorId: string) =>
  db.select().from(passkeys).where(eq(passkeys.administratorId, administratorId));

const parseTransports = (storedTransports: string) => ({ transports: storedTransports.split(' ').filter(Boolean) });

export async function createPasskeyCreationOptions(
  context: RequestContext,
  { id, email }: { id: string; email: string },
  sessionId: string,
): Promise<string> {
  const existingPasskeys = await readPasskeys(context, id);
  const options = await generateRegistrationOptions({
    rpName: 'Admin Panel',
    rpID: relyingPartyOf(context).rpID,
    userName: email,
    userID: new Uint8Array(Buffer.from(id)),
    attestationType: 'none',
    excludeCredentials: existingPasskeys.map(({ credentialId, transports }) => ({
      id: credentialId,
      ...parseTransports(transports),
    })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  });
  const challenge = { purpose: 'addPasskey', browser: sessionId, administratorId: id };
  await storeChallenge(context.db, context, challenge, challengeOf(options));
  return JSON.stringify(options);
}

/** Throws FACTOR_WRONG. */
export async function verifyNewPasskey(context: RequestContext, administratorId: string, response: string, sessionId: string) {
  const challenge = await consumeChallenge(context.db, context, 'addPasskey', sessionId);
  if (!challenge || challenge.administratorId !== administratorId) throw createAppError('FACTOR_WRONG');
  const { rpID, origins } = relyingPartyOf(context);
  try {
    const { verified: isVerified, registrationInfo } = await verifyRegistrationResponse({
      response: JSON.parse(response),
      expectedChallenge: challenge.message,
      expectedOrigin: origins,
      expectedRPID: rpID,
      requireUserVerification: true,
    });
    if (!isVerified) throw new Error('not verified');
    const { id, publicKey, counter: signatureCounter, transports = [] } = registrationInfo.credential;
    return {
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter: signatureCounter,
      transports: transports.join(' '),
    };
  } catch (error) {
    context.log.info({ err: describeError(error) }, 'passkey registration refused');
    throw createAppError('FACTOR_WRONG');
  }
}

export async function createPasskeyRequestOptions(
  context: RequestContext,
  administratorId: string,
  browser: string,
): Promise<string> {
  const knownPasskeys = await readPasskeys(context, administratorId);
  const options = await generateAuthenticationOptions({
    rpID: relyingPartyOf(context).rpID,
    allowCredentials: knownPasskeys.map(({ credentialId, transports }) => ({ id: credentialId, ...parseTransports(transports) })),
    userVerification: 'required',
  });
  await storeChallenge(context.db, context, { purpose: 'passkey', browser, administratorId }, challengeOf(options));
  return JSON.stringify(options);
}

/** Consumes the challenge either way. */
export async function checkPasskey(
  context: RequestContext,
  administratorId: string,
  assertion: string,
  browser: string,
): Promise<boolean> {
  const challenge = await consumeChallenge(context.db, context, 'passkey', browser);
  if (!challenge || challenge.administratorId !== administratorId) return false;
  const { rpID, origins } = relyingPartyOf(context);
  try {
    const response = JSON.parse(assertion);
    const knownPasskey = (await readPasskeys(context, administratorId)).find(({ credentialId }) => credentialId === response?.id);
    if (!knownPasskey) return false;
    const { verified: isVerified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge.message,
      expectedOrigin: origins,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: knownPasskey.credentialId,
        publicKey: new Uint8Array(Buffer.from(knownPasskey.publicKey, 'base64url')),
        counter: knownPasskey.counter,
      },
    });
    if (!isVerified) return false;
    // A counter moved concurrently means a cloned key.
    const updatedRows = await context.db
      .update(passkeys)
      .set({ counter: authenticationInfo.newCounter, lastUsedAt: new Date(context.services.now()) })
      .where(and(eq(passkeys.id, knownPasskey.id), eq(passkeys.counter, knownPasskey.counter)))
      .returning({ id: passkeys.id });
    return updatedRows.length > 0;
  } catch (error) {
    context.log.info({ err: describeError(error) }, 'passkey assertion refused');
    return false;
  }
}
