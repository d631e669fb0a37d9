import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { and, eq, gt, isNull } from 'drizzle-orm';
import * as z from 'zod/mini';
import { cliUserAgent } from '../../api/cli/user-agent.ts';
import { recordAudit, recordRefusal } from '../platform/audit/audit.ts';
import { lockAccessShared } from '../platform/auth/rights/escalation.ts';
import { readGrantedIdentifiers } from '../platform/auth/rights/permissions.ts';
import { hasFactor, needsFactor } from '../platform/auth/sign-in/factors.ts';
import { buildSignedInPerson, canSignIn, readAccess } from '../platform/auth/sign-in/sign-in.ts';
import { maxCliSessionMs, startSession, withoutBrowserRights } from '../platform/auth/sign-in/sessions.ts';
import { requireFreshProof } from '../platform/auth/step-up.ts';
import { administrators, challenges, sessions } from '../platform/auth/tables.ts';
import { createAppError, toCatalogCode } from '../platform/core/errors.ts';
import { newId } from '../platform/core/ids.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { hashSecret } from '../platform/http/cookies.ts';
import { getNetwork } from '../platform/http/network.ts';
import { consumeFromWindow } from '../platform/http/rate-limit.ts';
import { guardedApi } from '../platform/http/router.ts';
import { writeOnce } from '../platform/records/write.ts';
import { requirePerson, type Person, type RequestContext } from '../platform/services/context.ts';

const purpose = 'cli';
const requestMs = 600_000;
const codeMs = 120_000;
/** Per network in ten minutes. */
const maxCalls = 30;

/** `message` of the challenge. */
const storedRequest = z.object({
  name: z.string(),
  port: z.nullable(z.number()),
  ip: z.string(),
  approval: z.optional(z.object({ codeHash: z.string(), sessionId: z.string() })),
});
type StoredRequest = z.infer<typeof storedRequest>;

export const cli = {
  /** A terminal asks to be approved. It keeps the verifier of the challenge. */
  start: guardedApi.cli.start.handler(async ({ input: { challenge, name, port }, context }) => {
    await countCall(context, 'start');
    const { services, ip } = context;
    const expiresAt = new Date(services.now() + requestMs);
    await context.db.transaction(async (tx) => {
      const known = and(eq(challenges.purpose, purpose), eq(challenges.browser, challenge));
      if ((await tx.$count(challenges, known)) > 0) throw createAppError('ATTEMPT_GONE');
      const message = JSON.stringify({ name, port, ip } satisfies StoredRequest);
      const createdAt = new Date(services.now());
      await tx.insert(challenges).values({ id: newId(), purpose, browser: challenge, message, createdAt, expiresAt });
    });
    return { expiresAt: expiresAt.toISOString() };
  }),

  request: guardedApi.cli.request.handler(async ({ input, context }) => {
    const { request } = await readRequest(context.db, context, input.challenge);
    if (request.approval) throw createAppError('ATTEMPT_GONE');
    const { name, port, ip } = request;
    const hours = Math.floor(Math.min(maxCliSessionMs, context.services.config.sessionMs) / 3_600_000);
    return { name, port, terminalIp: ip, browserIp: context.ip, hours };
  }),

  /** The code is returned once and never stored, not even with the Idempotency-Key. */
  approve: guardedApi.cli.approve.handler(async ({ input, context }) => {
    await requireFreshProof(context);
    const actor = requirePerson(context);
    const code = newCode();
    const expiresAt = new Date(context.services.now() + codeMs);
    let approvedPort: number | null | undefined;
    await writeOnce(context, input, async (tx, note) => {
      const { id, request } = await readRequest(tx, context, input.challenge, { isLocked: true });
      if (request.approval) throw createAppError('ATTEMPT_GONE');
      const { name, ip, port } = request;
      const approval = { codeHash: hashCode(code), sessionId: actor.sessionId };
      const message = JSON.stringify({ ...request, approval } satisfies StoredRequest);
      await tx.update(challenges).set({ administratorId: actor.id, message, expiresAt }).where(eq(challenges.id, id));
      note({ entity: 'session', id: null, after: { name, ip } });
      approvedPort = port;
      return {};
    });
    // The answer of an earlier request with this key is gone.
    if (approvedPort === undefined) throw createAppError('ATTEMPT_GONE');
    return { code, port: approvedPort, expiresAt: expiresAt.toISOString() };
  }),

  /** Only the terminal that has the verifier gets the session. A wrong code leaves the request open. */
  exchange: guardedApi.cli.exchange.handler(async ({ input: { verifier, code }, context }) => {
    await countCall(context, 'exchange');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    return context.db
      .transaction(async (tx) => {
        await lockAccessShared(tx);
        const { id, administratorId, request } = await readRequest(tx, context, challenge, { isLocked: true });
        const { approval, name } = request;
        if (!approval || administratorId === null || !isSameHash(hashCode(code), approval.codeHash))
          throw createAppError('CODE_WRONG');
        await tx
          .update(challenges)
          .set({ usedAt: new Date(context.services.now()) })
          .where(eq(challenges.id, id));
        return beginCliSession(tx, context, administratorId, { name, approvedIn: approval.sessionId });
      })
      .catch(async (error: unknown) => {
        await recordRefusal({ ...context, actor: null }, toCatalogCode(error));
        throw error;
      });
  }),
};

