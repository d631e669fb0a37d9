import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import type { StatementOf } from '../../api/authority/statements.ts';
import { newId } from '../platform/core/ids.ts';
import type { Services } from '../platform/services/context.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { moneyFreezes } from '../custody/tables.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { createApi, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { developmentProof, enrollInDevelopment } from './development.ts';
import { newStatement } from './drafts.ts';
import { appendToLog, readAuthority } from './store.ts';

const lines = 100_000;
const maxConcurrency = 1_000;
const max = 50;
const people = ['1', '2'].map((digit) => ({
  person: `00000000-0000-4000-8000-00000000000${digit}`,
  name: `person${digit}@example.com`,
}));

let app: TestApp;
let services: Services;
let adminSession: TestSession;
const freeze = newId();

async function appendStatements(count: number): Promise<number> {
  const length = await services.database.db.transaction(async (tx) => {
    await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
    return appendToLog(tx, services, async (log) => {
      for (const person of people) await enrollInDevelopment(tx, log, person);
      const end = log.state().head.number + count;
      while (log.state().head.number < end) {
        const { number } = log.state().head;
        const isUnfreeze = number % 3 === 0;
        const expires = app.clock.now + 60_000;
        const content = { network: 'regtest', txid: 'ab'.repeat(32), vout: number, reason: 'x' } as const;
        const unfreezeContent: StatementOf<'unfreeze'>['content'] = { freeze: newId(), difference: '', reason: 'x' };
        const statement = isUnfreeze
          ? newStatement(log.state(), 'unfreeze', unfreezeContent, expires)
          : newStatement(log.state(), 'mint.cancel', content, expires);
        for (const { person } of people.slice(0, isUnfreeze ? 2 : 1))
          await log.sign(statement, person, developmentProof(person, statement));
      }
      return log.state().head.number;
    });
  });
  return length ?? 0;
}

beforeAll(async () => {
  app = await createTestApp(
    { ...buildChainEnv('http://127.0.0.1:9'), READS_PER_MINUTE: '0', WRITES_PER_MINUTE: '0' },
    { jobs: false },
  );
  services = {
    config: app.config,
    log: createLogger({ level: 'silent' }),
    database: app.database,
    now: () => app.clock.now,
    ...openExternalServices(app.config),
  };
  while ((await appendStatements(maxConcurrency)) < lines);
  adminSession = await signInAs(app, 'all');
  await app.database.db.insert(moneyFreezes).values({ id: freeze, figures: '{}', at: new Date(app.clock.now) });
  await adminSession.api.authority.summary();
}, 1_800_000);

/** The fastest of five, to exclude other load. */
async function measureFastest(runRequest: () => Promise<unknown>): Promise<number> {
  const durationsMs: number[] = [];
  for (let time = 0; time < 5; time++) {
    const startedAt = performance.now();
    await runRequest();
    durationsMs.push(performance.now() - startedAt);
  }
  return Math.min(...durationsMs);
}

test('a request on a log of 100,000 lines costs only the new lines', async () => {
  expect((await readAuthority(services, app.database.db))?.head.number).toBeGreaterThanOrEqual(lines);
  expect(await measureFastest(() => readAuthority(services, app.database.db))).toBeLessThan(max);
  expect(
    await measureFastest(async () => {
      await appendStatements(1);
      await readAuthority(services, app.database.db);
    }),
  ).toBeLessThan(max * 2);
});

const page = { sort: 'number', direction: 'desc', cursor: null, limit: 50 } as const;
const newestPage = { sort: 'createdAt', direction: 'desc', cursor: null, limit: 50 } as const;
const idempotentApi = () => createApi(app, { ...adminSession.headers, 'idempotency-key': newId() });

test.each<[string, () => Promise<unknown>]>([
  ['the summary', () => adminSession.api.authority.summary()],
  ['the newest page of the list', () => adminSession.api.authority.list({ ...page, filter: {} })],
  ['the oldest page of the list', () => adminSession.api.authority.list({ ...page, direction: 'asc', filter: {} })],
  ['what waits for the reader', () => adminSession.api.authority.list({ ...page, filter: { mine: 'true' } })],
  ['what is open', () => adminSession.api.authority.list({ ...page, filter: { state: 'open' } })],
  ['a search', () => adminSession.api.authority.list({ ...page, filter: { q: 'ab12' } })],
  ['one statement', async () => adminSession.api.authority.many({ ids: ['f'.repeat(64)] })],
  ['the keys of an enrollment', () => adminSession.api.authority.enrolment()],
  ['the list of deposits', () => adminSession.api.deposits.list({ ...newestPage, filter: {} })],
  ['an open freeze and who signed that it is lifted', () => adminSession.api.dataPanel.freeze()],
  [
    'a proposal',
    () =>
      idempotentApi()
        .authority.addCustody({ address: 'bcrt1q', note: '' })
        .catch(() => null),
  ],
  [
    'a signature',
    () =>
      idempotentApi()
        .authority.sign({ id: 'f'.repeat(64) })
        .catch(() => null),
  ],
])('with a log of 100,000 lines %s takes less than 50 ms', async (_what, runRequest) => {
  expect(await measureFastest(runRequest)).toBeLessThan(max);
});
