import { and, eq, inArray, isNull, like, or } from 'drizzle-orm';
import { createRemoteJWKSet, customFetch, jwtVerify, type JWTPayload } from 'jose';
import { lockAccessExclusively } from '../platform/auth/rights/escalation.ts';
import { requireSso } from '../platform/auth/sso/configured.ts';
import { markLoggedOut } from '../platform/auth/sso/logout-marks.ts';
import { acceptedAlgorithms, guardedFetchOf, readProvider, textOf } from '../platform/auth/sso/provider.ts';
import { challenges, identityLinks, sessions } from '../platform/auth/tables.ts';
import { recordAudit } from '../platform/audit/audit.ts';
import { isRecord } from '../platform/core/errors.ts';
import type { Tx } from '../platform/db/db.ts';
import { hashSecret } from '../platform/http/cookies.ts';
import { getNetwork } from '../platform/http/network.ts';
import type { RawRoute } from '../platform/http/raw-routes.ts';
import { consumeFromWindow, isFirstInInterval } from '../platform/http/rate-limit.ts';
import { readBody } from '../platform/http/request-body.ts';
import { memoizePerServer, type RequestContext } from '../platform/services/context.ts';

const logoutsPerMinute = 60;
const minuteMs = 60_000;
const failureMs = 10_000;
const bodyLimit = 16 * 1024;
const timeoutMs = 10_000;
const maxAgeSeconds = 120;
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** The provider's "sign out everywhere" (OpenID Connect Back-Channel Logout). A refusal has no detail. */
export const backChannelLogout: RawRoute = {
  method: 'POST',
  path: '/public/sso/logout',
  meta: { public: true },
  async handle({ request, context }) {
    requireSso(context.services);
    await consumeFromWindow(context.services, `ssoLogout ${getNetwork(context.ip)}`, logoutsPerMinute, minuteMs);
    const body = new URLSearchParams(new TextDecoder().decode(await readBody(request, bodyLimit, timeoutMs)));
    const claims = await verifyLogoutToken(context, body.get('logout_token') ?? '').catch((error: unknown) => {
      context.log.warn({ cause: error instanceof Error ? error.message : 'unknown' }, 'refused a logout token');
      return null;
    });
    const isAccepted = claims !== null && (await endProviderSessions(context, claims));
    return new Response(null, { status: isAccepted ? 200 : 400, headers: { 'cache-control': 'no-store' } });
  },
};

interface LogoutClaims {
  id: string;
  issuedAt: Date;
  subject: string | null;
  idpSession: string | null;
}

const keysOf = memoizePerServer((services) => {
  let failedAt = -Infinity;
  let keys: { address: string; find: ReturnType<typeof createRemoteJWKSet> } | null = null;
  return (address: string) => {
    if (keys?.address !== address)
      keys = {
        address,
        // Forged tokens with unknown keys cost one fetch a minute, also while the fetch fails.
        find: createRemoteJWKSet(new URL(address), { cooldownDuration: minuteMs, [customFetch]: fetchKeys }),
      };
    return keys.find;
  };

  async function fetchKeys(
    url: string,
    { headers, method, signal }: { headers: globalThis.Headers; method: string; signal: AbortSignal },
  ) {
    if (performance.now() - failedAt < failureMs) throw new Error('the provider sent no keys a moment ago');
    try {
      const response = await guardedFetchOf(services)(url, { headers: Object.fromEntries(headers), method, signal });
      if (!response.ok || !isRecord(await response.clone().json())) throw new Error(`the keys answered ${response.status}`);
      return response;
    } catch (error) {
      failedAt = performance.now();
      throw error;
    }
  }
});

/** Throws if anything about the token is wrong. */
async function verifyLogoutToken({ services }: RequestContext, token: string): Promise<LogoutClaims> {
  const sso = requireSso(services);
  const { issuer, jwks_uri: keysAddress } = (await readProvider(services)).configuration.serverMetadata();
  if (keysAddress === undefined) throw new Error('the provider has no keys');
  const { payload, protectedHeader } = await jwtVerify(token, keysOf(services)(keysAddress), {
    issuer,
    audience: sso.clientId,
    algorithms: [...acceptedAlgorithms],
    clockTolerance: 60,
    maxTokenAge: maxAgeSeconds,
    requiredClaims: ['iat', 'jti', 'events'],
  });
  const type = protectedHeader.typ?.toLowerCase();
  if (type !== undefined && type !== 'jwt' && type !== 'logout+jwt') throw new Error(`token of type ${type}`);
  return readLogoutClaims(payload);
}