async function beginCliSession(
  tx: Tx,
  context: RequestContext,
  administratorId: string,
  { name, approvedIn }: { name: string; approvedIn: string },
) {
  const [administrator] = await tx
    .select()
    .from(administrators)
    .where(eq(administrators.id, administratorId))
    .for('no key update');
  const approvingSession = and(eq(sessions.id, approvedIn), isNull(sessions.revokedAt));
  const isStillApproved = (await tx.$count(sessions, approvingSession)) > 0;
  if (!administrator || !canSignIn(context, administrator) || administrator.passwordExpiresAt !== null || !isStillApproved)
    throw createAppError('ATTEMPT_GONE');
  const terminal = { ...context, userAgent: cliUserAgent(name) };
  const session = await startSession(tx, terminal, administratorId, { method: 'cli' });
  const mustEnroll = (await needsFactor(tx, administratorId)) && !(await hasFactor(tx, administratorId));
  const person = await buildSignedInPerson(tx, context, administrator, session);
  const actor: Person = {
    ...person,
    ...withoutBrowserRights(mustEnroll ? new Set() : await readGrantedIdentifiers(tx, administratorId, person.calledFrom)),
    ...(mustEnroll && { mustEnroll }),
  };
  await recordAudit(tx, { ...context, actor }, [{ entity: 'session', id: session.id, action: 'signIn', after: { name } }]);
  return {
    authorization: session.authorization,
    access: await readAccess(tx, context.services, actor),
    expiresAt: session.expiresAt.toISOString(),
  };
}

/** Throws ATTEMPT_GONE for an unknown, used or expired one. */
async function readRequest(
  queries: Queries,
  { services }: RequestContext,
  challenge: string,
  { isLocked = false }: { isLocked?: boolean } = {},
) {
  const isOpen = and(
    eq(challenges.purpose, purpose),
    eq(challenges.browser, challenge),
    isNull(challenges.usedAt),
    gt(challenges.expiresAt, new Date(services.now())),
  );
  const query = queries.select().from(challenges).where(isOpen);
  const [row] = await (isLocked ? query.for('update') : query);
  if (!row) throw createAppError('ATTEMPT_GONE');
  return { ...row, request: storedRequest.parse(JSON.parse(row.message)) };
}

const countCall = ({ services, ip }: RequestContext, kind: 'start' | 'exchange') =>
  consumeFromWindow(services, `cli ${kind} ${getNetwork(ip)}`, maxCalls, requestMs);

/** Without letters that look alike (Crockford's base 32). */
const codeLetters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const codeLength = 20;

/** 100 random bits in groups of five, to be typed. */
function newCode(): string {
  const letters = Array.from({ length: codeLength }, () => codeLetters[randomInt(codeLetters.length)]).join('');
  return letters.replaceAll(/.{5}(?=.)/g, '$&-');
}

/** Of the code as typed: O is read as 0, and I and L as 1. */
const hashCode = (code: string): string =>
  hashSecret(
    code
      .toUpperCase()
      .replaceAll('O', '0')
      .replaceAll(/[IL]/g, '1')
      .replaceAll(/[^0-9A-Z]/g, ''),
  );

const isSameHash = (presented: string, expected: string): boolean =>
  timingSafeEqual(Buffer.from(presented, 'hex'), Buffer.from(expected, 'hex'));
