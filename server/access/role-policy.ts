import { and, eq } from 'drizzle-orm';
import ipaddr from 'ipaddr.js';
import type { RoleFields, RolePolicy, RoleRow } from '../../api/access/roles.ts';
import { hasAccessManager } from '../platform/auth/rights/escalation.ts';
import { readCallerAddress } from '../platform/auth/rights/role-networks.ts';
import { administratorRoles } from '../platform/auth/tables.ts';
import { createAppError, createFieldError } from '../platform/core/errors.ts';
import type { Tx } from '../platform/db/db.ts';
import type { Person, RequestContext } from '../platform/services/context.ts';
import { parseNetworks } from './network-list.ts';

/** Networks in which a role grants permissions, and session limits of its holders. Null: the server's limit. */
export type RoleLimits = Pick<RoleRow, 'networks' | 'idleMinutes' | 'sessionHours'>;

export const noLimits: RoleLimits = { networks: [], idleMinutes: null, sessionHours: null };

/** Missing fields keep their value. Throws BAD_REQUEST. */
export function parseRoleLimits(
  { networks, idleMinutes, sessionHours }: Pick<RoleFields, keyof RoleLimits>,
  previousLimits: RoleLimits,
): RoleLimits {
  const parsedNetworks = networks === undefined ? previousLimits.networks : parseNetworks(networks);
  if (parsedNetworks.some((network) => network.endsWith('/0'))) throw createFieldError('networks', 'everyNetwork');
  return {
    networks: parsedNetworks,
    idleMinutes: idleMinutes === undefined ? previousLimits.idleMinutes : idleMinutes,
    sessionHours: sessionHours === undefined ? previousLimits.sessionHours : sessionHours,
  };
}

/**
 * Throws OWN_ACCESS if a holder loosens the role, and BAD_REQUEST if the networks shut the holder out. While ROLE_NETWORKS is off,
 * holders may change the networks, because that is the way back in.
 */
export async function assertMayChangeLimits(
  tx: Tx,
  context: RequestContext,
  actor: Person,
  roleId: string,
  previousLimits: RoleLimits,
  limits: RoleLimits,
): Promise<void> {
  if (!(await isHolder(tx, actor, roleId))) return;
  const { ip, ignoresNetworks } = readCallerAddress(context);
  const isLooser =
    isLooserLimit(previousLimits.idleMinutes, limits.idleMinutes) ||
    isLooserLimit(previousLimits.sessionHours, limits.sessionHours) ||
    (!ignoresNetworks && areLooserNetworks(previousLimits.networks, limits.networks));
  if (isLooser) throw createAppError('OWN_ACCESS');
  const shutsOut = limits.networks.length > 0 && !(ip !== null && isInNetworks(ip, limits.networks));
  if (shutsOut && !hasSameNetworks(previousLimits.networks, limits.networks)) throw createFieldError('networks', 'shutsOut');
}

/** Runs `change`, and throws LAST_ACCESS if someone could manage access from the caller's address before it and no one can after it. */
export async function keepAccessManagersHere(
  tx: Tx,
  context: RequestContext,
  isNetworkChange: boolean,
  change: () => Promise<void>,
): Promise<void> {
  const calledFrom = { ...readCallerAddress(context), ignoresNetworks: false };
  const hadManager = isNetworkChange && (await hasAccessManager(tx, context.services, calledFrom));
  await change();
  if (hadManager && !(await hasAccessManager(tx, context.services, calledFrom))) throw createAppError('LAST_ACCESS');
}

/** In any order. */
export const hasSameNetworks = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((network) => right.includes(network));

export function describeRolePolicy(context: RequestContext): RolePolicy {
  const { config } = context.services;
  const { ip } = readCallerAddress(context);
  return {
    address: ip,
    isProxyLikely: config.production && config.trustProxy === 0 && ip !== null && ipaddr.parse(ip).range() !== 'unicast',
    isEnforced: config.roleNetworks,
    idleMinutes: config.sessionIdleMs / 60_000,
    sessionHours: config.sessionMs / 3_600_000,
  };
}

const isHolder = async (tx: Tx, { id }: Person, roleId: string): Promise<boolean> =>
  (await tx.$count(administratorRoles, and(eq(administratorRoles.administratorId, id), eq(administratorRoles.roleId, roleId)))) >
  0;

const isLooserLimit = (previousLimit: number | null, limit: number | null): boolean =>
  previousLimit !== null && (limit === null || limit > previousLimit);

const areLooserNetworks = (previousNetworks: readonly string[], networks: readonly string[]): boolean =>
  previousNetworks.length > 0 &&
  (networks.length === 0 ||
    networks.some((network) => !isInNetworks(network.split('/', 1)[0] ?? '', previousNetworks, prefixOf(network))));

const prefixOf = (network: string): number => Number(network.split('/')[1]);

/** With `prefix`: whether the whole network of the address is in one of them. */
function isInNetworks(address: string, networks: readonly string[], prefix = Infinity): boolean {
  const parsedAddress = ipaddr.parse(address);
  return networks.some((network) => {
    const range = ipaddr.parseCIDR(network);
    return range[0].kind() === parsedAddress.kind() && range[1] <= prefix && parsedAddress.match(range);
  });
}
