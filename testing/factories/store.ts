import { randomBytes } from 'node:crypto';
import { eq, inArray } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { weiOfSatoshi } from '../../api/money.ts';
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

type Changes<Table extends PgTable> = Partial<Table['$inferInsert']>;
type Deposit = typeof deposits.$inferSelect;
export type Store = ReturnType<typeof storeIn>;

/** PostgreSQL allows 65,535 values in a statement. */
const rowsAtOnce = 1_000;

/** The route of the record is not involved: no audit row, and any state at once. Values that a test does not name are valid ones. */
export function storeIn(db: Queries) {
  const stored = async <Row>(rows: Promise<Row[]>): Promise<Row> => {
    const [row] = await rows;
    if (!row) throw new Error('PostgreSQL returned no row');
    return row;
  };

  async function newsItems(items: readonly Changes<typeof news>[]) {
    const rows: (typeof news.$inferSelect)[] = [];
    for (let from = 0; from < items.length; from += rowsAtOnce)
      rows.push(
        ...(await db
          .insert(news)
          .values(items.slice(from, from + rowsAtOnce).map(newsValues))
          .returning()),
      );
    return rows;
  }

  async function personOf(email: string): Promise<string> {
    const { id } = await stored(db.select().from(administrators).where(eq(administrators.email, email)));
    return id;
  }

  return {
    newsItems,
    news: (changes: Changes<typeof news> = {}) => stored(newsItems([changes])),

    notice: (changes: Changes<typeof notices> = {}) => {
      const { content, link } = build.noticeFields();
      return stored(
        db
          .insert(notices)
          .values({ ...times(changes), content, link, creatorEmail: 'editor@demo.local', ...changes })
          .returning(),
      );
    },

    feedback: (changes: Changes<typeof feedback> = {}) => {
      const { email, content } = build.feedback();
      return stored(
        db
          .insert(feedback)
          .values({ ...times(changes), email, content, ...changes })
          .returning(),
      );
    },

    points: (changes: Changes<typeof points> = {}) => {
      const { address, reason } = build.pointsFields();
      const entry = { address, reason, berries: 100n, source: 'adjustment' as const, administratorEmail: '' };
      return stored(
        db
          .insert(points)
          .values({ id: newId(), createdAt: new Date(), ...entry, ...changes })
          .returning(),
      );
    },

    deposit: (changes: Changes<typeof deposits> = {}) => {
      const { userAddress, coboAddress, vout } = build.depositFields();
      const output = { userAddress, coboAddress, vout, network: 'regtest' as const, txid: randomBytes(32).toString('hex') };
      return stored(
        db
          .insert(deposits)
          .values({ ...times(changes), ...output, amount: 1_000n, modifiedEmail: 'operator@demo.local', ...changes })
          .returning(),
      );
    },

    mint: (deposit: Deposit, changes: Changes<typeof mints> = {}) => {
      const { id: depositId, network, txid, vout, amount, userAddress: recipient } = deposit;
      const of = { depositId, depositHash: depositHash(network, txid, vout), recipient, amount: weiOfSatoshi(amount) };
      const place = { chainId: 31_337, token: devnetContracts.ybtc, bridge: devnetContracts.custodyBridge };
      const { createdAt, updatedAt } = deposit;
      return stored(
        db
          .insert(mints)
          .values({ id: newId(), createdAt, updatedAt, nextAt: createdAt, ...of, ...place, state: 'queued', ...changes })
          .returning(),
      );
    },

    /** A service account of these owners with one token. `text` is the token. */
    serviceToken: async (
      { owners, scopes }: { owners: readonly string[]; scopes: readonly string[] },
      changes: Changes<typeof serviceTokens> = {},
    ) => {
      const account = await stored(
        db
          .insert(serviceAccounts)
          .values({ ...times({}), name: `svc-${randomBytes(6).toString('hex')}` })
          .returning(),
      );
      if (owners.length > 0)
        await db
          .insert(serviceAccountOwners)
          .values(owners.map((administratorId) => ({ serviceAccountId: account.id, administratorId })));
      const text = newServiceToken();
      const token = await stored(
        db
          .insert(serviceTokens)
          .values({
            id: newId(),
            serviceAccountId: account.id,
            name: 'token',
            hash: hashServiceToken(text),
            lastFour: lastFourOf(text),
            networks: [],
            creatorEmail: 'access@demo.local',
            createdAt: account.createdAt,
            expiresAt: new Date(account.createdAt.getTime() + 90 * 86_400_000),
            ...changes,
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

    withdrawal: (deposit: Deposit, changes: Changes<typeof withdrawals> = {}) => {
      const { id: depositId, userAddress: address, amount, txid, createdAt, updatedAt } = deposit;
      const receiver = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
      return stored(
        db
          .insert(withdrawals)
          .values({ id: newId(), depositId, address, amount, txid, receiver, createdAt, updatedAt, ...changes })
          .returning(),
      );
    },

    role: async ({ nodeIds = [], ...changes }: Changes<typeof roles> & { nodeIds?: readonly string[] } = {}) => {
      const id = newId();
      const role = await stored(
        db
          .insert(roles)
          .values({ ...times(changes), id, name: `Role ${id}`, ...changes })
          .returning(),
      );
      if (nodeIds.length > 0) await db.insert(roleNodes).values(nodeIds.map((nodeId) => ({ roleId: role.id, nodeId })));
      return role;
    },

    person: async ({ roleIds = [], ...changes }: Changes<typeof administrators> & { roleIds?: readonly string[] } = {}) => {
      const id = newId();
      const person = await stored(
        db
          .insert(administrators)
          .values({ ...times(changes), id, email: `${id}@example.com`, ...changes })
          .returning(),
      );
      if (roleIds.length > 0)
        await db.insert(administratorRoles).values(roleIds.map((roleId) => ({ administratorId: person.id, roleId })));
      return person;
    },

    /** Gives a seeded role a permission that it lacks at first. */
    grant: async (seed: string, identifier: string) => {
      const { id: roleId } = await stored(db.select().from(roles).where(eq(roles.seed, seed)));
      const { id: nodeId } = await stored(db.select().from(permissionNodes).where(eq(permissionNodes.identifier, identifier)));
      await db.insert(roleNodes).values({ roleId, nodeId }).onConflictDoNothing();
    },

    /** Two people count as one while one of them lately changed the other's account. */
    accountChange: async ({ of, by, at }: { of: string; by?: string; at: Date }) => {
      const people = { administratorId: await personOf(of), changedBy: by === undefined ? null : await personOf(by) };
      return stored(
        db
          .insert(accountChanges)
          .values({ id: newId(), ...people, what: 'email', createdAt: at })
          .returning(),
      );
    },
  };
}

function times({ createdAt = new Date() }: { createdAt?: Date }) {
  return { id: newId(), createdAt, updatedAt: createdAt };
}

function newsValues(changes: Changes<typeof news>): typeof news.$inferInsert {
  const { title, description, image, time, link } = build.newsFields();
  return { ...times(changes), title, description, image, link, time: new Date(time), ...changes };
}
