import { and, desc, eq, gt, inArray, isNull, like } from 'drizzle-orm';
import * as z from 'zod/mini';
import { challenges } from '../tables.ts';
import { seal, unseal } from '../../core/encryption.ts';
import { newId } from '../../core/ids.ts';
import type { Queries, Tx } from '../../db/db.ts';
import { createSecret, hashSecret, readCookie, serializeCookie } from '../../http/cookies.ts';
import type { RequestContext } from '../../services/context.ts';

const validMs = 600_000;
/** Started sign-ins per browser, so that two tabs do not disturb each other. */
const maxStarted = 5;
const cookieName = 'sso';
const cookieSeconds = 15 * 60;

const intent = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('signIn'), invitation: z.nullable(z.string()) }),
  z.strictObject({ kind: z.literal('link'), administratorId: z.string(), sessionId: z.string() }),
  z.strictObject({ kind: z.literal('prove'), administratorId: z.string(), sessionId: z.string() }),
]);
/** What the sign-in at the provider is for. `invitation` is the token of an emailed link. */
export type SsoIntent = z.infer<typeof intent>;

const startedSignIn = z.strictObject({ state: z.string(), nonce: z.string(), verifier: z.string(), intent });
type StartedSignIn = z.infer<typeof startedSignIn>;

const identity = z.strictObject({
  issuer: z.string(),
  subject: z.string(),
  email: z.nullable(z.string()),
  isEmailVerified: z.boolean(),
  displayName: z.nullable(z.string()),
  groups: z.nullable(z.array(z.string())),
  externalId: z.nullable(z.string()),
  sessionId: z.nullable(z.string()),
  authenticatedAt: z.nullable(z.number()),
  acr: z.nullable(z.string()),
  amr: z.array(z.string()),
  idToken: z.string(),
});

const proposedLink = z.strictObject({
  identity,
  intent,
  /** When the sign-in started. Zero in rows of earlier versions. */
  startedAt: z._default(z.number(), 0),
});
type ProposedLink = z.infer<typeof proposedLink>;

/**
 * Binds the sign-in to the browser. Separate from the pre-session, which the first of two tabs ends when it signs in.
 */
function ensureBrowser({ services: { config }, headers, answer }: RequestContext): string {
  const secret = readCookie(config, headers, cookieName) ?? createSecret();
  answer.append('set-cookie', serializeCookie(config, cookieName, secret, cookieSeconds));
  return hashSecret(secret);
}

function readBrowser({ services: { config }, headers }: RequestContext): string | null {
  const secret = readCookie(config, headers, cookieName);
  return secret === null ? null : hashSecret(secret);
}

/** Encrypted, valid for ten minutes, in this browser only. */
export async function storeStartedSignIn(context: RequestContext, started: StartedSignIn): Promise<void> {
  const browser = ensureBrowser(context);
  await context.db.transaction(async (tx) => {
    const olderOnes = tx
      .select({ id: challenges.id })
      .from(challenges)
      .where(and(eq(challenges.browser, browser), like(challenges.purpose, 'sso %')))
      .orderBy(desc(challenges.createdAt), desc(challenges.id))
      .offset(maxStarted - 1);
    await tx.delete(challenges).where(inArray(challenges.id, olderOnes));
    await insertChallenge(tx, context, { purpose: startedPurpose(started.state), browser }, JSON.stringify(started));
  });
}

/** Null if unknown, of another browser, answered already or too old. */
export async function consumeStartedSignIn(
  context: RequestContext,
  state: string,
): Promise<(StartedSignIn & { startedAt: number }) | null> {
  const consumed = await consumeSealed(context.db, context, startedPurpose(state));
  return consumed && { ...startedSignIn.parse(JSON.parse(consumed.text)), startedAt: consumed.createdAt.getTime() };
}

/** Returns the ticket, which confirms the link in this browser. */
export async function storeProposedLink(context: RequestContext, proposed: ProposedLink): Promise<string> {
  const browser = readBrowser(context);
  if (browser === null) throw new Error('the browser is unknown');
  const ticket = createSecret();
  await context.db.transaction((tx) =>
    insertChallenge(tx, context, { purpose: linkPurpose(ticket), browser }, JSON.stringify(proposed)),
  );
  return ticket;
}

/** Does not consume it. */
export async function readProposedLink(context: RequestContext, ticket: string): Promise<ProposedLink | null> {
  const [row] = await context.db
    .select()
    .from(challenges)
    .where(validCondition(context, linkPurpose(ticket)));
  return row ? parseProposedLink(context, row.purpose, row.message) : null;
}

/** False if another call used it first. */
export const consumeProposedLink = async (tx: Tx, context: RequestContext, ticket: string): Promise<boolean> =>
  (await consumeSealed(tx, context, linkPurpose(ticket))) !== null;

const startedPurpose = (state: string) => `sso ${hashSecret(state)}`;
const linkPurpose = (ticket: string) => `ssoLink ${hashSecret(ticket)}`;

const parseProposedLink = ({ services: { config } }: RequestContext, purpose: string, sealed: string) =>
  proposedLink.parse(JSON.parse(unseal(config, purpose, sealed)));

async function insertChallenge(
  tx: Tx,
  { services: { config, now } }: RequestContext,
  { purpose, browser }: { purpose: string; browser: string },
  text: string,
): Promise<void> {
  const nowMs = now();
  await tx.insert(challenges).values({
    id: newId(),
    purpose,
    browser,
    message: seal(config, purpose, text),
    createdAt: new Date(nowMs),
    expiresAt: new Date(nowMs + validMs),
  });
}

const validCondition = (context: RequestContext, purpose: string) =>
  and(
    eq(challenges.purpose, purpose),
    eq(challenges.browser, readBrowser(context) ?? ''),
    isNull(challenges.usedAt),
    gt(challenges.expiresAt, new Date(context.services.now())),
  );

/** Only one of two calls gets it. */
async function consumeSealed(
  queries: Queries,
  context: RequestContext,
  purpose: string,
): Promise<{ text: string; createdAt: Date } | null> {
  const [row] = await queries
    .update(challenges)
    .set({ usedAt: new Date(context.services.now()) })
    .where(validCondition(context, purpose))
    .returning();
  return row ? { text: unseal(context.services.config, purpose, row.message), createdAt: row.createdAt } : null;
}
