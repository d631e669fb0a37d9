import { randomBytes } from 'node:crypto';
import { eq, inArray } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { satoshiToWei } from '../../api/money.ts';
import { depositHash } from '../../chain/deposit-hash.ts';
import { devnetContracts } from '../../chain/deploy.ts';
import { deposits } from '../../server/deposits/tables.ts';
import { feedback } from '../../server/feedback/tables.ts';
import { mints } from '../../server/mints/tables.ts';
import { news } from '../../server/news/tables.ts';
import { notices } from '../../server/notices/tables.ts';
import {
  accountChanges,
  administratorRoles,
  administrators,
  groupRoles,
  permissionNodes,
  roleNodes,
  roles,
  serviceAccountOwners,
  serviceAccounts,
  serviceTokenNodes,
  serviceTokens,
} from '../../server/platform/auth/tables.ts';
import { hashServiceToken, lastFourOf, newServiceToken } from '../../server/platform/auth/service-accounts/token-format.ts';
import { newId } from '../../server/platform/core/ids.ts';
import type { Queries } from '../../server/platform/db/db.ts';
import { points } from '../../server/rewards/tables.ts';
import { withdrawals } from '../../server/withdrawals/tables.ts';
import { build } from './build.ts';

type Overrides<Table extends PgTable> = Partial<Table['$inferInsert']>;
type DepositRow = typeof deposits.$inferSelect;
export type Store = ReturnType<typeof createStore>;

/** PostgreSQL allows 65,535 values in a statement. */
const batchSize = 1_000;

