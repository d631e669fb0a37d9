import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { and, desc, eq, gt, inArray, isNull, lt, min, ne, lte, sql } from 'drizzle-orm';
import type { SessionMethod } from '../../../../api/access/sign-in-values.ts';
import { administratorRoles, roles, sessions } from '../tables.ts';
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
import { memoizePerServer, type Actor, type CallerAddress, type Person, type RequestContext } from '../../services/context.ts';
import type { Queries } from '../../db/db.ts';
import { isBrowserOnly } from '../rights/guarded-rights.ts';
import { readCallerAddress } from '../rights/role-networks.ts';
import { findService, serviceTokenOf } from '../service-accounts/find-service.ts';
import { newId } from '../../core/ids.ts';
import * as z from 'zod/mini';
import { factorGapSql } from './vouching.ts';
import type { FactorGap } from '../../../../api/access/factor-gap.ts';

const lastSeenIntervalMs = 60_000;

/** A session of `panel login` ends after this time at the latest. */
export const maxCliSessionMs = 8 * 3_600_000;

/** Per person. Another sign-in ends the oldest. */
export const maxSessions = 10;

const secretCookieBase = 'half';

/** Half of the session's secret. */
export const sessionCookieName = (config: Config) => nameOfCookie(config, secretCookieBase);

/** What a sign-in through the provider leaves with the session. */
export const ssoSession = z.strictObject({
  linkId: z.string(),
  idpSession: z.nullable(z.string()),
  ssoAt: z.nullable(z.string()),
  /** Encrypted. */
  idToken: z.nullable(z.string()),
  acr: z.nullable(z.string()),
  amr: z.array(z.string()),
  /** Of the provider's claim: those that have a role. */
  groups: z.array(z.string()),
  /** In milliseconds: the start by the panel's clock, and the authentication by the provider's. */
  startedAt: z._default(z.number(), 0),
  authenticatedAt: z._default(z.nullable(z.number()), null),
});
export type SsoSession = z.infer<typeof ssoSession>;

export const idTokenPurpose = (linkId: string) => `idToken ${linkId}`;

export interface SignInMethod {
  method?: SessionMethod;
  factor?: boolean;
  sso?: SsoSession;
}

export interface SessionLimits {
  /** Null: as on the server. */
  readonly idleMinutes: number | null;
  readonly maxMs: number;
}

/** Of the strictest role. Call under the access lock, so that no role becomes stricter before the session is stored. */
async function readSessionLimits(queries: Queries, config: Config, administratorId: string): Promise<SessionLimits> {
  const [strictest] = await queries
    .select({ idleMinutes: min(roles.idleMinutes), hours: min(roles.sessionHours) })
    .from(administratorRoles)
    .innerJoin(roles, eq(roles.id, administratorRoles.roleId))
    .where(eq(administratorRoles.administratorId, administratorId));
  const { idleMinutes = null, hours = null } = strictest ?? {};
  return { idleMinutes, maxMs: Math.min(config.sessionMs, hours === null ? Infinity : hours * 3_600_000) };
}

export const computeIdleMs = ({ sessionIdleMs }: Config, idleMinutes: number | null): number =>
  Math.min(sessionIdleMs, idleMinutes === null ? Infinity : idleMinutes * 60_000);

/**
 * Never reuses a session, which prevents fixation. Sets the cookie half and returns the Authorization value. Call under the access
 * lock (`lockAccessShared`).
 */
export async function startSession(
  queries: Queries,
  context: RequestContext,
  administratorId: string,
  { method = 'password', factor: hasFactor = false, sso }: SignInMethod = {},
): Promise<{ id: string; authorization: string; expiresAt: Date; idleMs: number }> {
  const { config, now } = context.services;
  const token = method === 'sso' || method === 'cli' ? `${newerTokenPrefix}${createSecret()}` : createSecret();
  const cookieSecret = createSecret();
  const id = newId();
  const nowMs = now();
  const limits = await readSessionLimits(queries, config, administratorId);
  const { idleMinutes } = limits;
  const methodMs = method === 'cli' ? maxCliSessionMs : method === 'sso' ? (config.sso?.sessionMs ?? 0) : Infinity;
  const maxMs = Math.min(limits.maxMs, methodMs);
  const expiresAt = new Date(nowMs + maxMs);
  await queries.insert(sessions).values({
    id,
    administratorId,
    tokenHash: hashSecret(token),
    halfHash: hashSecret(cookieSecret),
    createdAt: new Date(nowMs),
    lastSeenAt: new Date(nowMs),
    expiresAt,
    idleMinutes,
    method,
    factorAt: hasFactor ? new Date(nowMs) : null,
    passwordAt: method === 'password' ? new Date(nowMs) : null,
    ...(sso && {
      linkId: sso.linkId,
      idpSession: sso.idpSession,
      ssoAt: sso.ssoAt === null ? null : new Date(sso.ssoAt),
      idToken: sso.idToken,
    }),
    ip: context.ip,
    userAgent: context.userAgent,
  });
  await revokeOldestSessions(queries, context, administratorId);
  context.answer.append('set-cookie', setCookie(config, secretCookieBase, cookieSecret, Math.floor(maxMs / 1000)));
  return { id, authorization: `Bearer ${token}`, expiresAt, idleMs: computeIdleMs(config, idleMinutes) };
}

