import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { and, desc, eq, gt, inArray, isNull, lt, ne, lte } from 'drizzle-orm';
import { sessions } from '../tables.ts';
import { recordRefusal } from '../../audit/audit.ts';
import { coalesceReadsByKey } from '../../core/coalesce-reads.ts';
import type { Config } from '../../core/config.ts';
import { cookie as setCookie, cookieNameFor as nameOfCookie, fingerprint, newSecret, readCookie } from '../../http/cookies.ts';
import { memoizePerServer, type Actor, type Person, type RequestContext } from '../../services/context.ts';
import type { Queries } from '../../db/db.ts';
import { findService, serviceTokenOf } from '../service-accounts/find-service.ts';
import { newId } from '../../core/ids.ts';

const lastSeenIntervalMs = 60_000;

/** Per person. Another sign-in ends the oldest. */
export const maxSessions = 10;

const half = 'half';

/** Half of the session's secret. */
export const cookieName = (config: Config) => nameOfCookie(config, half);

export interface SignInMethod {
  method?: 'password' | 'wallet';
  factor?: boolean;
}

/** Never reuses a session, which prevents fixation. Sets the cookie half and returns the Authorization value. */
export async function startSession(
  queries: Queries,
  context: RequestContext,
  administratorId: string,
  { method = 'password', factor = false }: SignInMethod = {},
): Promise<{ id: string; authorization: string; expiresAt: Date }> {
  const { config, now } = context.services;
  const token = newSecret();
  const secretHalf = newSecret();
  const id = newId();
  const at = now();
  const expiresAt = new Date(at + config.sessionMs);
  await queries.insert(sessions).values({
    id,
    administratorId,
    tokenHash: fingerprint(token),
    halfHash: fingerprint(secretHalf),
    createdAt: new Date(at),
    lastSeenAt: new Date(at),
    expiresAt,
    method,
    factorAt: factor ? new Date(at) : null,
    passwordAt: method === 'password' ? new Date(at) : null,
    ip: context.ip,
    userAgent: context.userAgent,
  });
  await endOldest(queries, context, administratorId);
  context.answer.append('set-cookie', setCookie(config, half, secretHalf, Math.floor(config.sessionMs / 1000)));
  return { id, authorization: `Bearer ${token}`, expiresAt };
}

/** A later end came from a wrong clock. */
const latestEnd = (config: Config, now: number) => new Date(now + config.sessionMs + 60_000);

/** WHERE clause. */
export function liveSessions({ services: { config, now } }: RequestContext, administratorId: string) {
  return and(
    eq(sessions.administratorId, administratorId),
    isNull(sessions.revokedAt),
    gt(sessions.expiresAt, new Date(now())),
    lte(sessions.expiresAt, latestEnd(config, now())),
    gt(sessions.lastSeenAt, new Date(now() - config.sessionIdleMs)),
  );
}

async function endOldest(queries: Queries, context: RequestContext, administratorId: string): Promise<void> {
  const beyond = queries
    .select({ id: sessions.id })
    .from(sessions)
    .where(liveSessions(context, administratorId))
    .orderBy(desc(sessions.createdAt), desc(sessions.id))
    .offset(maxSessions);
  await queries
    .update(sessions)
    .set({ revokedAt: new Date(context.services.now()) })
    .where(inArray(sessions.id, beyond));
}

export async function revokeSession(queries: Queries, context: RequestContext, sessionId: string): Promise<void> {
  const at = new Date(context.services.now());
  await queries
    .update(sessions)
    .set({ revokedAt: at })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt)));
  context.answer.append('set-cookie', setCookie(context.services.config, half, '', 0));
}