/** The route of the record is not involved: no audit row, and any state at once. Values that a test does not name are valid ones. */
export function createStore(db: Queries) {
  const firstRow = async <Row>(rows: Promise<Row[]>): Promise<Row> => {
    const [row] = await rows;
    if (!row) throw new Error('PostgreSQL returned no row');
    return row;
  };

  async function insertNewsItems(items: readonly Overrides<typeof news>[]) {
    const rows: (typeof news.$inferSelect)[] = [];
    for (let start = 0; start < items.length; start += batchSize)
      rows.push(
        ...(await db
          .insert(news)
          .values(items.slice(start, start + batchSize).map(buildNewsValues))
          .returning()),
      );
    return rows;
  }

  async function administratorIdOf(email: string): Promise<string> {
    const { id } = await firstRow(db.select().from(administrators).where(eq(administrators.email, email)));
    return id;
  }

  return {
    newsItems: insertNewsItems,
    news: (overrides: Overrides<typeof news> = {}) => firstRow(insertNewsItems([overrides])),

    notice: (overrides: Overrides<typeof notices> = {}) => {
      const { content, link } = build.noticeFields();
      return firstRow(
        db
          .insert(notices)
          .values({ ...timestampFields(overrides), content, link, creatorEmail: 'editor@demo.local', ...overrides })
          .returning(),
      );
    },

    feedback: (overrides: Overrides<typeof feedback> = {}) => {
      const { email, content } = build.feedback();
      return firstRow(
        db
          .insert(feedback)
          .values({ ...timestampFields(overrides), email, content, ...overrides })
          .returning(),
      );
    },

    points: (overrides: Overrides<typeof points> = {}) => {
      const { address, reason } = build.pointsFields();
      const entry = { address, reason, berries: 100n, source: 'adjustment' as const, administratorEmail: '' };
      return firstRow(
        db
          .insert(points)
          .values({ id: newId(), createdAt: new Date(), ...entry, ...overrides })
          .returning(),
      );
    },

    deposit: (overrides: Overrides<typeof deposits> = {}) => {
      const { userAddress, coboAddress, vout } = build.depositFields();
      const output = { userAddress, coboAddress, vout, network: 'regtest' as const, txid: randomBytes(32).toString('hex') };
      return firstRow(
        db
          .insert(deposits)
          .values({
            ...timestampFields(overrides),
            ...output,
            amount: 1_000n,
            modifiedEmail: 'operator@demo.local',
            ...overrides,
          })
          .returning(),
      );
    },

    mint: (deposit: DepositRow, overrides: Overrides<typeof mints> = {}) => {
      const { id: depositId, network, txid, vout, amount, userAddress: recipient } = deposit;
      const mintFields = { depositId, depositHash: depositHash(network, txid, vout), recipient, amount: satoshiToWei(amount) };
      const chainFields = { chainId: 31_337, token: devnetContracts.ybtc, bridge: devnetContracts.custodyBridge };
      const { createdAt, updatedAt } = deposit;
      return firstRow(
        db
          .insert(mints)
          .values({
            id: newId(),
            createdAt,
            updatedAt,
            nextAt: createdAt,
            ...mintFields,
            ...chainFields,
            state: 'queued',
            ...overrides,
          })
          .returning(),
      );
    },

    /** A service account of these owners with one token. `text` is the token. */
    serviceToken: async (
      { owners, scopes }: { owners: readonly string[]; scopes: readonly string[] },
      overrides: Overrides<typeof serviceTokens> = {},
    ) => {
      const account = await firstRow(
        db
          .insert(serviceAccounts)
          .values({ ...timestampFields({}), name: `svc-${randomBytes(6).toString('hex')}` })
          .returning(),
      );
      if (owners.length > 0)
        await db
          .insert(serviceAccountOwners)
          .values(owners.map((administratorId) => ({ serviceAccountId: account.id, administratorId })));
      const text = newServiceToken();
      const token = await firstRow(
        db
          .insert(serviceTokens)
          .values({
            id: newId(),
            serviceAccountId: account.id,
            createdBy: owners[0] ?? null,
            name: 'token',
            hash: hashServiceToken(text),
            lastFour: lastFourOf(text),
            networks: [],
            creatorEmail: 'access@demo.local',
            createdAt: account.createdAt,
            expiresAt: new Date(account.createdAt.getTime() + 90 * 86_400_000),
            ...overrides,
          })
          .returning(),
      );
      const nodes = await db
        .select({ id: permissionNodes.id })
        .from(permissionNodes)
        .where(inArray(permissionNodes.identifier, [...scopes]));
      if (nodes.length > 0)
        await db.insert(serviceTokenNodes).values(nodes.map(({ id: nodeId }) => ({ tokenId: token.id, nodeId })));
      return { account, token, text };
    },

    /** `text` is the token. */
    provisioningToken: async (overrides: Overrides<typeof serviceTokens> = {}) => {
      const text = newServiceToken('scim');
      const { createdAt } = timestampFields({});
      const token = await firstRow(
        db
          .insert(serviceTokens)
          .values({
            id: newId(),
            kind: 'scim',
            name: 'Okta',
            hash: hashServiceToken(text),
            lastFour: lastFourOf(text),
            networks: [],
            creatorEmail: 'access@demo.local',
            createdAt,
            expiresAt: new Date(createdAt.getTime() + 90 * 86_400_000),
            ...overrides,
          })
          .returning(),
      );
      return { token, text };
    },

    /** Members of the group get the role. `value`: a SCIM group's ID, or the text of a claim. */
    groupRole: (value: string, roleId: string, source: 'claim' | 'scim' = 'scim') =>
      firstRow(
        db
          .insert(groupRoles)
          .values({ ...timestampFields({}), source, value, roleId })
          .returning(),
      ),

    withdrawal: (deposit: DepositRow, overrides: Overrides<typeof withdrawals> = {}) => {
      const { id: depositId, userAddress: address, amount, txid, createdAt, updatedAt } = deposit;
      const receiver = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
      return firstRow(
        db
          .insert(withdrawals)
          .values({ id: newId(), depositId, address, amount, txid, receiver, createdAt, updatedAt, ...overrides })
          .returning(),
      );
    },

    role: async ({ nodeIds = [], ...overrides }: Overrides<typeof roles> & { nodeIds?: readonly string[] } = {}) => {
      const id = newId();
      const role = await firstRow(
        db
          .insert(roles)
          .values({ ...timestampFields(overrides), id, name: `Role ${id}`, ...overrides })
          .returning(),
      );
      if (nodeIds.length > 0) await db.insert(roleNodes).values(nodeIds.map((nodeId) => ({ roleId: role.id, nodeId })));
      return role;
    },

    person: async ({ roleIds = [], ...overrides }: Overrides<typeof administrators> & { roleIds?: readonly string[] } = {}) => {
      const id = newId();
      const administrator = await firstRow(
        db
          .insert(administrators)
          .values({ ...timestampFields(overrides), id, email: `${id}@example.com`, ...overrides })
          .returning(),
      );
      if (roleIds.length > 0)
        await db.insert(administratorRoles).values(roleIds.map((roleId) => ({ administratorId: administrator.id, roleId })));
      return administrator;
    },

    /** Gives a seeded role a permission that it lacks at first. */
    grant: async (seed: string, identifier: string) => {
      const { id: roleId } = await firstRow(db.select().from(roles).where(eq(roles.seed, seed)));
      const { id: nodeId } = await firstRow(db.select().from(permissionNodes).where(eq(permissionNodes.identifier, identifier)));
      await db.insert(roleNodes).values({ roleId, nodeId }).onConflictDoNothing();
    },

    /** Two people count as one if one of them changed the other's account, or one person vouched for both. */
    accountChange: async ({ of, by, at, vouches = false }: { of: string; by?: string; at: Date; vouches?: boolean }) => {
      const administratorFields = {
        administratorId: await administratorIdOf(of),
        changedBy: by === undefined ? null : await administratorIdOf(by),
      };
      return firstRow(
        db
          .insert(accountChanges)
          .values({
            id: newId(),
            ...administratorFields,
            what: vouches ? 'factor' : 'email',
            byEnrollmentCode: vouches,
            createdAt: at,
          })
          .returning(),
      );
    },
  };
}

function timestampFields({ createdAt = new Date() }: { createdAt?: Date }) {
  return { id: newId(), createdAt, updatedAt: createdAt };
}

function buildNewsValues(overrides: Overrides<typeof news>): typeof news.$inferInsert {
  const { title, description, image, time, link } = build.newsFields();
  return { ...timestampFields(overrides), title, description, image, link, time: new Date(time), ...overrides };
}
