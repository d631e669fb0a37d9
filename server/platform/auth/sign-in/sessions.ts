import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { and, desc, eq, gt, inArray, isNull, lt, ne, lte } from 'drizzle-orm';
import { sessions } from '../tables.ts';
import { recordRefusal } from '../../audit/audit.ts';
import { coalesceReadsByKey } from '../../core/coalesce-reads.ts';
import type { Config } from '../../core/config.ts';
import {
  serializeCookie as setCookie,
  cookieNameFor as nameOfCookie,
  hashSecret,
  createSecret,
  readCookie,
} from '../../http/cookies.ts';
import { memoizePerServer, type Actor, type Person, type RequestContext } from '../../services/context.ts';
import type { Queries } from '../../db/db.ts';
import { findService, serviceTokenOf } from '../service-accounts/find-service.ts';
import { newId } from '../../core/ids.ts';

const lastSeenIntervalMs = 60_000;

/** Per person. Another sign-in ends the oldest. */
export const maxSessions = 10;

const secretCookieBase = 'half';

/** Half of the session's secret. */
export const sessionCookieName = (config: Config) => nameOfCookie(config, secretCookieBase);

export interface SignInMethod {
  method?: 'password' | 'wallet';
  factor?: boolean;
}

/** Never reuses a session, which prevents fixation. Sets the cookie half and returns the Authorization value. */
export async function startSession(
  queries: Queries,
  context: RequestContext,
  administratorId: string,
  { method = 'password', factor: hasFactor = false }: SignInMethod = {},
): Promise<{ id: string; authorization: string; expiresAt: Date }> {
  const { config, now } = context.services;
  const token = createSecret();
  const cookieSecret = createSecret();
  const id = newId();
  const nowMs = now();
  const expiresAt = new Date(nowMs + config.sessionMs);
  await queries.insert(sessions).values({
    id,
    administratorId,
    tokenHash: hashSecret(token),
    halfHash: hashSecret(cookieSecret),
    createdAt: new Date(nowMs),
    lastSeenAt: new Date(nowMs),
    expiresAt,
    method,
    factorAt: hasFactor ? new Date(nowMs) : null,
    passwordAt: method === 'password' ? new Date(nowMs) : null,
    ip: context.ip,
    userAgent: context.userAgent,
  });
  await revokeOldestSessions(queries, context, administratorId);
  context.answer.append('set-cookie', setCookie(config, secretCookieBase, cookieSecret, Math.floor(config.sessionMs / 1000)));
  return { id, authorization: `Bearer ${token}`, expiresAt };
}

/** A later end came from a wrong clock. */
const latestExpiry = (config: Config, now: number) => new Date(now + config.sessionMs + 60_000);

/** WHERE clause. */
export function liveSessionCondition({ services: { config, now } }: RequestContext, administratorId: string) {
  return and(
    eq(sessions.administratorId, administratorId),
    isNull(sessions.revokedAt),
    gt(sessions.expiresAt, new Date(now())),
    lte(sessions.expiresAt, latestExpiry(config, now())),
    gt(sessions.lastSeenAt, new Date(now() - config.sessionIdleMs)),
  );
}

async function revokeOldestSessions(queries: Queries, context: RequestContext, administratorId: string): Promise<void> {
  const excessSessions = queries
    .select({ id: sessions.id })
    .from(sessions)
    .where(liveSessionCondition(context, administratorId))
    .orderBy(desc(sessions.createdAt), desc(sessions.id))
    .offset(maxSessions);
  await queries
    .update(sessions)
    .set({ revokedAt: new Date(context.services.now()) })
    .where(inArray(sessions.id, excessSessions));
}

export async function revokeSession(queries: Queries, context: RequestContext, sessionId: string): Promise<void> {
  const currentTime = new Date(context.services.now());
  await queries
    .update(sessions)
    .set({ revokedAt: currentTime })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt)));
  context.answer.append('set-cookie', setCookie(context.services.config, secretCookieBase, '', 0));
}

/** Returns how many. `keptSessionId` survives. */
export async function revokeSessionsOf(
  queries: Queries,
  context: RequestContext,
  ids: readonly string[],
  { keep: keptSessionId }: { keep?: string | null } = {},
): Promise<number> {
  const revokedSessions = await queries
    .update(sessions)
    .set({ revokedAt: new Date(context.services.now()) })
    .where(
      and(
        inArray(sessions.administratorId, [...ids]),
        isNull(sessions.revokedAt),
        keptSessionId ? ne(sessions.id, keptSessionId) : undefined,
      ),
    )
    .returning({ id: sessions.id });
  return revokedSessions.length;
}

// One query for all requests that arrived during the previous one: permissions are never older than the request. Collects them
// only if their stamp changed, because that is expensive.
const sessionQuery = `
  select s.token_hash as "tokenHash", s.id as "sessionId", s.half_hash as "halfHash", s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt",
    a.id, a.email,
    a.totp_secret is null
      and exists (select from administrator_roles fr join roles r on r.id = fr.role_id
        where fr.administrator_id = a.id and r.needs_factor)
      and not exists (select from passkeys p where p.administrator_id = a.id) as "mustEnroll",
    a.password_expires_at is not null as "mustSetPassword",
    case when r.stamp is null or r.stamp is distinct from asked.stamp then coalesce((
      select string_agg(distinct n.identifier, e'\\n')
      from administrator_roles ar
      join role_nodes rn on rn.role_id = ar.role_id
      join permission_nodes n on n.id = rn.node_id
      where ar.administrator_id = a.id
    ), '') end as granted,
    r.stamp, coalesce((select c.value from access_changes c where c.id = 1), 0)::text as change
  from unnest($1::text[], $6::uuid[]) as asked(token_hash, stamp)
  join sessions s on s.token_hash = asked.token_hash
  join administrators a on a.id = s.administrator_id
  left join rights_stamp r on r.id = 1
  where s.revoked_at is null and s.expires_at > $2 and s.last_seen_at > $3 and s.expires_at <= $5
    and a.enabled and a.deleted_at is null and (not a.demo or $4)`;

