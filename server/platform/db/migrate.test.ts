import { expect, test } from 'vitest';
import { testApp } from '../../testing/support.ts';

test('a database of other migrations stops the start in one line, and nothing is done to it', async () => {
  const { database } = await testApp();
  await database.migrate(); // its own: nothing to do
  await database.pool.query(`update drizzle.__drizzle_migrations set hash = 'another' where id = 1`);
  await expect(database.migrate()).rejects.toThrow('made by an earlier version');
});
