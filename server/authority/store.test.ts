import { asc } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Services } from '../platform/services/context.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { openDatabase, type Tx } from '../platform/db/db.ts';
import { chainEnv } from '../testing/crsm.ts';
import { atEnd } from '../testing/end.ts';
import { testApp } from '../testing/support.ts';
import { developmentProof, enrollInDevelopment } from './development.ts';
import { newStatement } from './drafts.ts';
import { appendToLog, linesReplayed, readAuthority } from './store.ts';
import { authorityLines } from './tables.ts';

const app = await testApp(chainEnv('http://127.0.0.1:9'), { jobs: false });
const log = createLogger({ level: 'silent' });
const ann = { person: '00000000-0000-4000-8000-000000000001', name: 'ann@example.com' };

function server(connections: number): Services {
  const database = openDatabase({ url: app.database.url, log, connections });
  atEnd(() => database.close());
  return { config: app.config, log, database, now: () => app.clock.now, ...openExternalServices(app.config) };
}
/** A cancellation can be signed any number of times. */
const appendIn = (tx: Tx, services: Services, vout: number) =>
  appendToLog(tx, services, async (log) => {
    await enrollInDevelopment(tx, log, ann);
    const content = { network: 'regtest', txid: 'ab'.repeat(32), vout, reason: 'x' } as const;
    const statement = newStatement(log.state(), 'mint.cancel', content, app.clock.now + 60_000);
    await log.sign(statement, ann.person, developmentProof(ann.person, statement));
    return log.state().head.number;
  });
const append = (services: Services, vout: number) => services.database.db.transaction((tx) => appendIn(tx, services, vout));

test('ten writers and ten readers of the authority log finish with two connections', async () => {
  const services = server(2);
  const work = Array.from({ length: 10 }, (_, at) => [
    append(services, at),
    readAuthority(services, services.database.db).then((authority) => authority !== null),
  ]);
  const began = Date.now();
  const done = await Promise.all(work.flat());
  expect(Date.now() - began).toBeLessThan(4_000); // waiting is cut off after five seconds
  const numbers = done.filter((one) => typeof one === 'number');
  // Lines 0 to 2 are the genesis and the enrollment.
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, at) => at + 3));
  const rows = await app.database.db.select().from(authorityLines).orderBy(asc(authorityLines.number));
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 13 }, (_, at) => at));
});

test('a server forgets lines of the authority log whose transaction was rolled back', async () => {
  const services = server(3);
  const { db } = services.database;
  const headOf = async () => (await readAuthority(services, db))?.head.number;
  const before = await headOf();
  const undone = db.transaction(async (tx) => {
    await appendIn(tx, services, 100);
    expect((await readAuthority(services, tx))?.head.number).toBe((before ?? 0) + 1);
    expect(await headOf()).toBe(before);
    throw new Error('taken back');
  });
  await expect(undone).rejects.toThrow('taken back');
  expect(await headOf()).toBe(before);
  await append(services, 101);
  expect(await headOf()).toBe((before ?? 0) + 1);
});

test('each line of the authority log is replayed once per process, regardless of readers and writers', async () => {
  const services = server(3);
  const { db } = services.database;
  await readAuthority(services, db);
  const before = linesReplayed(services);
  for (let times = 0; times < 20; times++) await readAuthority(services, db);
  expect(linesReplayed(services)).toBe(before);
  for (let vout = 200; vout < 205; vout++) await append(services, vout);
  await Promise.all(Array.from({ length: 20 }, () => readAuthority(services, db)));
  expect(linesReplayed(services)).toBe(before + 5);
});
