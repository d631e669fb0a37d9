import { asc } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Services } from '../platform/services/context.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { openDatabase, type Tx } from '../platform/db/db.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { onCleanup } from '../testing/cleanup.ts';
import { createTestApp } from '../testing/support.ts';
import { developmentProof, enrollInDevelopment } from './development.ts';
import { newStatement } from './drafts.ts';
import { appendToLog, linesReplayed, readAuthority } from './store.ts';
import { authorityLines } from './tables.ts';

const app = await createTestApp(buildChainEnv('http://127.0.0.1:9'), { jobs: false });
const log = createLogger({ level: 'silent' });
const ann = { person: '00000000-0000-4000-8000-000000000001', name: 'ann@example.com' };

function createServer(connections: number): Services {
  const database = openDatabase({ url: app.database.url, log, connections });
  onCleanup(() => database.close());
  return { config: app.config, log, database, now: () => app.clock.now, ...openExternalServices(app.config) };
}
/** A cancellation can be signed any number of times. */
const appendInTransaction = (tx: Tx, services: Services, vout: number) =>
  appendToLog(tx, services, async (log) => {
    await enrollInDevelopment(tx, log, ann);
    const content = { network: 'regtest', txid: 'ab'.repeat(32), vout, reason: 'x' } as const;
    const statement = newStatement(log.state(), 'mint.cancel', content, app.clock.now + 60_000);
    await log.sign(statement, ann.person, developmentProof(ann.person, statement));
    return log.state().head.number;
  });
const appendStatement = (services: Services, vout: number) =>
  services.database.db.transaction((tx) => appendInTransaction(tx, services, vout));

test('ten writers and ten readers of the authority log finish with two connections', async () => {
  const services = createServer(2);
  const operations = Array.from({ length: 10 }, (_, index) => [
    appendStatement(services, index),
    readAuthority(services, services.database.db).then((authority) => authority !== null),
  ]);
  const startedAt = Date.now();
  const outcomes = await Promise.all(operations.flat());
  expect(Date.now() - startedAt).toBeLessThan(4_000); // waiting is cut off after five seconds
  const numbers = outcomes.filter((outcome) => typeof outcome === 'number');
  // Lines 0 to 2 are the genesis and the enrollment.
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, index) => index + 3));
  const rows = await app.database.db.select().from(authorityLines).orderBy(asc(authorityLines.number));
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 13 }, (_, index) => index));
});

test('a server forgets lines of the authority log whose transaction was rolled back', async () => {
  const services = createServer(3);
  const { db } = services.database;
  const readHeadNumber = async () => (await readAuthority(services, db))?.head.number;
  const headBefore = await readHeadNumber();
  const rolledBack = db.transaction(async (tx) => {
    await appendInTransaction(tx, services, 100);
    expect((await readAuthority(services, tx))?.head.number).toBe((headBefore ?? 0) + 1);
    expect(await readHeadNumber()).toBe(headBefore);
    throw new Error('taken back');
  });
  await expect(rolledBack).rejects.toThrow('taken back');
  expect(await readHeadNumber()).toBe(headBefore);
  await appendStatement(services, 101);
  expect(await readHeadNumber()).toBe((headBefore ?? 0) + 1);
});

test('each line of the authority log is replayed once per process, regardless of readers and writers', async () => {
  const services = createServer(3);
  const { db } = services.database;
  await readAuthority(services, db);
  const replayedBefore = linesReplayed(services);
  for (let attempt = 0; attempt < 20; attempt++) await readAuthority(services, db);
  expect(linesReplayed(services)).toBe(replayedBefore);
  for (let vout = 200; vout < 205; vout++) await appendStatement(services, vout);
  await Promise.all(Array.from({ length: 20 }, () => readAuthority(services, db)));
  expect(linesReplayed(services)).toBe(replayedBefore + 5);
});
