import { createHash } from 'node:crypto';
import { and, eq, ne } from 'drizzle-orm';
import { knownBrowsers } from '../tables.ts';
import type { RequestContext } from '../../services/context.ts';
import { cookie, newSecret, readCookie } from '../../http/cookies.ts';
import type { Queries } from '../../db/db.ts';
import { newId } from '../../core/ids.ts';

// The browsers' limit for cookies.
const seconds = 400 * 86_400;

/** One cookie per browser, stored differently for each account. */
const browserHash = (secret: string, administratorId: string) =>
  createHash('sha256').update(`${secret} ${administratorId}`).digest('hex');

export async function knownBrowser(queries: Queries, context: RequestContext, administratorId: string): Promise<string | null> {
  const secret = readCookie(context.services.config, context.headers, 'browser');
  if (secret === null) return null;
  const tokenHash = browserHash(secret, administratorId);
  const [found] = await queries
    .select({ id: knownBrowsers.id })
    .from(knownBrowsers)
    .where(and(eq(knownBrowsers.tokenHash, tokenHash), eq(knownBrowsers.administratorId, administratorId)));
  return found ? tokenHash : null;
}

export async function rememberBrowser(queries: Queries, context: RequestContext, administratorId: string): Promise<void> {
  const { config, now } = context.services;
  const secret = readCookie(config, context.headers, 'browser') ?? newSecret();
  const at = new Date(now());
  await queries
    .insert(knownBrowsers)
    .values({ id: newId(), administratorId, tokenHash: browserHash(secret, administratorId), createdAt: at, lastSeenAt: at })
    .onConflictDoUpdate({ target: knownBrowsers.tokenHash, set: { lastSeenAt: at } });
  context.answer.append('set-cookie', cookie(config, 'browser', secret, seconds));
}

/** Others need a code again. */
export async function forgetOtherBrowsers(queries: Queries, context: RequestContext, administratorId: string): Promise<void> {
  const secret = readCookie(context.services.config, context.headers, 'browser');
  const ownKey = secret === null ? '' : browserHash(secret, administratorId);
  await queries
    .delete(knownBrowsers)
    .where(and(eq(knownBrowsers.administratorId, administratorId), ne(knownBrowsers.tokenHash, ownKey)));
}
