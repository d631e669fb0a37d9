import type { CommandId, Permission } from '../../../api/names.ts';
import type { RouteMeta } from '../../../api/base.ts';
import type { Config } from './config.ts';
import type { Database, Db, Queries } from '../db/db.ts';
import { failure } from './errors.ts';
import type { Log } from './log.ts';
import type { Meter } from './meter.ts';
import type { PictureStore } from '../content/pictures-store.ts';
import type { SafeFetch } from '../content/safe-fetch.ts';

/** What every request works with, made once at the start. */
export interface Services {
  readonly config: Config;
  readonly log: Log;
  readonly database: Database;
  /** Milliseconds since 1970; the only clock of the server's rules. */
  readonly now: () => number;
  /** Whether nobody's calls are counted: in a test environment that was told so, nowhere else. */
  readonly isUnlimited?: () => boolean;
  /** Where picture files are kept, and the one way to the internet; both from `openOutside(config)`. */
  readonly pictures: PictureStore;
  readonly safeFetch: SafeFetch;
  /** Counts what is done, where metrics are asked for. */
  readonly meter?: Meter;
  /** Aborted when the server stops: what it asks of others ends then. */
  readonly stopping?: AbortSignal;
}

/** Who is signed in, with every right read from the database for this request. */
export interface Actor {
  readonly id: string;
  readonly email: string;
  readonly sessionId: string;
  /** Paths and command ids granted by any of the roles. */
  readonly granted: ReadonlySet<string>;
  /** Number of the last change of access these rights were read after. */
  readonly change?: string;
  /** When the session ends whatever happens; there on whoever came with one. */
  readonly expiresAt?: Date;
  /** A role asks for a second factor that is not there: nothing is granted until it is. */
  readonly mustEnrol?: true;
  /** A colleague chose the password: nothing is granted until it is one's own. */
  readonly mustSetPassword?: true;
}

/** The route being called, as the guard found it. */
export interface CalledRoute {
  /** Name by resource: 'news.add'. */
  readonly name: string;
  readonly meta: RouteMeta;
}

/** What a handler gets. `actor` is there on every route but public ones: the guard saw to it. */
export interface RequestContext {
  readonly services: Services;
  readonly db: Db;
  readonly requestId: string;
  readonly log: Log;
  readonly ip: string;
  readonly userAgent: string;
  /** Headers of the request. */
  readonly headers: Headers;
  /** Headers to send with the answer, whichever it is. */
  readonly answer: Headers;
  /** The command that the client says this call is part of, when it named one that exists; what the audit believes of it: told-command.ts. */
  readonly command: CommandId | null;
  readonly idempotencyKey: string | null;
  /** Reads the session once per request; null without one. */
  readonly session: () => Promise<Actor | null>;
  readonly actor: Actor | null;
  readonly route: CalledRoute | null;
}

/** The same for what only reads, which a transaction may need: on its own connection. */
export type QueryContext = Omit<RequestContext, 'db'> & { readonly db: Queries };

/** Who acts. Throws UNAUTHORIZED where nobody is signed in. */
export function actorOf(context: RequestContext): Actor {
  if (!context.actor) throw failure('UNAUTHORIZED');
  return context.actor;
}

/** The right a route asks for, when it asks for one. */
export function permissionOf(meta: RouteMeta): Permission | null {
  return meta.permission ?? null;
}

/** Something kept in memory once for each server: two in one process share nothing. */
export function perServer<T>(make: (services: Services) => T): (services: Services) => T {
  const kept = new WeakMap<Services, T>();
  return (services) => {
    const known = kept.get(services) ?? make(services);
    kept.set(services, known);
    return known;
  };
}
