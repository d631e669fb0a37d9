import { eq, inArray, sql } from 'drizzle-orm';
import { builtInRoles, toStoredRole } from '../../api/access/built-in-roles.ts';
import { buildBuiltInTree, type BuiltInNode } from '../platform/auth/rights/built-in-tree.ts';
import type { Permission } from '../../api/names.ts';
import { createDemoTaproot } from '../../chain/wallet/taproot.ts';
import type { Config } from '../platform/core/config.ts';
import type { Services } from '../platform/services/context.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { canMoveMoney } from '../platform/auth/rights/money-rights.ts';
import { recordSystemAudit } from '../platform/audit/system-audit.ts';
import { countAccessChange } from '../platform/auth/rights/access-changes.ts';
import { newId } from '../platform/core/ids.ts';
import { hashPassword } from '../platform/auth/sign-in/password.ts';
import {
  demoAccounts,
  demoPassword,
  readSeededGrants,
  qaAccount,
  grantsAddedLater,
  seededGrantableRoles,
  seededRoles,
  type RoleName,
} from './roles.ts';
import { seedDemoNews } from './demo.ts';
import { seedDemoDeposits } from './demo-deposits.ts';
import { seedDemoRewards } from './demo-rewards.ts';
import { seedDemoFeedback } from './demo-feedback.ts';
import { seedDemoStatistics } from './demo-statistics.ts';
import { seedDemoNotices } from './demo-notices.ts';
import {
  administratorRoles,
  administrators,
  grantableRoles,
  permissionNodes,
  roleNodes,
  roles,
} from '../platform/auth/tables.ts';
import { seeded } from './tables.ts';

/** At every start. Only adds, one process at a time (platform/db/advisory-lock.ts). */
export async function seedDatabase(services: Services): Promise<void> {
  const { config, database, now } = services;
  const seedTime = new Date(now());
  await database.db.transaction(async (tx) => {
    await tx.execute(sql`set local lock_timeout = '60s'`); // other servers may use these rows
    const addedIdentifiers = await seedTree(tx, seedTime);
    await seedRoles(tx, seedTime, addedIdentifiers, config.production);
    await seedGrantableRoles(tx);
    await seedLaterGrants(tx, services);
    if (config.demo) await seedDemoAccounts(tx, seedTime, config);
  });
  if (!config.demoNews) return;
  await seedDemoNews(services);
  await seedDemoFeedback(services);
  await seedDemoRewards(services);
  await seedDemoNotices(services);
  await seedDemoDeposits(services);
  await seedDemoStatistics(services);
}

/** Adds new nodes under their parents and keeps people's changes. Returns the new ones. */
async function seedTree(tx: Tx, seedTime: Date): Promise<Set<string>> {
  const existingNodes = await tx.select({ id: permissionNodes.id, identifier: permissionNodes.identifier }).from(permissionNodes);
  const ids = new Map(existingNodes.map(({ id, identifier }) => [identifier, id]));
  const recordedKeys = await readSeededKeys(tx);
  const addedIdentifiers = new Set<string>();
  const addUnder = async (nodes: readonly BuiltInNode[], parentId: string | null): Promise<void> => {
    for (const [position, { kind, identifier, zh, en, children }] of nodes.entries()) {
      const existingNodeId = ids.get(identifier);
      const id = existingNodeId ?? newId();
      if (existingNodeId === undefined && recordedKeys.has(nodeKey(identifier))) {
        await addUnder(children, parentId); // deleted by people: new children keep their built-in position
        continue;
      }
      if (existingNodeId === undefined) {
        await tx
          .insert(permissionNodes)
          .values({ id, parentId, kind, identifier, nameZh: zh, nameEn: en, position, createdAt: seedTime, updatedAt: seedTime });
        addedIdentifiers.add(identifier);
      }
      await addUnder(children, id);
    }
  };
  await addUnder(buildBuiltInTree(), null);
  await recordSeeded(
    tx,
    buildBuiltInTree()
      .flatMap(flattenNode)
      .map(({ identifier }) => nodeKey(identifier)),
  );
  return addedIdentifiers;
}

const flattenNode = (node: BuiltInNode): BuiltInNode[] => [node, ...node.children.flatMap(flattenNode)];
const nodeKey = (identifier: string) => `node:${identifier}`;
const roleKey = (name: RoleName) => `role:${name}`;

async function readSeededKeys(tx: Tx): Promise<Set<string>> {
  return new Set((await tx.select().from(seeded)).map(({ key }) => key));
}

async function recordSeeded(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx
    .insert(seeded)
    .values(keys.map((key) => ({ key })))
    .onConflictDoNothing();
}

/** New roles get all grants, existing ones only those of new nodes. */
async function seedRoles(tx: Tx, seedTime: Date, addedIdentifiers: ReadonlySet<string>, isProduction: boolean): Promise<void> {
  const existingRoles = new Map(
    (await tx.select({ id: roles.id, seed: roles.seed }).from(roles)).map(({ id, seed: name }) => [name, id]),
  );
  const recordedKeys = await readSeededKeys(tx);
  for (const name of Object.keys(seededRoles) as RoleName[]) {
    const existingRole = existingRoles.get(name);
    if (!existingRole && recordedKeys.has(roleKey(name))) continue; // deleted by people
    const id = existingRole ?? newId();
    const roleNames = toStoredRole(builtInRoles[name]);
    // Demo accounts have no second factor and cannot exist in production.
    const needsFactor = isProduction && [...readSeededGrants(name)].some(canMoveMoney);
    if (!existingRole)
      await tx.insert(roles).values({ id, seed: name, ...roleNames, needsFactor, createdAt: seedTime, updatedAt: seedTime });
    const grants = [...readSeededGrants(name)].filter((identifier) => !existingRole || addedIdentifiers.has(identifier));
    if (grants.length === 0) continue;
    const nodes = await tx
      .select({ id: permissionNodes.id })
      .from(permissionNodes)
      .where(inArray(permissionNodes.identifier, grants));
    await tx
      .insert(roleNodes)
      .values(nodes.map((node) => ({ roleId: id, nodeId: node.id })))
      .onConflictDoNothing();
  }
  await recordSeeded(tx, (Object.keys(seededRoles) as RoleName[]).map(roleKey));
  if (addedIdentifiers.size > 0) await countAccessChange(tx);
}

