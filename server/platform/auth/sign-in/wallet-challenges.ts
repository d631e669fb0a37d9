import { randomInt } from 'node:crypto';
import { and, eq, gt, isNull } from 'drizzle-orm';
import type { WalletChallenge } from '../../../../api/access/wallet.ts';
import { challenges } from '../tables.ts';
import { isSignedByTaproot } from '../../bitcoin/bip322.ts';
import { memoizePerServer, type RequestContext } from '../../services/context.ts';
import { createFieldError, createAppError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { RateWindows } from '../../http/rate-limit.ts';
import { getNetwork } from '../../http/network.ts';
import { parseTaprootAddress } from '../../../../chain/taproot-address.ts';

const validMs = 5 * 60_000;
const perMinute = 60;
const maxQueueLength = 20;

/** A signature is valid for one purpose only. */
type WalletPurpose = 'walletSignIn' | 'walletBind';

const requestCountsOf = memoizePerServer(() => new RateWindows());

/** Replaces an earlier message. Throws BAD_REQUEST unless it is a taproot address of the network. */
export async function storeWalletChallenge(
  context: RequestContext,
  purpose: WalletPurpose,
  browser: string,
  providedAddress: string,
  statement: { asks: string; explains: string },
): Promise<WalletChallenge> {
  const { services, ip, db } = context;
  const { bitcoinNetwork, publicUrl } = services.config;
  const now = services.now();
  const retryAfter = services.isUnlimited?.() ? null : requestCountsOf(services).take(getNetwork(ip), perMinute, now);
  if (retryAfter !== null) throw createAppError('TOO_MANY_REQUESTS', { retryAfter });
  const address = parseTaprootAddress(providedAddress, bitcoinNetwork);
  if (address === null) throw createFieldError('address', 'taproot');
  const [id, createdAt, expiresAt] = [newId(), new Date(now), new Date(now + validMs)];
  // The fields of EIP-4361.
  const message = [
    `${new URL(publicUrl).host} ${statement.asks}:`,
    address,
    '',
    `${statement.explains} This does not send a transaction.`,
    '',
    `URI: ${publicUrl}`,
    'Version: 1',
    `Network: bitcoin-${bitcoinNetwork}`,
    `Nonce: ${createNonce()}`,
    `Issued At: ${createdAt.toISOString()}`,
    `Expiration Time: ${expiresAt.toISOString()}`,
    `Request ID: ${id}`,
  ].join('\n');
  await db.transaction(async (tx) => {
    await tx.delete(challenges).where(and(eq(challenges.purpose, purpose), eq(challenges.browser, browser)));
    await tx.insert(challenges).values({ id, purpose, browser, address, message, createdAt, expiresAt });
  });
  return { id, message, expiresAt: expiresAt.toISOString() };
}

/** The signing address, or null. A wrong or second answer finds no challenge. Throws ATTEMPT_GONE. */
export async function consumeWalletResponse(
  context: RequestContext,
  purpose: WalletPurpose,
  browser: string | null,
  { id, signature }: { id: string; signature: string },
): Promise<string | null> {
  const currentTime = new Date(context.services.now());
  const [consumedChallenge] = await context.db
    .update(challenges)
    .set({ usedAt: currentTime })
    .where(
      and(
        eq(challenges.id, id),
        eq(challenges.purpose, purpose),
        eq(challenges.browser, browser ?? ''),
        isNull(challenges.usedAt),
        gt(challenges.expiresAt, currentTime),
      ),
    )
    .returning();
  if (!consumedChallenge?.address) throw createAppError('ATTEMPT_GONE');
  const { address, message } = consumedChallenge;
  const isSignatureValid = await runInOrder(context, () =>
    isSignedByTaproot({ address, message, signature }, context.services.config.bitcoinNetwork),
  );
  return isSignatureValid ? address : null;
}

const checkQueueOf = memoizePerServer(() => ({ waiting: 0, last: Promise.resolve() }));

/** Blocks for milliseconds, so one runs at a time in a bounded queue. */
async function runInOrder<T>({ services }: RequestContext, check: () => T): Promise<T> {
  const checkQueue = checkQueueOf(services);
  if (checkQueue.waiting >= maxQueueLength) throw createAppError('TOO_MANY_REQUESTS', { retryAfter: 1 });
  checkQueue.waiting++;
  const checkTurn = checkQueue.last.then(() => new Promise<T>((resolve) => setImmediate(() => resolve(check()))));
  checkQueue.last = checkTurn.then(
    () => {},
    () => {},
  );
  try {
    return await checkTurn;
  } finally {
    checkQueue.waiting--;
  }
}

const nonceAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 131 random bits. */
const createNonce = () => Array.from({ length: 22 }, () => nonceAlphabet[randomInt(nonceAlphabet.length)]).join('');