/** A later end came from a wrong clock. */
const latestExpiry = (config: Config, now: number) => new Date(now + config.sessionMs + 60_000);

/** WHERE clause. */
export function liveSessionCondition({ services: { config, now } }: Pick<RequestContext, 'services'>, administratorId: string) {
  const currentTime = new Date(now()).toISOString();
  return and(
    eq(sessions.administratorId, administratorId),
    isNull(sessions.revokedAt),
    gt(sessions.expiresAt, new Date(now())),
    lte(sessions.expiresAt, latestExpiry(config, now())),
    gt(sessions.lastSeenAt, new Date(now() - config.sessionIdleMs)),
    sql`(${sessions.idleMinutes} is null or ${sessions.lastSeenAt} > ${currentTime}::timestamptz - ${sessions.idleMinutes} * interval '1 minute')`,
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
    .set({ revokedAt: currentTime, idToken: null })
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
    .set({ revokedAt: new Date(context.services.now()), idToken: null })
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

/** For `s` (sessions): a session seen before this has ended. */
export const idleCutoffSql = (nowText: string, serverCutoff: string) =>
  `greatest(${serverCutoff}, ${nowText} - s.idle_minutes * interval '1 minute')`;

// One query for all requests that arrived during the previous one: permissions are never older than the request. Collects them
// only if their stamp changed, because that is expensive.
const sessionQuery = `
  select asked.position, s.idle_minutes as "idleMinutes", s.id as "sessionId", s.half_hash as "halfHash", s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt", s.method,
    a.id, a.email,
    (a.totp_secret is null or a.factor_vouched_at is null)
      and exists (select from administrator_roles fr join roles r on r.id = fr.role_id
        where fr.administrator_id = a.id and r.needs_factor)
      and (a.factor_vouched_at is null or not exists (select from passkeys p where p.administrator_id = a.id)) as "roleMustEnroll",
    ${factorGapSql} as "factorGap",
    a.password_expires_at is not null as "mustSetPassword",
    case when r.stamp is null or r.stamp is distinct from asked.stamp then coalesce((
      select string_agg(distinct n.identifier, e'\\n')
      from administrator_roles ar
      join roles ro on ro.id = ar.role_id and role_counts(ro.networks, asked.ip, $8)
      join role_nodes rn on rn.role_id = ar.role_id
      join permission_nodes n on n.id = rn.node_id
      where ar.administrator_id = a.id
    ), '') end as granted,
    case when r.stamp is null or r.stamp is distinct from asked.stamp then (
      select string_agg(ro.name, e'\\n' order by ro.name) from administrator_roles ar join roles ro on ro.id = ar.role_id
      where ar.administrator_id = a.id and not role_counts(ro.networks, asked.ip, $8)) end as "inactiveRoles",
    r.stamp, coalesce((select c.value from access_changes c where c.id = 1), 0)::text as change
  from unnest($1::text[], $6::uuid[], $7::inet[]) with ordinality as asked(token_hash, stamp, ip, position)
  join sessions s on s.token_hash = asked.token_hash
  join administrators a on a.id = s.administrator_id
  left join rights_stamp r on r.id = 1
  where s.revoked_at is null and s.expires_at > $2 and s.last_seen_at > ${idleCutoffSql('$2', '$3')} and s.expires_at <= $5
    and a.enabled and a.deleted_at is null and (not a.demo or $4)`;

interface SessionRow {
  /** In the arguments, from 1. */
  position: string;
  idleMinutes: number | null;
  sessionId: string;
  halfHash: string;
  lastSeenAt: Date;
  expiresAt: Date;
  method: SessionMethod;
  roleMustEnroll: boolean;
  factorGap: FactorGap | null;
  mustSetPassword: boolean;
  id: string;
  email: string;
  /** Newline-separated. Null: unchanged since the stamp. */
  granted: string | null;
  /** As `granted`, and null for none. */
  inactiveRoles: string | null;
  stamp: string | null;
  change: string;
}

interface CachedRights {
  stamp: string | null;
  granted: ReadonlySet<string>;
  inactiveRoles: readonly string[];
}

/** By token hash and address. */
const rightsCache = new LRUCache<string, CachedRights>({ max: 2_000 });
const noPermissions: ReadonlySet<string> = new Set();

/** Token hash and address. Without an address while ROLE_NETWORKS is off. */
const callKeyOf = (tokenHash: string, { ip, ignoresNetworks }: CallerAddress): string =>
  `${tokenHash} ${ignoresNetworks ? '*' : (ip ?? '')}`;

function parseCallKey(callKey: string): { tokenHash: string; ip: string | null } {
  const [tokenHash = '', ip = ''] = callKey.split(' ');
  return { tokenHash, ip: ip === '' || ip === '*' ? null : ip };
}

/** By call key. */
const toActor = memoizePerServer(({ config, database, now }) =>
  coalesceReadsByKey(async (callKeys: ReadonlySet<string>) => {
    const nowMs = now();
    const idleCutoff = new Date(nowMs - config.sessionIdleMs);
    const calls = [...callKeys].map((callKey) => ({ callKey, ...parseCallKey(callKey), rights: rightsCache.get(callKey) }));
    const { rows } = await database.pool.query<SessionRow>({
      name: 'session',
      text: sessionQuery,
      values: [
        calls.map(({ tokenHash }) => tokenHash),
        new Date(nowMs),
        idleCutoff,
        config.demo,
        latestExpiry(config, nowMs),
        calls.map(({ rights }) => rights?.stamp ?? null),
        calls.map(({ ip }) => ip),
        !config.roleNetworks,
      ],
    });
    return new Map(
      rows.map((row) => {
        const call = calls[Number(row.position) - 1];
        const rights = row.granted === null ? call?.rights : toRights(row, row.granted);
        if (!call || !rights) throw new Error('the permissions of the session are not cached');
        if (row.granted !== null) rightsCache.set(call.callKey, rights);
        return [call.callKey, { ...row, granted: rights.granted, inactiveRoles: rights.inactiveRoles }];
      }),
    );
  }),
);

const toRights = ({ stamp, inactiveRoles }: SessionRow, granted: string): CachedRights => ({
  stamp,
  granted: new Set(granted.split('\n').filter(Boolean)),
  inactiveRoles: inactiveRoles?.split('\n') ?? [],
});

/** Whether a sign-in through the provider needs a factor of one's own. Reading alone does not. */
export const grantsGuarded = (granted: ReadonlySet<string>): boolean => [...granted].some(isBrowserOnly);

/** Throws UNAUTHORIZED with `data.token` for a service token that is no longer accepted. */
export async function findSession(context: RequestContext): Promise<Actor | null> {
  const serviceToken = serviceTokenOf(context);
  if (serviceToken !== null) return findService(context, serviceToken);
  const token = readBearerToken(context);
  if (token === null) return null;
  const { config, now } = context.services;
  const calledFrom = readCallerAddress(context);
  const row = await toActor(context.services)(callKeyOf(hashSecret(token), calledFrom));
  if (!row) return null;
  const { id, email, sessionId, expiresAt } = row;
  const { roleMustEnroll, factorGap, mustSetPassword, change, granted, inactiveRoles } = row;
  const mustEnroll = roleMustEnroll || (factorGap !== null && grantsGuarded(granted));
  const idleMs = computeIdleMs(config, row.idleMinutes);
  const held = mustEnroll || mustSetPassword ? noPermissions : granted;
  const actor: Person = {
    kind: 'person',
    id,
    email,
    sessionId,
    expiresAt,
    idleMs,
    calledFrom,
    inactiveRoles,
    change,
    ...(row.method === 'cli' ? withoutBrowserRights(held) : { granted: held }),
    ...(mustEnroll && { mustEnroll }),
    ...(factorGap && { factorGap }),
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
  if (!isBackgroundRequest && nowMs - row.lastSeenAt.getTime() >= Math.min(lastSeenIntervalMs, idleMs / 8)) {
    const lastSeenAt = new Date(nowMs);
    await context.db
      .update(sessions)
      .set({ lastSeenAt })
      .where(and(eq(sessions.id, row.sessionId), lt(sessions.lastSeenAt, lastSeenAt)));
  }
  return actor;
}

/** What a CLI session can do, and what its person can do only in the browser. */
export const withoutBrowserRights = (held: ReadonlySet<string>): Pick<Person, 'granted' | 'browserRights'> => ({
  granted: new Set([...held].filter((identifier) => !isBrowserOnly(identifier))),
  browserRights: new Set([...held].filter(isBrowserOnly)),
});

/** Servers of 1.0.0 don't know what these sessions may not do. They refuse tokens with a dot. */
const newerTokenPrefix = 'v2.';

const readBearerToken = ({ headers }: RequestContext) =>
  /^Bearer ((?:v2\.)?[\w-]{43})$/.exec(headers.get('authorization') ?? '')?.[1] ?? null;

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
