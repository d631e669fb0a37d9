import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { newId } from '../platform/core/ids.ts';
import { onCleanup } from '../testing/cleanup.ts';
import { startServer } from '../testing/process.ts';
import { runOnServer, replaceDatabase } from '../testing/run-postgres.ts';

// server/platform/db/recovery.long.test.ts tests this within one process.
test('three servers that start together on an empty database create its first data exactly once', async () => {
  const name = `first_start_${newId().replaceAll('-', '')}`;
  await runOnServer(inject('postgresUrl'), `create database ${name} template template0`);
  const url = replaceDatabase(inject('postgresUrl'), name);
  const folder = mkdtempSync(join(tmpdir(), 'first-start-'));
  const servers = ['a', 'b', 'c'].map((folderName) => startServer(join(folder, folderName), { DATABASE_URL: url }));
  onCleanup(async () => {
    for (const { child, ended } of servers) {
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  });
  for (const { ready } of servers) expect((await fetch(`${await ready}/readyz`)).status).toBe(200);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ genesis: number; accounts: number }>(
    `select (select count(*)::int from authority_lines where number = 0) as genesis,
      (select count(*)::int from administrators where email = 'admin@demo.local') as accounts`,
  );
  await client.end();
  expect(rows).toEqual([{ genesis: 1, accounts: 1 }]);
});