function readLogoutClaims(payload: JWTPayload): LogoutClaims {
  const { events, iat, jti, sub } = payload;
  const [idpSession, subject] = [payload['sid'] ?? null, sub ?? null];
  if (subject !== null && textOf(subject, 255) === null) throw new Error('sub is not a text');
  if (!isRecord(events) || !isRecord(events[logoutEvent])) throw new Error('there is no logout event');
  if (payload['nonce'] !== undefined) throw new Error('a logout token has no nonce');
  if (iat === undefined) throw new Error('there is no iat');
  if (typeof jti !== 'string' || jti === '') throw new Error('jti is not a text');
  if (idpSession !== null && textOf(idpSession, 255) === null) throw new Error('sid is not a text');
  if (subject === null && idpSession === null) throw new Error('there is neither sub nor sid');
  const issuedAt = new Date(iat * 1000);
  return { id: jti, issuedAt, subject: textOf(subject, 255), idpSession: textOf(idpSession, 255) };
}

/**
 * All sessions and sign-ins of the person that began at the provider, because Keycloak names one of several. False for a token
 * that was used before.
 */
function endProviderSessions(
  context: RequestContext,
  { id, issuedAt, subject: sub, idpSession }: LogoutClaims,
): Promise<boolean> {
  const { issuer, subjectClaim } = requireSso(context.services);
  const subject = subjectClaim === 'sub' ? sub : null;
  const endedAt = new Date(context.services.now());
  return context.db.transaction(async (tx) => {
    // A sign-in commits before this and is ended, or afterwards and finds the mark.
    await lockAccessExclusively(tx);
    const isFirst = await isFirstInInterval(tx, `logout ${hashSecret(`${issuer} ${id}`)}`, endedAt.getTime(), 10 * minuteMs);
    if (!isFirst) return false;
    const links = await findLinks(tx, issuer, subject, idpSession);
    const subjects = [...links.map((link) => link.subject), ...(subject === null ? [] : [subject])];
    await markLoggedOut(tx, { issuer, subjects, idpSession }, issuedAt, endedAt);
    const people = links.map(({ person }) => person);
    if (people.length === 0) return true;
    const ended = await tx
      .update(sessions)
      .set({ revokedAt: endedAt, idToken: null })
      .where(
        and(inArray(sessions.administratorId, people), isNull(sessions.revokedAt), inArray(sessions.method, providerMethods)),
      )
      .returning({ id: sessions.id });
    await endStartedSignIns(tx, people, endedAt);
    await recordAudit(
      tx,
      context,
      people.map((person) => ({ entity: 'administrator', id: person, after: { ended: ended.length } })),
    );
    return true;
  });
}

/** Those that wait for the second factor. */
const endStartedSignIns = (tx: Tx, people: readonly string[], usedAt: Date) =>
  tx
    .update(challenges)
    .set({ usedAt })
    .where(
      and(
        eq(challenges.purpose, 'signIn'),
        inArray(challenges.administratorId, [...people]),
        isNull(challenges.usedAt),
        like(challenges.message, '%"method":"sso"%'),
      ),
    );

/** A session of the CLI was approved in one of these. */
const providerMethods: (typeof sessions.$inferSelect)['method'][] = ['sso', 'cli'];

/** None for a token whose `sub` is not the claim of the links. */
async function findLinks(tx: Tx, issuer: string, subject: string | null, idpSession: string | null) {
  if (subject === null && idpSession === null) return [];
  return tx
    .selectDistinct({ person: identityLinks.administratorId, subject: identityLinks.subject })
    .from(identityLinks)
    .leftJoin(sessions, eq(sessions.linkId, identityLinks.id))
    .where(
      and(
        eq(identityLinks.issuer, issuer),
        or(
          subject === null ? undefined : eq(identityLinks.subject, subject),
          idpSession === null ? undefined : eq(sessions.idpSession, idpSession),
        ),
      ),
    );
}
