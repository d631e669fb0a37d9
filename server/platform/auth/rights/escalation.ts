import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Permission } from '../../../../api/names.ts';
import type { PermittedRoute, RoutePath } from '../../../../api/menu.ts';
import { administratorRoles, administrators, identityLinks, passkeys, provisioned, roles } from '../tables.ts';
import { countAccessChange } from './access-changes.ts';
import {
  requirePerson,
  requiredPermission,
  type CallerAddress,
  type Person,
  type RequestContext,
  type Services,
} from '../../services/context.ts';
import type { Queries, Tx } from '../../db/db.ts';
import { createAppError } from '../../core/errors.ts';
import { factorGapColumn } from '../sign-in/vouching.ts';
import { buildAccess, readGrantedIdentifiers } from './permissions.ts';
import { createPermissionRefusal, readCallerAddress, unknownAddress } from './role-networks.ts';
import { markAccessLocked, readCurrentActor } from './still-allowed.ts';

// Also in server/sql/access.sql. 4280_0003 locks the audit chain.
const accessLock = 4280_0004;

/** Holders of all can grant everything else. */
export const accessKeys = {
  functions: ['administrators.edit', 'administrators.enable', 'roles.edit'],
  menus: ['/permissions/administrator', '/permissions/role'],
} as const satisfies { functions: readonly Permission[]; menus: readonly RoutePath[] };

/**
 * Call first in every write to roles, their holders, the tree or a person's status. Serializes these writes: later reads hold
 * until commit. Returns the actor as of now, or refuses one who lost session or permission while waiting.
 */
export async function lockAccessChanges(tx: Tx, context: RequestContext): Promise<Person> {
  await lockAccessExclusively(tx);
  const actor = requirePerson(context);
  const [currentActor] = await readCurrentActor(tx, context);
  if (!currentActor) throw createAppError('UNAUTHORIZED');
  const calledFrom = readCallerAddress(context);
  const granted = await readGrantedIdentifiers(tx, actor.id, calledFrom);
  const permission = context.route && requiredPermission(context.route.meta);
  if (permission && !granted.has(permission)) throw await createPermissionRefusal(tx, { id: actor.id, calledFrom }, permission);
  await countAccessChange(tx); // open tabs reload
  markAccessLocked(tx);
  return { ...actor, granted, calledFrom };
}

/** For writes without an actor: serialized with all changes of access. */
export const lockAccessExclusively = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock(${accessLock})`);

/** Roles, permissions and status stay unchanged until commit. */
export const lockAccessShared = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock_shared(${accessLock})`);

/** `identifiers`: everything granted afterwards. Throws GRANT_BEYOND_OWN unless the actor holds all. */
export async function assertMayGrant(tx: Tx, actor: Person, identifiers: Iterable<string>): Promise<void> {
  const missingIdentifiers = findMissingPermissions(
    await readGrantedIdentifiers(tx, actor.id, actor.calledFrom ?? unknownAddress),
    identifiers,
  );
  if (missingIdentifiers.length > 0) throw createAppError('GRANT_BEYOND_OWN', { identifiers: missingIdentifiers });
}

/** Throws OWN_ACCESS. */
export function assertNotSelf(actor: Person, administratorId: string): void {
  if (actor.id === administratorId) throw createAppError('OWN_ACCESS');
}

/** Call last. Throws LAST_ACCESS unless a person who can sign in can still manage access, from some address. */
export async function assertAccessKept(tx: Tx, { services }: Pick<RequestContext, 'services'>): Promise<void> {
  if (!(await hasAccessManager(tx, services))) throw createAppError('LAST_ACCESS');
}

/** WHERE clause: the way back in while SSO_REQUIRED is on. */
const canSignInWithoutProvider = (issuer: string) =>
  sql`${administrators.passwordHash} is not null
    and not exists (select from ${identityLinks} l where l.administrator_id = ${administrators.id} and l.issuer = ${issuer})
    and (${administrators.demo} or ${administrators.totpSecret} is not null
      or exists (select from ${passkeys} k where k.administrator_id = ${administrators.id}))`;

/** Without `calledFrom`, in any of their networks, also while ROLE_NETWORKS is off. */
export async function hasAccessManager(
  tx: Tx,
  { config }: Pick<Services, 'config'>,
  calledFrom?: CallerAddress,
): Promise<boolean> {
  const enabledAdministrators = await tx
    .selectDistinct({ id: administrators.id, email: administrators.email })
    .from(administrators)
    .innerJoin(administratorRoles, eq(administratorRoles.administratorId, administrators.id))
    .where(
      and(
        administrators.enabled,
        isNull(administrators.deletedAt),
        // The provider can disable the accounts that it manages.
        sql`not exists (select from ${provisioned} p where p.administrator_id = ${administrators.id})`,
        // Without a factor that counts, the permissions open nothing, and no one else could vouch for it.
        sql`(select ${factorGapColumn} from ${administrators} a where a.id = ${administrators.id}) is null`,
        // An invited person may never sign in.
        isNull(administrators.passwordExpiresAt),
        sql`(${administrators.passwordHash} is not null or ${administrators.walletAddress} is not null)`,
        config.sso?.required ? canSignInWithoutProvider(config.sso.issuer) : undefined,
        config.demo ? undefined : eq(administrators.demo, false),
      ),
    );
  for (const administrator of enabledAdministrators)
    for (const address of calledFrom ? [calledFrom] : await readTypicalAddresses(tx, administrator.id))
      if (await canManageAccess(tx, administrator, address)) return true;
  return false;
}

/** One in no network, and the first of each network. Networks nest, so no other address has more of the roles. */
async function readTypicalAddresses(queries: Queries, administratorId: string): Promise<CallerAddress[]> {
  const heldRoles = await queries
    .select({ networks: roles.networks })
    .from(administratorRoles)
    .innerJoin(roles, eq(roles.id, administratorRoles.roleId))
    .where(eq(administratorRoles.administratorId, administratorId));
  const firstAddresses = new Set(
    heldRoles.flatMap(({ networks }) => networks.map((network) => network.split('/', 1)[0] ?? null)),
  );
  return [null, ...firstAddresses].map((ip) => ({ ip, ignoresNetworks: false }));
}

async function canManageAccess(
  queries: Queries,
  { id, email }: { id: string; email: string },
  calledFrom: CallerAddress,
): Promise<boolean> {
  const granted = await readGrantedIdentifiers(queries, id, calledFrom);
  if (findMissingPermissions(granted, [...accessKeys.functions, ...accessKeys.menus]).length > 0) return false;
  // A screen outside the menu is unreachable too.
  const { permittedRoutes } = await buildAccess(queries, { email, granted });
  return findMissingPermissions(new Set(listPaths(permittedRoutes)), accessKeys.menus).length === 0;
}

const listPaths = (routes: readonly PermittedRoute[]): string[] =>
  routes.flatMap(({ path, children }) => [path, ...listPaths(children ?? [])]);

const findMissingPermissions = (heldPermissions: ReadonlySet<string>, permissions: Iterable<string>): string[] =>
  [...new Set(permissions)].filter((identifier) => !heldPermissions.has(identifier)).toSorted();
