import { randomInt } from 'node:crypto';
import { and, eq, gt, isNull } from 'drizzle-orm';
import type { WalletChallenge } from '../../../../api/access/wallet.ts';
import { challenges } from '../tables.ts';
import { isSignedByTaproot } from '../../bitcoin/bip322.ts';
import { perServer, type RequestContext } from '../../core/context.ts';
import { badField, failure } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { Windows } from '../../http/rate-limit.ts';
import { networkOf } from '../../http/network.ts';
import { parseTaprootAddress } from '../../bitcoin/taproot.ts';

const validMs = 5 * 60_000;
const perMinute = 60;
const mostWaiting = 20;

/** What a signature is for. One for the one purpose is worth nothing for another. */
type Purpose = 'walletSignIn' | 'walletBind';

const askedOf = perServer(() => new Windows());

/**
 * Makes and keeps a message for an address to sign. `browser` is the fingerprint of the pre-session, or the session's id:
 * an earlier message for the same purpose there is gone. Throws BAD_REQUEST when it is no taproot address of the network.
 */
export async function putWalletChallenge(
  context: RequestContext,
  purpose: Purpose,
  browser: string,
  given: string,
  statement: { asks: string; explains: string },
): Promise<WalletChallenge> {
  const { services, ip, db } = context;
  const { bitcoinNetwork, publicUrl } = services.config;
  const now = services.now();
  const retryAfter = services.isUnlimited?.() ? null : askedOf(services).take(networkOf(ip), perMinute, now);
  if (retryAfter !== null) throw failure('TOO_MANY_REQUESTS', { retryAfter });
  const address = parseTaprootAddress(given, bitcoinNetwork);
  if (address === null) throw badField('address', 'taproot');
  const [id, createdAt, expiresAt] = [newId(), new Date(now), new Date(now + validMs)];
  // The fields of EIP-4361, which wallets and people know from elsewhere.
  const message = [
    `${new URL(publicUrl).host} ${statement.asks}:`,
    address,
    '',
    `${statement.explains} This does not send a transaction.`,
    '',
    `URI: ${publicUrl}`,
    'Version: 1',
    `Network: bitcoin-${bitcoinNetwork}`,
    `Nonce: ${newNonce()}`,
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

/**
 * Takes a challenge and checks its answer against the stored message: the address that signed, or null when it did not.
 * Burnt first, so that a wrong answer costs it too and of two answers at once one counts.
 * Throws ATTEMPT_GONE when there is no such challenge in this browser, or no longer.
 */
export async function takeWalletAnswer(
  context: RequestContext,
  purpose: Purpose,
  browser: string | null,
  { id, signature }: { id: string; signature: string },
): Promise<string | null> {
  const at = new Date(context.services.now());
  const [burnt] = await context.db
    .update(challenges)
    .set({ usedAt: at })
    .where(
      and(
        eq(challenges.id, id),
        eq(challenges.purpose, purpose),
        eq(challenges.browser, browser ?? ''),
        isNull(challenges.usedAt),
        gt(challenges.expiresAt, at),
      ),
    )
    .returning();
  if (!burnt?.address) throw failure('ATTEMPT_GONE');
  const { address, message } = burnt;
  const holds = await inTurn(context, () =>
    isSignedByTaproot({ address, message, signature }, context.services.config.bitcoinNetwork),
  );
  return holds ? address : null;
}

const turnsOf = perServer(() => ({ waiting: 0, last: Promise.resolve() }));

/** A check takes milliseconds in which nothing else runs: one at a time, other requests in between, and a queue that ends. */
async function inTurn<T>({ services }: RequestContext, check: () => T): Promise<T> {
  const turns = turnsOf(services);
  if (turns.waiting >= mostWaiting) throw failure('TOO_MANY_REQUESTS', { retryAfter: 1 });
  turns.waiting++;
  const turn = turns.last.then(() => new Promise<T>((resolve) => setImmediate(() => resolve(check()))));
  turns.last = turn.then(
    () => {},
    () => {},
  );
  try {
    return await turn;
  } finally {
    turns.waiting--;
  }
}

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 131 random bits. */
const newNonce = () => Array.from({ length: 22 }, () => letters[randomInt(letters.length)]).join('');
