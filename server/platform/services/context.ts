import type { CommandId, Permission } from '../../../api/names.ts';
import type { RouteMeta } from '../../../api/route.ts';
import type { Config } from '../core/config.ts';
import type { Database, Db, Queries } from '../db/db.ts';
import { createAppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Meter } from '../core/meter.ts';
import type { PictureStore } from '../content/pictures-store.ts';
import type { SafeFetch } from '../content/safe-fetch.ts';
import type { FactorGap } from '../../../api/access/factor-gap.ts';

export interface Services {
  readonly config: Config;
  readonly log: Log;
  readonly database: Database;
  /** Milliseconds since 1970. The only clock of the server's rules. */
  readonly now: () => number;
  /** Disables rate limits in a test environment. */
  readonly isUnlimited?: () => boolean;
  readonly pictures: PictureStore;
  readonly safeFetch: SafeFetch;
  readonly meter?: Meter;
  /** Aborted on shutdown. */
  readonly stopping?: AbortSignal;
}

/** Rights as of this request. */
export type Actor = Person | ServiceActor;

interface Caller {
  readonly id: string;
  /** Of a service account `service:<name>`. */
  readonly email: string;
  /** Paths and command ids. */
  readonly granted: ReadonlySet<string>;
  readonly change?: string;
}

/** A service account, called with one of its tokens. */
export interface ServiceActor extends Caller {
  readonly kind: 'service';
  readonly tokenId: string;
  readonly isViewing?: never;
}

/** For the networks of roles (auth/rights/role-networks.ts). */
export interface CallerAddress {
  /** Null: unknown. */
  readonly ip: string | null;
  readonly ignoresNetworks: boolean;
}

export interface Person extends Caller {
  readonly kind: 'person';
  readonly sessionId: string;
  readonly expiresAt?: Date;
  readonly idleMs?: number;
  /** Missing: unknown. */
  readonly calledFrom?: CallerAddress;
  /** Names of own roles that grant nothing from this address. */
  readonly inactiveRoles?: readonly string[];
  /** Set in a CLI session: what the person holds but can use only in the browser. */
  readonly browserRights?: ReadonlySet<string>;
  /** Sees the panel as a role or another person does, and may change nothing (auth/view-as.ts). */
  readonly isViewing?: true;
  /** Nothing is granted until a second factor exists and is vouched for. */
  readonly mustEnroll?: true;
  /** Guarded routes refuse (auth/sign-in/vouching.ts). */
  readonly factorGap?: FactorGap;
  /** A colleague chose the password: nothing is granted until it is replaced. */
  readonly mustSetPassword?: true;
}

export interface CalledRoute {
  readonly name: string;
  readonly meta: RouteMeta;
}

/** `actor` is set on every route that is not public. */
export interface RequestContext {
  readonly services: Services;
  readonly db: Db;
  readonly requestId: string;
  readonly log: Log;
  readonly ip: string;
  readonly userAgent: string;
  readonly headers: Headers;
  readonly answer: Headers;
  /** Sent by the client, so not trusted. */
  readonly command: CommandId | null;
  readonly idempotencyKey: string | null;
  readonly session: () => Promise<Actor | null>;
  readonly actor: Actor | null;
  readonly route: CalledRoute | null;
  /** In place of an actor: the provider changes an account, by SCIM or at a sign-in. */
  readonly provisioner?: Pick<Provisioner, 'email'>;
}

/** The identity provider, called with a provisioning token. */
export interface Provisioner {
  readonly tokenId: string;
  /** `scim:<name of the token>` */
  readonly email: string;
}

export type ProvisioningContext = RequestContext & { readonly provisioner: Provisioner };

export type QueryContext = Omit<RequestContext, 'db'> & { readonly db: Queries };

/** Throws UNAUTHORIZED. */
export function requireActor({ actor }: Pick<RequestContext, 'actor'>): Actor {
  if (!actor) throw createAppError('UNAUTHORIZED');
  return actor;
}

/** Null for a service account and for a visitor. */
export const personOf = ({ actor }: Pick<RequestContext, 'actor'>): Person | null => (actor?.kind === 'person' ? actor : null);

/** Throws NOT_FOR_SERVICES. */
export function requirePerson(context: Pick<RequestContext, 'actor'>): Person {
  const actor = requireActor(context);
  if (actor.kind !== 'person') throw createAppError('NOT_FOR_SERVICES');
  return actor;
}

export function requiredPermission(meta: RouteMeta): Permission | null {
  return meta.permission ?? null;
}

/** One value per server, because tests run several in one process. */
export function memoizePerServer<T>(create: (services: Services) => T): (services: Services) => T {
  const instances = new WeakMap<Services, T>();
  return (services) => {
    const instance = instances.get(services) ?? create(services);
    instances.set(services, instance);
    return instance;
  };
}
