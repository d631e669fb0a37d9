import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { auditInbox } from '../audit/tables.ts';
import { shardedCounters as counters } from '../records/tables.ts';
import { newId } from '../core/ids.ts';
import { runNamed } from './named.ts';
import { testDatabase } from '../../testing/support.ts';

const { db } = await testDatabase();
const counter = (resource: string) => ({ counter: 'arrivals' as const, resource, shard: 0, value: 1 });

test('the same insert again is planned once, with values of its own each time; other statements have no name', async () => {
  const inserted: number[] = [];
  const named = await db.transaction(async (tx) => {
    for (const resource of ['one', 'two', 'three']) {
      const rows = await tx.insert(counters).values(counter(resource)).returning();
      inserted.push(...rows.map(({ value }) => value));
    }
    await tx.update(counters).set({ value: 2 });
    await tx.execute(sql`insert into ${counters} select ${'arrivals'}, ${'four'}, 0, max(value) from ${counters}`);
    const { rows } = await tx.execute<{ statement: string; calls: string }>(
      sql`select statement, generic_plans + custom_plans as calls from pg_prepared_statements`,
    );
    return rows.filter(({ statement }) => /sharded_counters/.test(statement));
  });
  expect(inserted).toEqual([1, 1, 1]);
  expect(named.map(({ calls }) => Number(calls))).toEqual([3]);
  const seen = await db.select({ resource: counters.resource, value: counters.value }).from(counters);
  expect(new Map(seen.map(({ resource, value }) => [resource, value]))).toEqual(
    new Map(['one', 'two', 'three', 'four'].map((resource) => [resource, 2])),
  );
});

test('a fixed statement runs in its transaction, and nowhere else', async () => {
  const id = newId();
  const text = 'insert into audit_inbox (id, payload) values ($1, $2) returning id';
  await db
    .transaction(async (tx) => {
      expect(await runNamed(tx, 'test-inbox', text, [id, '{}'])).toEqual([{ id }]);
      tx.rollback();
    })
    .catch(() => {});
  expect(await db.$count(auditInbox)).toBe(0);
  await expect(runNamed(db, 'test-inbox', text, [id, '{}'])).rejects.toThrow('outside');
});
