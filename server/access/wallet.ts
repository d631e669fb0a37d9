import { recordOwnChange } from '../platform/auth/account-changes.ts';
import { and, eq, sql } from 'drizzle-orm';
import { maySignIn, signInOrChallenge, toSignInAttempt } from '../platform/auth/sign-in/sign-in.ts';
import { recordRefusal } from '../platform/audit/audit.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import { preSession, readPreSession } from '../platform/http/cookies.ts';
import type { Tx } from '../platform/db/db.ts';
import { codeOf } from '../platform/core/error-code.ts';
import { appError } from '../platform/core/errors.ts';
import { guardedApi } from '../platform/http/router.ts';
import { revokeSessionsOf } from '../platform/auth/sign-in/sessions.ts';
import { notifyOwner } from '../platform/auth/sign-in/notify-owner.ts';
import { unauthenticatedActor } from '../platform/auth/sign-in/wrong-guesses.ts';
import { requireFreshProof } from '../platform/auth/step-up.ts';
import { countAttempt } from '../platform/http/rate-limit.ts';
import { putWalletChallenge, consumeWalletAnswer } from '../platform/auth/sign-in/wallet-challenges.ts';
import { writeOnce } from '../platform/records/write.ts';
import { administrators } from '../platform/auth/tables.ts';

const signInStatement = {
  asks: 'wants you to sign in with your Bitcoin address',
  explains: 'Sign in to the Admin Panel.',
};

export const wallet = {
  network: guardedApi.wallet.network.handler(({ context }) => ({ network: context.services.config.bitcoinNetwork })),

  challenge: guardedApi.wallet.challenge.handler(({ input, context }) =>
    putWalletChallenge(context, 'walletSignIn', preSession(context), input.address, signInStatement),
  ),

  signIn: guardedApi.wallet.signIn.handler(async ({ input, context }) => {
    const browser = readPreSession(context);
    const attempt = await countAttempt(context.services, `wallet ${browser ?? ''}`, context.ip);
    const address = await consumeWalletAnswer(context, 'walletSignIn', browser, input);
    if (address === null) {
      await recordRefusal(context, 'SIGN_IN_FAILED', { reason: 'SIGNATURE' });
      throw appError('SIGN_IN_FAILED');
    }
    const administrator = await ownerOf(context, address);
    if (!administrator || !maySignIn(context, administrator)) {
      await recordRefusal({ ...context, actor: administrator && unauthenticatedActor(administrator) }, 'NO_ACCOUNT');
      throw appError('NO_ACCOUNT');
    }
    return signInOrChallenge(context, toSignInAttempt(administrator, 'wallet'), async (tx) => {
      await assertStillBound(tx, administrator.id, address);
      await attempt.succeed(tx);
    });
  }),

  bindChallenge: guardedApi.wallet.bindChallenge.handler(({ input, context }) => {
    const { email, sessionId } = requirePerson(context);
    return putWalletChallenge(context, 'walletBind', sessionId, input.address, {
      asks: 'wants you to link your Bitcoin address',
      explains: `Let this address sign in to the Admin Panel as ${email}.`,
    });
  }),

  bindAddress: guardedApi.wallet.bindAddress.handler(async ({ input, context }) => {
    const { id, email, sessionId } = requirePerson(context);
    await requireFreshProof(context);
    const attempt = await countAttempt(context.services, `bind ${id}`, context.ip);
    const address = await consumeWalletAnswer(context, 'walletBind', sessionId, input);
    if (address === null) {
      await recordRefusal(context, 'SIGN_IN_FAILED', { reason: 'SIGNATURE' });
      throw appError('SIGN_IN_FAILED');
    }
    return writeOnce(context, input, async (tx, note) => {
      await attempt.succeed(tx);
      const before = await setAddress(tx, context, address);
      await notifyOwner(tx, context, email, 'walletLinked');
      note({ entity: 'administrator', id, before: { walletAddress: before }, after: { walletAddress: address } });
      return { walletAddress: address };
    });
  }),

  unbindAddress: guardedApi.wallet.unbindAddress.handler(async ({ context }) => {
    const { id, email } = requirePerson(context);
    await requireFreshProof(context);
    return writeOnce(context, {}, async (tx, note) => {
      const before = await setAddress(tx, context, null);
      if (before === null) throw appError('NOT_FOUND');
      await notifyOwner(tx, context, email, 'walletUnlinked');
      note({ entity: 'administrator', id, before: { walletAddress: before }, after: { walletAddress: null } });
      return {};
    });
  }),
};

type Administrator = typeof administrators.$inferSelect;

async function ownerOf({ db }: RequestContext, address: string): Promise<Administrator | null> {
  const [found] = await db.select().from(administrators).where(eq(administrators.walletAddress, address));
  return found ?? null;
}

/** An unlink during sign-in wins. */
async function assertStillBound(tx: Tx, id: string, address: string): Promise<void> {
  const [still] = await tx
    .select({ id: administrators.id })
    .from(administrators)
    .where(and(eq(administrators.id, id), eq(administrators.walletAddress, address), eq(administrators.enabled, true)))
    .for('no key update'); // the same lock as `admit`, to avoid a deadlock
  if (!still) throw appError('NO_ACCOUNT');
}

/** Ends all other sessions. Returns the previous address. */
async function setAddress(tx: Tx, context: RequestContext, walletAddress: string | null): Promise<string | null> {
  const { id, sessionId } = requirePerson(context);
  const at = new Date(context.services.now());
  const [own] = await tx.select().from(administrators).where(eq(administrators.id, id)).for('update');
  const before = own?.walletAddress ?? null;
  if (before === walletAddress) return before;
  await tx
    .update(administrators)
    .set({ walletAddress, version: sql`${administrators.version} + 1`, updatedAt: at })
    .where(eq(administrators.id, id))
    .catch((error: unknown) => {
      throw codeOf(error) === '23505' ? appError('ADDRESS_TAKEN') : error;
    });
  await revokeSessionsOf(tx, context, [id], { keep: sessionId });
  await recordOwnChange(tx, context, id, 'wallet');
  return before;
}
