import { randomInt } from 'node:crypto';
import { and, eq, gt, isNull } from 'drizzle-orm';
import type { WalletChallenge } from '../../../../api/access/wallet.ts';
import { challenges } from '../tables.ts';
import { isSignedByTaproot } from '../../bitcoin/bip322.ts';
import { memoizePerServer, type RequestContext } from '../../services/context.ts';
import { badField, appError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { Windows } from '../../http/rate-limit.ts';
import { networkOf } from '../../http/network.ts';
import { parseTaprootAddress } from '../../../../chain/taproot-address.ts';

const validMs = 5 * 60_000;
const perMinute = 60;
const maxWaiting = 20;

/** A signature is valid for one purpose only. */
type Purpose = 'walletSignIn' | 'walletBind';

const askedOf = memoizePerServer(() => new Windows());

/** Replaces an earlier message. Throws BAD_REQUEST unless it is a taproot address of the network. */
export async function putWalletChallenge(
  context: RequestContext,
  purpose: Purpose,
  browser: string,
  provided: string,
  statement: { asks: string; explains: string },
): Promise<WalletChallenge> {
  const { services, ip, db } = context;
  const { bitcoinNetwork, publicUrl } = services.config;
  const now = services.now();
  const retryAfter = services.isUnlimited?.() ? null : askedOf(services).take(networkOf(ip), perMinute, now);
  if (retryAfter !== null) throw appError('TOO_MANY_REQUESTS', { retryAfter });
  const address = parseTaprootAddress(provided, bitcoinNetwork);
  if (address === null) throw badField('address', 'taproot');
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

/** The signing address, or null. A wrong or second answer finds no challenge. Throws ATTEMPT_GONE. */
export async function consumeWalletAnswer(
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
  if (!burnt?.address) throw appError('ATTEMPT_GONE');
  const { address, message } = burnt;
  const holds = await runInOrder(context, () =>
    isSignedByTaproot({ address, message, signature }, context.services.config.bitcoinNetwork),
  );
  return holds ? address : null;
}

const queueOf = memoizePerServer(() => ({ waiting: 0, last: Promise.resolve() }));

/** Blocks for milliseconds, so one runs at a time in a bounded queue. */
async function runInOrder<T>({ services }: RequestContext, check: () => T): Promise<T> {
  const turns = queueOf(services);
  if (turns.waiting >= maxWaiting) throw appError('TOO_MANY_REQUESTS', { retryAfter: 1 });
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

const nonceAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 131 random bits. */
const newNonce = () => Array.from({ length: 22 }, () => nonceAlphabet[randomInt(nonceAlphabet.length)]).join('');
