import { expect, test } from 'vitest';
import { testApp } from '../../testing/support.ts';

test('a database of other migrations stops the start in one line, and nothing is done to it', async () => {
  const { database } = await testApp();
  await database.migrate(); // its own: nothing to do
  await database.pool.query(`update drizzle.__drizzle_migrations set hash = 'another' where id = 1`);
  await expect(database.migrate()).rejects.toThrow('created by an earlier development version');
});

test('an older build refuses to start on a database that a newer build upgraded', async () => {
  const { database } = await testApp();
  await database.pool.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at) select 'of tomorrow', max(created_at) + 1 from drizzle.__drizzle_migrations`,
  );
  await expect(database.migrate()).rejects.toThrow('A newer version of the panel has upgraded this database.');
});