interface SessionRow {
  tokenHash: string;
  sessionId: string;
  halfHash: string;
  lastSeenAt: Date;
  expiresAt: Date;
  mustEnroll: boolean;
  mustSetPassword: boolean;
  id: string;
  email: string;
  /** Newline-separated. Null: unchanged since the stamp. */
  granted: string | null;
  stamp: string | null;
  change: string;
}

const rightsCache = new LRUCache<string, { stamp: string | null; granted: ReadonlySet<string> }>({ max: 2_000 });
const noPermissions: ReadonlySet<string> = new Set();

/** By token hash. */
const toActor = memoizePerServer(({ config, database, now }) =>
  coalesceReadsByKey(async (hashes: ReadonlySet<string>) => {
    const nowMs = now();
    const idleCutoff = new Date(nowMs - config.sessionIdleMs);
    const knownRights = new Map([...hashes].map((hash) => [hash, rightsCache.get(hash)]));
    const rightsStamps = [...knownRights.values()].map((rights) => rights?.stamp ?? null);
    const { rows } = await database.pool.query<SessionRow>({
      name: 'session',
      text: sessionQuery,
      values: [[...hashes], new Date(nowMs), idleCutoff, config.demo, latestExpiry(config, nowMs), rightsStamps],
    });
    return new Map(
      rows.map((row) => {
        const { tokenHash, stamp } = row;
        const granted =
          row.granted === null ? knownRights.get(tokenHash)?.granted : new Set(row.granted.split('\n').filter(Boolean));
        if (!granted) throw new Error('the permissions of the session are not cached');
        if (row.granted !== null) rightsCache.set(tokenHash, { stamp, granted });
        return [tokenHash, { ...row, granted }];
      }),
    );
  }),
);

/** Throws UNAUTHORIZED with `data.token` for a service token that is no longer accepted. */
export async function findSession(context: RequestContext): Promise<Actor | null> {
  const serviceToken = serviceTokenOf(context);
  if (serviceToken !== null) return findService(context, serviceToken);
  const token = readBearerToken(context);
  if (token === null) return null;
  const { config, now } = context.services;
  const row = await toActor(context.services)(hashSecret(token));
  if (!row) return null;
  const { id, email, sessionId, expiresAt } = row;
  const { mustEnroll, mustSetPassword, change, granted } = row;
  const actor: Person = {
    kind: 'person',
    id,
    email,
    sessionId,
    expiresAt,
    change,
    granted: mustEnroll || mustSetPassword ? noPermissions : granted,
    ...(mustEnroll && { mustEnroll }),
    ...(mustSetPassword && { mustSetPassword }),
  };
  if (!isMatchingHalf(readCookie(config, context.headers, secretCookieBase), row.halfHash)) {
    context.log.warn({ actor: row.id }, 'session token without its cookie');
    await recordRefusal({ ...context, actor }, 'UNAUTHORIZED', { reason: 'COOKIE' });
    return null;
  }
  // Background requests do not keep a session alive.
  const isBackgroundRequest = context.headers.has('x-background') || context.headers.get('accept') === 'text/event-stream';
  const nowMs = now();
  if (!isBackgroundRequest && nowMs - row.lastSeenAt.getTime() >= Math.min(lastSeenIntervalMs, config.sessionIdleMs / 8)) {
    const lastSeenAt = new Date(nowMs);
    await context.db
      .update(sessions)
      .set({ lastSeenAt })
      .where(and(eq(sessions.id, row.sessionId), lt(sessions.lastSeenAt, lastSeenAt)));
  }
  return actor;
}

const readBearerToken = ({ headers }: RequestContext) =>
  /^Bearer ([\w-]{43})$/.exec(headers.get('authorization') ?? '')?.[1] ?? null;

/** Revoked rather than expired. Only its own browser learns this. */
export async function isRevoked(context: RequestContext): Promise<boolean> {
  const { config, database } = context.services;
  const [token, presentedSecrets] = [readBearerToken(context), readCookie(config, context.headers, secretCookieBase)];
  if (token === null || presentedSecrets === null) return false;
  const { rows } = await database.pool.query({
    name: 'session-revoked',
    text: `select from sessions s join administrators a on a.id = s.administrator_id
      where s.token_hash = $1 and s.half_hash = $2 and ${revokedSql('$3')}`,
    values: [hashSecret(token), hashSecret(presentedSecrets), config.demo],
  });
  return rows.length > 0;
}

/** WHERE clause for `s` (sessions) and `a` (administrators). */
export const revokedSql = (demoCondition: string) =>
  `(s.revoked_at is not null or not a.enabled or a.deleted_at is not null or (a.demo and not ${demoCondition}))`;

function isMatchingHalf(presentedHalf: string | null, halfHash: string): boolean {
  return presentedHalf !== null && timingSafeEqual(Buffer.from(hashSecret(presentedHalf), 'hex'), Buffer.from(halfHash, 'hex'));
}