/** Returns how many. `keep` survives. */
export async function revokeSessionsOf(
  queries: Queries,
  context: RequestContext,
  ids: readonly string[],
  { keep }: { keep?: string | null } = {},
): Promise<number> {
  const ended = await queries
    .update(sessions)
    .set({ revokedAt: new Date(context.services.now()) })
    .where(and(inArray(sessions.administratorId, [...ids]), isNull(sessions.revokedAt), keep ? ne(sessions.id, keep) : undefined))
    .returning({ id: sessions.id });
  return ended.length;
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

const gathered = new LRUCache<string, { stamp: string | null; granted: ReadonlySet<string> }>({ max: 2_000 });
const nothing: ReadonlySet<string> = new Set();

/** By token hash. */
const sessionOf = memoizePerServer(({ config, database, now }) =>
  coalesceReadsByKey(async (hashes: ReadonlySet<string>) => {
    const at = now();
    const idle = new Date(at - config.sessionIdleMs);
    const known = new Map([...hashes].map((hash) => [hash, gathered.get(hash)]));
    const stamps = [...known.values()].map((rights) => rights?.stamp ?? null);
    const { rows } = await database.pool.query<SessionRow>({
      name: 'session',
      text: sessionQuery,
      values: [[...hashes], new Date(at), idle, config.demo, latestEnd(config, at), stamps],
    });
    return new Map(
      rows.map((row) => {
        const { tokenHash, stamp } = row;
        const granted = row.granted === null ? known.get(tokenHash)?.granted : new Set(row.granted.split('\n').filter(Boolean));
        if (!granted) throw new Error('the permissions of the session are not cached');
        if (row.granted !== null) gathered.set(tokenHash, { stamp, granted });
        return [tokenHash, { ...row, granted }];
      }),
    );
  }),
);

/** Throws UNAUTHORIZED with `data.token` for a service token that is no longer accepted. */
export async function findSession(context: RequestContext): Promise<Actor | null> {
  const serviceToken = serviceTokenOf(context);
  if (serviceToken !== null) return findService(context, serviceToken);
  const token = tokenOf(context);
  if (token === null) return null;
  const { config, now } = context.services;
  const row = await sessionOf(context.services)(fingerprint(token));
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
    granted: mustEnroll || mustSetPassword ? nothing : granted,
    ...(mustEnroll && { mustEnroll }),
    ...(mustSetPassword && { mustSetPassword }),
  };
  if (!isHalf(readCookie(config, context.headers, half), row.halfHash)) {
    context.log.warn({ actor: row.id }, 'session token without its cookie');
    await recordRefusal({ ...context, actor }, 'UNAUTHORIZED', { reason: 'COOKIE' });
    return null;
  }
  // Background requests do not keep a session alive.
  const isBackground = context.headers.has('x-background') || context.headers.get('accept') === 'text/event-stream';
  const at = now();
  if (!isBackground && at - row.lastSeenAt.getTime() >= Math.min(lastSeenIntervalMs, config.sessionIdleMs / 8)) {
    const seen = new Date(at);
    await context.db
      .update(sessions)
      .set({ lastSeenAt: seen })
      .where(and(eq(sessions.id, row.sessionId), lt(sessions.lastSeenAt, seen)));
  }
  return actor;
}

const tokenOf = ({ headers }: RequestContext) => /^Bearer ([\w-]{43})$/.exec(headers.get('authorization') ?? '')?.[1] ?? null;

/** Revoked rather than expired. Only its own browser learns this. */
export async function isRevoked(context: RequestContext): Promise<boolean> {
  const { config, database } = context.services;
  const [token, shown] = [tokenOf(context), readCookie(config, context.headers, half)];
  if (token === null || shown === null) return false;
  const { rows } = await database.pool.query({
    name: 'session-revoked',
    text: `select from sessions s join administrators a on a.id = s.administrator_id
      where s.token_hash = $1 and s.half_hash = $2 and ${revokedCondition('$3')}`,
    values: [fingerprint(token), fingerprint(shown), config.demo],
  });
  return rows.length > 0;
}

/** WHERE clause for `s` (sessions) and `a` (administrators). */
export const revokedCondition = (demoCounts: string) =>
  `(s.revoked_at is not null or not a.enabled or a.deleted_at is not null or (a.demo and not ${demoCounts}))`;

function isHalf(shown: string | null, halfHash: string): boolean {
  return shown !== null && timingSafeEqual(Buffer.from(fingerprint(shown), 'hex'), Buffer.from(halfHash, 'hex'));
}
