import { and, desc, eq, gte, inArray, sql } from 'drizzle-orm';
import type { RefusedSignIn, SsoSignIns } from '../../api/access/identity.ts';
import { administrators, sessions } from '../platform/auth/tables.ts';
import { audit } from '../platform/audit/tables.ts';
import { isRecord } from '../platform/core/errors.ts';
import type { RequestContext } from '../platform/services/context.ts';

const signInRoutes = ['session.startSso', 'session.answerSso', 'session.confirmSsoLink'];
const maxRefused = 10;
const windowMs = 30 * 86_400_000;

/** Through the provider. For people who may open the screen, with or without the audit permission. */
export async function readSsoSignIns({ db, services }: RequestContext): Promise<SsoSignIns> {
  const [last] = await db
    .select({ email: administrators.email, at: sessions.createdAt, ip: sessions.ip })
    .from(sessions)
    .innerJoin(administrators, eq(administrators.id, sessions.administratorId))
    .where(eq(sessions.method, 'sso'))
    .orderBy(desc(sessions.createdAt), desc(sessions.id))
    .limit(1);
  const rows = await db
    .select({ id: audit.id, at: audit.at, after: audit.after, ip: audit.ip })
    .from(audit)
    .where(
      and(
        // The expression of the index.
        inArray(sql`coalesce(${audit.command}, ${audit.route})`, signInRoutes),
        eq(audit.result, 'refused'),
        gte(audit.at, new Date(services.now() - windowMs)),
      ),
    )
    .orderBy(desc(audit.at), desc(audit.id))
    .limit(maxRefused);
  return { last: last ? { ...last, at: last.at.toISOString() } : null, refused: rows.map(presentRefusal) };
}

function presentRefusal({ id, at, after, ip }: { id: string; at: Date; after: string | null; ip: string }): RefusedSignIn {
  const parsed: unknown = after === null ? {} : JSON.parse(after);
  const { code, reason, seconds, email, alsoRefused } = (isRecord(parsed) ? parsed : {}) as Readonly<Record<string, unknown>>;
  return {
    id,
    at: at.toISOString(),
    reason: [reason, code].find((value) => typeof value === 'string') ?? 'INTERNAL',
    seconds: typeof seconds === 'number' ? seconds : null,
    email: typeof email === 'string' ? email : null,
    ip,
    more: typeof alsoRefused === 'number' ? alsoRefused : 0,
  };
}
