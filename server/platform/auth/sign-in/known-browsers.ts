import { createHash } from 'node:crypto';
import { and, eq, ne } from 'drizzle-orm';
import { knownBrowsers } from '../tables.ts';
import type { RequestContext } from '../../services/context.ts';
import { serializeCookie, createSecret, readCookie } from '../../http/cookies.ts';
import type { Queries } from '../../db/db.ts';
import { newId } from '../../core/ids.ts';

// The browsers' limit for cookies.
const maxAgeSeconds = 400 * 86_400;

/** One cookie per browser, stored differently for each account. */
const hashBrowser = (secret: string, administratorId: string) =>
  createHash('sha256').update(`${secret} ${administratorId}`).digest('hex');

export async function isKnownBrowser(queries: Queries, context: RequestContext, administratorId: string): Promise<string | null> {
  const secret = readCookie(context.services.config, context.headers, 'browser');
  if (secret === null) return null;
  const tokenHash = hashBrowser(secret, administratorId);
  const [knownRow] = await queries
    .select({ id: knownBrowsers.id })
    .from(knownBrowsers)
    .where(and(eq(knownBrowsers.tokenHash, tokenHash), eq(knownBrowsers.administratorId, administratorId)));
  return knownRow ? tokenHash : null;
}

export async function rememberBrowser(queries: Queries, context: RequestContext, administratorId: string): Promise<void> {
  const { config, now } = context.services;
  const secret = readCookie(config, context.headers, 'browser') ?? createSecret();
  const currentTime = new Date(now());
  await queries
    .insert(knownBrowsers)
    .values({
      id: newId(),
      administratorId,
      tokenHash: hashBrowser(secret, administratorId),
      createdAt: currentTime,
      lastSeenAt: currentTime,
    })
    .onConflictDoUpdate({ target: knownBrowsers.tokenHash, set: { lastSeenAt: currentTime } });
  context.answer.append('set-cookie', serializeCookie(config, 'browser', secret, maxAgeSeconds));
}

/** Others need a code again. */
export async function forgetOtherBrowsers(queries: Queries, context: RequestContext, administratorId: string): Promise<void> {
  const secret = readCookie(context.services.config, context.headers, 'browser');
  const currentBrowserHash = secret === null ? '' : hashBrowser(secret, administratorId);
  await queries
    .delete(knownBrowsers)
    .where(and(eq(knownBrowsers.administratorId, administratorId), ne(knownBrowsers.tokenHash, currentBrowserHash)));
}