/** Once, and only between roles that people left unchanged. */
async function seedGrantableRoles(tx: Tx): Promise<void> {
  const recordedKeys = await readSeededKeys(tx);
  const unchangedRoleIds = await readUnchangedRoles(tx);
  for (const [name, grantableNames] of Object.entries(seededGrantableRoles)) {
    const key = `mayGrant:${name}`;
    if (recordedKeys.has(key)) continue;
    const roleId = unchangedRoleIds.get(name);
    const rolePairs = grantableNames.flatMap((role) => {
      const grantableId = unchangedRoleIds.get(role);
      return roleId && grantableId ? [{ roleId, grantableId }] : [];
    });
    if (rolePairs.length > 0) await tx.insert(grantableRoles).values(rolePairs).onConflictDoNothing();
    await recordSeeded(tx, [key]);
  }
}

/** Once, and only to roles that people left unchanged. */
async function seedLaterGrants(tx: Tx, services: Services): Promise<void> {
  const recordedKeys = await readSeededKeys(tx);
  const unchangedRoleIds = await readUnchangedRoles(tx);
  for (const [name, identifiers] of Object.entries(grantsAddedLater)) {
    const key = `grants:${name}`;
    if (recordedKeys.has(key)) continue;
    const roleId = unchangedRoleIds.get(name);
    if (roleId !== undefined) await grantLater(tx, services, roleId, identifiers);
    await recordSeeded(tx, [key]);
  }
}

async function grantLater(tx: Tx, services: Services, roleId: string, identifiers: readonly Permission[]): Promise<void> {
  const previousRole = await readRoleForAudit(tx, roleId);
  const nodes = await tx
    .select({ id: permissionNodes.id })
    .from(permissionNodes)
    .where(inArray(permissionNodes.identifier, [...identifiers]));
  if (nodes.length === 0) return;
  const grantedNodes = await tx
    .insert(roleNodes)
    .values(nodes.map((node) => ({ roleId, nodeId: node.id })))
    .onConflictDoNothing()
    .returning({ nodeId: roleNodes.nodeId });
  if (grantedNodes.length === 0) return;
  await countAccessChange(tx);
  const updatedRole = await readRoleForAudit(tx, roleId);
  await recordSystemAudit(tx, services, {
    entity: 'role',
    id: roleId,
    action: 'grant',
    before: previousRole,
    after: updatedRole,
  });
}

async function readRoleForAudit(tx: Tx, roleId: string) {
  const [role] = await tx.select({ name: roles.name }).from(roles).where(eq(roles.id, roleId));
  const grantedNodes = await tx
    .select({ identifier: permissionNodes.identifier })
    .from(roleNodes)
    .innerJoin(permissionNodes, eq(permissionNodes.id, roleNodes.nodeId))
    .where(eq(roleNodes.roleId, roleId))
    .orderBy(permissionNodes.identifier);
  return { name: role?.name, grants: grantedNodes.map(({ identifier }) => identifier) };
}

async function readUnchangedRoles(tx: Tx): Promise<Map<string | null, string>> {
  const unchangedRows = await tx.select({ id: roles.id, seed: roles.seed }).from(roles).where(eq(roles.version, 1));
  return new Map(unchangedRows.map(({ id, seed: name }) => [name, id]));
}

async function seedDemoAccounts(tx: Tx, seedTime: Date, { demoNews, demoWallet, bitcoinNetwork }: Config): Promise<void> {
  const missingAccounts = [];
  const existingRoleNames = new Set((await tx.select({ seed: roles.seed }).from(roles)).map(({ seed: name }) => name));
  for (const account of demoNews ? [...demoAccounts, qaAccount] : demoAccounts) {
    if (!existingRoleNames.has(account.role)) continue; // the role was deleted by people
    const [existingAdministrator] = await tx
      .select({ id: administrators.id })
      .from(administrators)
      .where(eq(administrators.email, account.email));
    if (!existingAdministrator) missingAccounts.push(account);
  }
  if (missingAccounts.length === 0) return;
  const passwordHash = await hashPassword(demoPassword);
  for (const { email, role } of missingAccounts) {
    const id = await addAdministrator(tx, { email, passwordHash, role, at: seedTime, demo: true });
    if (demoWallet && role === 'operator')
      await tx
        .update(administrators)
        .set({ walletAddress: createDemoTaproot(1, bitcoinNetwork).address })
        .where(eq(administrators.id, id));
  }
}

interface NewAdministrator {
  email: string;
  passwordHash: string;
  role: RoleName;
  at: Date;
  demo: boolean;
}

/** `email` is normalized. Returns the id. */
export async function addAdministrator(
  queries: Queries,
  { email, passwordHash, role, at, demo }: NewAdministrator,
): Promise<string> {
  const id = newId();
  const [seededRole] = await queries.select({ id: roles.id }).from(roles).where(eq(roles.seed, role));
  if (!seededRole) throw new Error(`the built-in role ${role} is missing`);
  const description = builtInRoles[role].description.en;
  await queries.insert(administrators).values({ id, email, passwordHash, description, demo, createdAt: at, updatedAt: at });
  await queries.insert(administratorRoles).values({ administratorId: id, roleId: seededRole.id });
  return id;
}
