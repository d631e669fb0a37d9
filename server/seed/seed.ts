import { eq, inArray, sql } from 'drizzle-orm';
import { builtInRoles, storedRole } from '../../api/access/built-in-roles.ts';
import { builtInTree, type BuiltInNode } from '../platform/auth/rights/built-in-tree.ts';
import type { Permission } from '../../api/names.ts';
import { demoTaproot } from '../../chain/wallet/taproot.ts';
import type { Config } from '../platform/core/config.ts';
import type { Services } from '../platform/services/context.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { movesMoney } from '../platform/auth/rights/money-rights.ts';
import { recordSystemAudit } from '../platform/audit/system-audit.ts';
import { countAccessChange } from '../platform/auth/rights/access-changes.ts';
import { newId } from '../platform/core/ids.ts';
import { hashPassword } from '../platform/auth/sign-in/password.ts';
import {
  demoAccounts,
  demoPassword,
  grantsOf,
  qaAccount,
  laterGrants,
  seededMayGrant,
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

/** At every start. Only adds, one process at a time (platform/db/in-turn.ts). */
export async function seed(services: Services): Promise<void> {
  const { config, database, now } = services;
  const at = new Date(now());
  await database.db.transaction(async (tx) => {
    await tx.execute(sql`set local lock_timeout = '60s'`); // other servers may use these rows
    const added = await seedTree(tx, at);
    await seedRoles(tx, at, added, config.production);
    await seedMayGrant(tx);
    await seedLaterGrants(tx, services);
    if (config.demo) await seedDemoAccounts(tx, at, config);
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
async function seedTree(tx: Tx, at: Date): Promise<Set<string>> {
  const existing = await tx.select({ id: permissionNodes.id, identifier: permissionNodes.identifier }).from(permissionNodes);
  const ids = new Map(existing.map(({ id, identifier }) => [identifier, id]));
  const known = await seededKeys(tx);
  const added = new Set<string>();
  const addUnder = async (nodes: readonly BuiltInNode[], parentId: string | null): Promise<void> => {
    for (const [position, { kind, identifier, zh, en, children }] of nodes.entries()) {
      const there = ids.get(identifier);
      const id = there ?? newId();
      if (there === undefined && known.has(nodeKey(identifier))) {
        await addUnder(children, parentId); // deleted by people: new children keep their built-in position
        continue;
      }
      if (there === undefined) {
        await tx
          .insert(permissionNodes)
          .values({ id, parentId, kind, identifier, nameZh: zh, nameEn: en, position, createdAt: at, updatedAt: at });
        added.add(identifier);
      }
      await addUnder(children, id);
    }
  };
  await addUnder(builtInTree(), null);
  await rememberSeeded(
    tx,
    builtInTree()
      .flatMap(flat)
      .map(({ identifier }) => nodeKey(identifier)),
  );
  return added;
}

const flat = (node: BuiltInNode): BuiltInNode[] => [node, ...node.children.flatMap(flat)];
const nodeKey = (identifier: string) => `node:${identifier}`;
const roleKey = (name: RoleName) => `role:${name}`;

async function seededKeys(tx: Tx): Promise<Set<string>> {
  return new Set((await tx.select().from(seeded)).map(({ key }) => key));
}

async function rememberSeeded(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx
    .insert(seeded)
    .values(keys.map((key) => ({ key })))
    .onConflictDoNothing();
}

/** New roles get all grants, existing ones only those of new nodes. */
async function seedRoles(tx: Tx, at: Date, added: ReadonlySet<string>, production: boolean): Promise<void> {
  const existing = new Map(
    (await tx.select({ id: roles.id, seed: roles.seed }).from(roles)).map(({ id, seed: name }) => [name, id]),
  );
  const known = await seededKeys(tx);
  for (const name of Object.keys(seededRoles) as RoleName[]) {
    const there = existing.get(name);
    if (!there && known.has(roleKey(name))) continue; // deleted by people
    const id = there ?? newId();
    const called = storedRole(builtInRoles[name]);
    // Demo accounts have no second factor and cannot exist in production.
    const needsFactor = production && [...grantsOf(name)].some(movesMoney);
    if (!there) await tx.insert(roles).values({ id, seed: name, ...called, needsFactor, createdAt: at, updatedAt: at });
    const grants = [...grantsOf(name)].filter((identifier) => !there || added.has(identifier));
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
  await rememberSeeded(tx, (Object.keys(seededRoles) as RoleName[]).map(roleKey));
  if (added.size > 0) await countAccessChange(tx);
}

/** Once, and only between roles that people left unchanged. */
async function seedMayGrant(tx: Tx): Promise<void> {
  const known = await seededKeys(tx);
  const unchanged = await unchangedRoles(tx);
  for (const [name, given] of Object.entries(seededMayGrant)) {
    const key = `mayGrant:${name}`;
    if (known.has(key)) continue;
    const roleId = unchanged.get(name);
    const pairs = given.flatMap((role) => {
      const grantableId = unchanged.get(role);
      return roleId && grantableId ? [{ roleId, grantableId }] : [];
    });
    if (pairs.length > 0) await tx.insert(grantableRoles).values(pairs).onConflictDoNothing();
    await rememberSeeded(tx, [key]);
  }
}

/** Once, and only to roles that people left unchanged. */
async function seedLaterGrants(tx: Tx, services: Services): Promise<void> {
  const known = await seededKeys(tx);
  const unchanged = await unchangedRoles(tx);
  for (const [name, identifiers] of Object.entries(laterGrants)) {
    const key = `grants:${name}`;
    if (known.has(key)) continue;
    const roleId = unchanged.get(name);
    if (roleId !== undefined) await grantLater(tx, services, roleId, identifiers);
    await rememberSeeded(tx, [key]);
  }
}

async function grantLater(tx: Tx, services: Services, roleId: string, identifiers: readonly Permission[]): Promise<void> {
  const before = await roleForAudit(tx, roleId);
  const nodes = await tx
    .select({ id: permissionNodes.id })
    .from(permissionNodes)
    .where(inArray(permissionNodes.identifier, [...identifiers]));
  if (nodes.length === 0) return;
  const granted = await tx
    .insert(roleNodes)
    .values(nodes.map((node) => ({ roleId, nodeId: node.id })))
    .onConflictDoNothing()
    .returning({ nodeId: roleNodes.nodeId });
  if (granted.length === 0) return;
  await countAccessChange(tx);
  const after = await roleForAudit(tx, roleId);
  await recordSystemAudit(tx, services, { entity: 'role', id: roleId, action: 'grant', before, after });
}

async function roleForAudit(tx: Tx, roleId: string) {
  const [role] = await tx.select({ name: roles.name }).from(roles).where(eq(roles.id, roleId));
  const granted = await tx
    .select({ identifier: permissionNodes.identifier })
    .from(roleNodes)
    .innerJoin(permissionNodes, eq(permissionNodes.id, roleNodes.nodeId))
    .where(eq(roleNodes.roleId, roleId))
    .orderBy(permissionNodes.identifier);
  return { name: role?.name, grants: granted.map(({ identifier }) => identifier) };
}

async function unchangedRoles(tx: Tx): Promise<Map<string | null, string>> {
  const found = await tx.select({ id: roles.id, seed: roles.seed }).from(roles).where(eq(roles.version, 1));
  return new Map(found.map(({ id, seed: name }) => [name, id]));
}

async function seedDemoAccounts(tx: Tx, at: Date, { demoNews, demoWallet, bitcoinNetwork }: Config): Promise<void> {
  const missing = [];
  const there = new Set((await tx.select({ seed: roles.seed }).from(roles)).map(({ seed: name }) => name));
  for (const account of demoNews ? [...demoAccounts, qaAccount] : demoAccounts) {
    if (!there.has(account.role)) continue; // the role was deleted by people
    const [found] = await tx
      .select({ id: administrators.id })
      .from(administrators)
      .where(eq(administrators.email, account.email));
    if (!found) missing.push(account);
  }
  if (missing.length === 0) return;
  const passwordHash = await hashPassword(demoPassword);
  for (const { email, role } of missing) {
    const id = await addAdministrator(tx, { email, passwordHash, role, at, demo: true });
    if (demoWallet && role === 'operator')
      await tx
        .update(administrators)
        .set({ walletAddress: demoTaproot(1, bitcoinNetwork).address })
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
  const [seeded] = await queries.select({ id: roles.id }).from(roles).where(eq(roles.seed, role));
  if (!seeded) throw new Error(`the built-in role ${role} is missing`);
  const description = builtInRoles[role].description.en;
  await queries.insert(administrators).values({ id, email, passwordHash, description, demo, createdAt: at, updatedAt: at });
  await queries.insert(administratorRoles).values({ administratorId: id, roleId: seeded.id });
  return id;
}
