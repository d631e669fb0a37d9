import { recordChangeOfOwnAccount } from '../platform/auth/account-changes.ts';
import { and, eq, sql } from 'drizzle-orm';
import { canSignIn, signInOrChallenge, toSignInAttempt } from '../platform/auth/sign-in/sign-in.ts';
import { recordRefusal } from '../platform/audit/audit.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import { ensurePreSession, readPreSession } from '../platform/http/cookies.ts';
import type { Tx } from '../platform/db/db.ts';
import { getDatabaseErrorCode } from '../platform/core/error-code.ts';
import { createAppError } from '../platform/core/errors.ts';
import { guardedApi } from '../platform/http/router.ts';
import { revokeSessionsOf } from '../platform/auth/sign-in/sessions.ts';
import { notifyOwner } from '../platform/auth/sign-in/notify-owner.ts';
import { toUnauthenticatedActor } from '../platform/auth/sign-in/wrong-guesses.ts';
import { requireFreshProof } from '../platform/auth/step-up.ts';
import { countAttempt } from '../platform/http/rate-limit.ts';
import { storeWalletChallenge, consumeWalletResponse } from '../platform/auth/sign-in/wallet-challenges.ts';
import { writeOnce } from '../platform/records/write.ts';
import { mustUseProvider } from '../platform/auth/sso/links.ts';
import { administrators } from '../platform/auth/tables.ts';

const signInStatement = {
  asks: 'wants you to sign in with your Bitcoin address',
  explains: 'Sign in to the Admin Panel.',
};

export const wallet = {
  network: guardedApi.wallet.network.handler(({ context }) => ({ network: context.services.config.bitcoinNetwork })),

  challenge: guardedApi.wallet.challenge.handler(({ input, context }) =>
    storeWalletChallenge(context, 'walletSignIn', ensurePreSession(context), input.address, signInStatement),
  ),

  signIn: guardedApi.wallet.signIn.handler(async ({ input, context }) => {
    const preSession = readPreSession(context);
    const attempt = await countAttempt(context.services, `wallet ${preSession ?? ''}`, context.ip);
    const address = await consumeWalletResponse(context, 'walletSignIn', preSession, input);
    if (address === null) {
      await recordRefusal(context, 'SIGN_IN_FAILED', { reason: 'SIGNATURE' });
      throw createAppError('SIGN_IN_FAILED');
    }
    const administrator = await findWalletOwner(context, address);
    if (!administrator || !canSignIn(context, administrator) || (await mustUseProvider(context.db, context, administrator.id))) {
      await recordRefusal({ ...context, actor: administrator && toUnauthenticatedActor(administrator) }, 'NO_ACCOUNT');
      throw createAppError('NO_ACCOUNT');
    }
    return signInOrChallenge(context, toSignInAttempt(administrator, 'wallet'), async (tx) => {
      await assertWalletBound(tx, administrator.id, address);
      await attempt.succeed(tx);
    });
  }),

  bindChallenge: guardedApi.wallet.bindChallenge.handler(({ input, context }) => {
    const { email, sessionId } = requirePerson(context);
    return storeWalletChallenge(context, 'walletBind', sessionId, input.address, {
      asks: 'wants you to link your Bitcoin address',
      explains: `Let this address sign in to the Admin Panel as ${email}.`,
    });
  }),

  bindAddress: guardedApi.wallet.bindAddress.handler(async ({ input, context }) => {
    const { id, email, sessionId } = requirePerson(context);
    await requireFreshProof(context);
    const attempt = await countAttempt(context.services, `bind ${id}`, context.ip);
    const address = await consumeWalletResponse(context, 'walletBind', sessionId, input);
    if (address === null) {
      await recordRefusal(context, 'SIGN_IN_FAILED', { reason: 'SIGNATURE' });
      throw createAppError('SIGN_IN_FAILED');
    }
    return writeOnce(context, input, async (tx, recordAudit) => {
      await attempt.succeed(tx);
      const previousAddress = await setWalletAddress(tx, context, address);
      await notifyOwner(tx, context, email, 'walletLinked');
      recordAudit({ entity: 'administrator', id, before: { walletAddress: previousAddress }, after: { walletAddress: address } });
      return { walletAddress: address };
    });
  }),

  unbindAddress: guardedApi.wallet.unbindAddress.handler(async ({ context }) => {
    const { id, email } = requirePerson(context);
    await requireFreshProof(context);
    return writeOnce(context, {}, async (tx, recordAudit) => {
      const previousAddress = await setWalletAddress(tx, context, null);
      if (previousAddress === null) throw createAppError('NOT_FOUND');
      await notifyOwner(tx, context, email, 'walletUnlinked');
      recordAudit({ entity: 'administrator', id, before: { walletAddress: previousAddress }, after: { walletAddress: null } });
      return {};
    });
  }),
};

type Administrator = typeof administrators.$inferSelect;

async function findWalletOwner({ db }: RequestContext, address: string): Promise<Administrator | null> {
  const [administratorRow] = await db.select().from(administrators).where(eq(administrators.walletAddress, address));
  return administratorRow ?? null;
}

/** An unlink during sign-in wins. */
async function assertWalletBound(tx: Tx, id: string, address: string): Promise<void> {
  const [boundRow] = await tx
    .select({ id: administrators.id })
    .from(administrators)
    .where(and(eq(administrators.id, id), eq(administrators.walletAddress, address), eq(administrators.enabled, true)))
    .for('no key update'); // the same lock as in sign-in.ts, to avoid a deadlock
  if (!boundRow) throw createAppError('NO_ACCOUNT');
}

/** Ends all other sessions. Returns the previous address. */
async function setWalletAddress(tx: Tx, context: RequestContext, walletAddress: string | null): Promise<string | null> {
  const { id, sessionId } = requirePerson(context);
  const currentTime = new Date(context.services.now());
  const [ownRow] = await tx.select().from(administrators).where(eq(administrators.id, id)).for('update');
  const previousAddress = ownRow?.walletAddress ?? null;
  if (previousAddress === walletAddress) return previousAddress;
  await tx
    .update(administrators)
    .set({ walletAddress, version: sql`${administrators.version} + 1`, updatedAt: currentTime })
    .where(eq(administrators.id, id))
    .catch((error: unknown) => {
      throw getDatabaseErrorCode(error) === '23505' ? createAppError('ADDRESS_TAKEN') : error;
    });
  await revokeSessionsOf(tx, context, [id], { keep: sessionId });
  await recordChangeOfOwnAccount(tx, context, id, 'wallet');
  return previousAddress;
}
