import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import { audit, auditInbox } from './tables.ts';
import { buildAuditFields } from '../../testing/audit.ts';
import {
  serializeAuditPayload,
  ChainCheck,
  auditGenesis,
  parseRemovedRows,
  hashRow,
  type AuditFields,
  type ChainRow,
} from './chain.ts';
import { appendHead, readAuditKey, readHeads } from './heads.ts';
import { detachAuditMonths } from './months.ts';
import { verifyDatabase } from './verify.ts';
import type { Services } from '../services/context.ts';
import { openDatabase } from '../db/db.ts';
import { newId } from '../core/ids.ts';
import { createLogger } from '../core/log.ts';
import { formatMonth, monthTableName } from '../db/months.ts';
import { createTemporaryFolder } from '../../testing/cleanup.ts';
import { buildServerGrants } from '../db/server-grants.ts';
import { createMonths } from '../../statistics/partitions.ts';
import { createTestDatabase } from '../../testing/support.ts';

const { privateKey: key, publicKey } = generateKeyPairSync('ed25519');
const folder = createTemporaryFolder();
let headsFile = '';

const database = await createTestDatabase();
const { db } = database;

const append = (...payloads: string[]) => db.execute(sql`select audit_append(${sql.param(payloads)}::text[])`);
const appendMany = async (count: number) => {
  for (let remaining = count; remaining > 0; remaining--) await append(serializeAuditPayload(buildAuditFields()));
};
const signHead = async () => {
  const { rows } = await database.pool.query<{ seq: string; hash: string }>(
    'select seq, hash from audit order by seq desc limit 1',
  );
  const [head] = rows;
  if (head) await appendHead(headsFile, key, { seq: Number(head.seq), hash: head.hash, time: new Date().toISOString() });
};

async function tamperWithAudit(...statements: string[]) {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("set session_replication_role = 'replica'");
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function detachedTables(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    "select relname as name from pg_class where relname ~ '^audit_\\d{4}_\\d{2}$' and relkind = 'r' and not relispartition order by 1",
  );
  return rows.map(({ name }) => name);
}

async function verifyDatabaseState() {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return await verifyDatabase(client, { headsFile, keys: [publicKey] });
  } finally {
    await client.end();
  }
}
const findProblems = async () => (await verifyDatabaseState()).problems.map(({ seq, text }) => `${seq} ${text}`).join('\n');

/** As an informed attacker would. */
const rehashFrom = (seq: number) => `do $$ declare r record; prev text; begin
  select hash into prev from audit where seq = ${seq - 1};
  prev := coalesce(prev, repeat('0', 64));
  for r in select * from audit where seq >= ${seq} order by seq loop
    update audit set prev_hash = prev, hash = audit_hash(r.seq, prev, r.payload) where seq = r.seq returning hash into prev;
  end loop; end $$`;

beforeEach(async () => {
  headsFile = join(folder, `${newId()}.jsonl`);
  await tamperWithAudit(
    'alter table audit drop constraint if exists audit_seq_at_pk',
    'truncate audit',
    'alter table audit add constraint audit_seq_at_pk primary key (seq, at)',
    ...(await detachedTables()).map((name) => `drop table ${name}`),
  );
});

test('server and database compute the same hash, and the columns equal the recorded text', async () => {
  const recordedFields = buildAuditFields({ entityId: null, command: null, idempotencyKey: 'k' });
  await append(serializeAuditPayload(recordedFields), serializeAuditPayload(buildAuditFields()));
  const rows = await db.select().from(audit).orderBy(audit.seq);
  expect(rows.map(({ seq }) => seq)).toEqual([1, 2]);
  const [firstRow, secondRow] = rows;
  expect(firstRow).toMatchObject({
    ...recordedFields,
    at: new Date(recordedFields.at),
    before: JSON.stringify(recordedFields.before),
    after: JSON.stringify(recordedFields.after),
  });
  expect(firstRow?.hash).toBe(hashRow(1, auditGenesis, serializeAuditPayload(recordedFields)));
  expect(secondRow?.prevHash).toBe(firstRow?.hash);
  expect(await verifyDatabaseState()).toMatchObject({ rows: 2, problems: [] });
});

test('stores null for before and after if a record has neither', async () => {
  await append(serializeAuditPayload(buildAuditFields({ before: null, after: null })));
  expect(await db.select({ before: audit.before, after: audit.after }).from(audit)).toEqual([{ before: null, after: null }]);
  expect(await findProblems()).toBe('');
});

test('leaves no gap when an append is rolled back', async () => {
  await appendMany(1);
  await expect(
    db.transaction(async (tx) => {
      await tx.execute(sql`select audit_append(${sql.param([serializeAuditPayload(buildAuditFields())])}::text[])`);
      throw new Error('killed here');
    }),
  ).rejects.toThrow('killed here');
  await appendMany(1);
  expect(await verifyDatabaseState()).toMatchObject({ rows: 2, problems: [] });
});

test('leaves no gap and no lock when the connection is lost during an append', async () => {
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => {});
  await client.connect();
  await client.query('begin');
  await client.query('select audit_append($1::text[])', [[serializeAuditPayload(buildAuditFields())]]);
  const pendingAppend = append(serializeAuditPayload(buildAuditFields()));
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  await pendingAppend;
  await client.end().catch(() => {});
  expect(await verifyDatabaseState()).toMatchObject({ rows: 1, problems: [] });
});

test('one hundred concurrent writers produce one chain without gap or fork', async () => {
  await Promise.all(
    Array.from({ length: 100 }, (_, at) =>
      db.transaction(async (tx) => {
        await tx
          .insert(auditInbox)
          .values([0, 1].map(() => ({ id: newId(), payload: serializeAuditPayload(buildAuditFields({ entityId: `${at}` })) })));
      }),
    ),
  );
  await signHead();
  expect(await verifyDatabaseState()).toMatchObject({ rows: 200, heads: 1, problems: [] });
});

test('adds the records of a transaction to the chain at its commit', async () => {
  await db.transaction(async (tx) => {
    await tx
      .insert(auditInbox)
      .values([1, 2].map((at) => ({ id: newId(), payload: serializeAuditPayload(buildAuditFields({ entityId: `${at}` })) })));
    expect(await tx.select().from(audit)).toEqual([]);
    await append(serializeAuditPayload(buildAuditFields({ entityId: 'other' })));
  });
  const rows = await db.select({ entityId: audit.entityId }).from(audit).orderBy(audit.seq);
  expect(rows.map(({ entityId }) => entityId)).toEqual(['other', '1', '2']);
  expect(await db.select().from(auditInbox)).toEqual([]);
  expect(await verifyDatabaseState()).toMatchObject({ rows: 3, problems: [] });
});

test('verification finds a record that was kept out of the chain', async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('alter table audit_inbox disable trigger all');
  await client.query('insert into audit_inbox values (gen_random_uuid(), $1)', ['{"kept":"out"}']);
  expect(await findProblems()).toBe('null recorded outside the chain: {"kept":"out"}');
  await client.query('delete from audit_inbox');
  await client.query('alter table audit_inbox enable trigger all');
  await client.end();
});

test('the application cannot change or delete audit rows', async () => {
  await appendMany(1);
  for (const statement of ["update audit set ip = ''", 'delete from audit', 'truncate audit'])
    await expect(database.pool.query(statement)).rejects.toThrow('append-only');
});

describe('verification finds', () => {
  beforeEach(async () => {
    await appendMany(6);
    await signHead();
    if ((await findProblems()) !== '') throw new Error('the chain was broken before it was tampered with');
  });

  test('an edited text', async () => {
    await tamperWithAudit(
      `update audit set payload = replace(payload, 'admin@', 'other@'), actor_email = 'other@demo.local' where seq = 3`,
    );
    expect(await findProblems()).toBe('3 was changed: its text doesn’t match its hash');
  });

  test.each([
    ['actor_email', `'other@demo.local'`, 'actorEmail'],
    ['before', `'{}'`, 'before'],
    ['result', `'refused'`, 'result'],
    ['at', `at - interval '1 hour'`, 'at'],
    ['entity_id', 'null', 'entityId'],
  ])('an edited column %s under an unchanged text', async (column, value, name) => {
    await tamperWithAudit(`update audit set ${column} = ${value} where seq = 3`);
    expect(await findProblems()).toBe(`3 was changed: its column ${name} doesn’t match the recorded text`);
  });

  test('an edited row whose own hash was recomputed', async () => {
    await tamperWithAudit(
      `update audit set payload = replace(payload, 'admin@', 'other@'), actor_email = 'other@demo.local' where seq = 3`,
      `update audit set hash = audit_hash(seq, prev_hash, payload) where seq = 3`,
    );
    expect(await findProblems()).toMatch(/^4 doesn’t match the previous row/);
  });

  test('rows deleted from the middle', async () => {
    await tamperWithAudit('delete from audit where seq in (3, 4)');
    expect(await findProblems()).toBe('3 to 4 are missing');
  });

  test('a deleted first row', async () => {
    await tamperWithAudit('delete from audit where seq = 1');
    expect(await findProblems()).toBe('1 is missing');
  });

  test('a deleted row although all others were renumbered and rehashed', async () => {
    await tamperWithAudit(
      'delete from audit where seq = 3',
      'update audit set seq = -seq where seq > 3',
      'update audit set seq = -seq - 1 where seq < 0',
      rehashFrom(3),
    );
    expect(await findProblems()).toMatch(/^6 to 6 are missing at the end, but the head signed at/);
  });

  test('a removed end of the chain', async () => {
    await tamperWithAudit('delete from audit where seq > 4');
    expect(await findProblems()).toMatch(/^5 to 6 are missing at the end, but the head signed at/);
  });

  test('an emptied audit', async () => {
    await tamperWithAudit('delete from audit');
    expect(await findProblems()).toMatch(/^1 to 6 are missing at the end/);
  });

  test('an end of the chain replaced by other rows', async () => {
    await tamperWithAudit('delete from audit where seq > 4');
    await appendMany(3);
    expect(await findProblems()).toMatch(/^6 doesn’t match the head signed at/);
  });

  test('two swapped rows', async () => {
    await tamperWithAudit('update audit set seq = -seq where seq in (3, 4)', 'update audit set seq = 7 + seq where seq < 0');
    const text = await findProblems();
    expect(text).toContain('3 was changed');
    expect(text).toContain('4 was changed');
    expect(text).toContain('3 doesn’t match the previous row');
  });

  test('a completely rehashed chain, by its signed heads', async () => {
    await tamperWithAudit(
      `update audit set payload = replace(payload, 'admin@', 'other@'), actor_email = 'other@demo.local' where seq = 2`,
      rehashFrom(2),
    );
    expect(await findProblems()).toMatch(/^6 doesn’t match the head signed at .*: the chain was rewritten$/);
    headsFile = join(folder, 'none.jsonl');
    expect(await verifyDatabaseState()).toMatchObject({
      problems: [],
      notes: [{ text: expect.stringContaining('no signed heads') }],
    });
  });

  test('a duplicate number', async () => {
    await tamperWithAudit(
      'alter table audit drop constraint audit_seq_at_pk',
      `insert into audit select seq, gen_random_uuid(), at, actor_id, actor_email, command, route, permission, action, entity, entity_id, before, after, result, request_id, ip, idempotency_key, payload, prev_hash, hash from audit where seq = 3`,
    );
    expect(await findProblems()).toContain('3 exists twice');
    await tamperWithAudit('delete from audit');
  });

  test('an inserted row', async () => {
    await tamperWithAudit(
      'update audit set seq = -seq where seq > 3',
      'update audit set seq = -seq + 1 where seq < 0',
      `insert into audit select 4, gen_random_uuid(), at, actor_id, actor_email, command, route, permission, action, entity, entity_id, before, after, result, request_id, ip, idempotency_key, payload, hash, hash from audit where seq = 3`,
      rehashFrom(4),
    );
    expect(await findProblems()).toMatch(/6 doesn’t match the head signed at/);
  });

  test('a changed head, and one signed by another key', async () => {
    await appendHead(headsFile, generateKeyPairSync('ed25519').privateKey, {
      seq: 6,
      hash: auditGenesis,
      time: new Date().toISOString(),
    });
    expect(await findProblems()).toBe('6 has a head on line 2 that none of the given keys signed');
    writeFileSync(headsFile, readFileSync(headsFile, 'utf8').split('\n')[0]?.replace('"seq":6', '"seq":5') ?? '');
    expect(await findProblems()).toMatch(/^5 has a head on line 1/);
  });
});

describe('the audit in monthly tables', () => {
  const log = createLogger({ level: 'silent' });
  const services = { database, log, now: Date.now } as unknown as Services;
  const monthStartOrEnd = (months: number, day: 'first' | 'last' = 'first') => {
    const now = new Date();
    return new Date(
      Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months + (day === 'last' ? 1 : 0), 1) - (day === 'last' ? 1 : 0),
    );
  };
  const appendRowsAt = (...times: Date[]) =>
    append(...times.map((at) => serializeAuditPayload(buildAuditFields({ at: at.toISOString() }))));
  const auditTableOf = (date: Date) => monthTableName('audit', formatMonth(date));
  const readRowNotes = async () =>
    (await verifyDatabaseState()).notes.flatMap(({ seq, text }) => (seq === null ? [] : [`${seq} ${text}`]));

  test('stores each row in the table of its month, whichever clock it came from', async () => {
    await appendRowsAt(monthStartOrEnd(15, 'last'), monthStartOrEnd(14), monthStartOrEnd(15, 'last'), new Date());
    const { rows } = await database.pool.query<{ seq: string; name: string }>(
      'select seq, tableoid::regclass as name from audit order by seq',
    );
    expect(rows.map(({ name }) => name)).toEqual(
      [monthStartOrEnd(15), monthStartOrEnd(14), monthStartOrEnd(15), new Date()].map(auditTableOf),
    );
    expect(await findProblems()).toBe('');
  });

  test('detaches old months, and the chain verifies with and without their tables', async () => {
    await appendRowsAt(
      monthStartOrEnd(15),
      monthStartOrEnd(15),
      monthStartOrEnd(14),
      monthStartOrEnd(15, 'last'),
      monthStartOrEnd(14),
      monthStartOrEnd(13),
      new Date(),
    );
    await signHead();
    expect(await detachAuditMonths(services, 14)).toEqual([auditTableOf(monthStartOrEnd(15))]);
    expect(await detachedTables()).toEqual([auditTableOf(monthStartOrEnd(15))]);
    const readAuditSeqs = async () => (await db.select({ seq: audit.seq }).from(audit).orderBy(audit.seq)).map(({ seq }) => seq);
    expect(await readAuditSeqs()).toEqual([3, 5, 6, 7, 8]);
    expect(await verifyDatabaseState()).toMatchObject({ rows: 8, problems: [] });

    await database.pool.query(`drop table ${auditTableOf(monthStartOrEnd(15))}`);
    expect(await findProblems()).toBe('');
    const archiveNote = 'were archived with their months, as the audit records';
    expect((await readRowNotes()).filter((note) => note.includes('archived'))).toEqual([
      `1 to 2 ${archiveNote}`,
      `4 to 4 ${archiveNote}`,
    ]);

    expect(await detachAuditMonths(services, 13)).toEqual([auditTableOf(monthStartOrEnd(14))]);
    await database.pool.query(`drop table ${auditTableOf(monthStartOrEnd(14))}`);
    expect(await readAuditSeqs()).toEqual([6, 7, 8, 9]);
    expect(await findProblems()).toBe('');
    expect((await readRowNotes()).filter((note) => note.includes('archived'))).toEqual([`1 to 5 ${archiveNote}`]);
    expect(await detachAuditMonths(services, 13)).toEqual([]);
  });

  test('keeps the record of earlier detachments when the month that holds it is detached', async () => {
    await appendRowsAt(monthStartOrEnd(20), monthStartOrEnd(14));
    const servicesAtEarlierTime = { ...services, now: () => monthStartOrEnd(14, 'last').getTime() };
    expect(await detachAuditMonths(servicesAtEarlierTime, 3)).toEqual([auditTableOf(monthStartOrEnd(20))]);
    await appendRowsAt(new Date());
    expect(await detachAuditMonths(services, 13)).toEqual([auditTableOf(monthStartOrEnd(14))]);
    expect(await findProblems()).toBe('');
    for (const month of [monthStartOrEnd(20), monthStartOrEnd(14)])
      await database.pool.query(`drop table ${auditTableOf(month)}`);
    expect(await findProblems()).toBe('');
    expect((await readRowNotes()).filter((note) => note.includes('archived'))).toEqual([
      '1 to 3 were archived with their months, as the audit records',
    ]);
  });

  test('checks a head that was signed over the last detached row', async () => {
    await appendRowsAt(monthStartOrEnd(15), monthStartOrEnd(15));
    await signHead();
    await appendRowsAt(new Date());
    await detachAuditMonths(services, 12);
    await database.pool.query(`drop table ${auditTableOf(monthStartOrEnd(15))}`);
    expect(await findProblems()).toBe('');
    await appendHead(headsFile, key, { seq: 2, hash: auditGenesis, time: new Date().toISOString() });
    expect(await findProblems()).toMatch(/^2 doesn’t match the head signed at/);
  });

  test('finds missing rows without a record, and changes in detached tables', async () => {
    await appendRowsAt(monthStartOrEnd(15), monthStartOrEnd(15), new Date());
    await tamperWithAudit(
      `alter table audit detach partition ${auditTableOf(monthStartOrEnd(15))}`,
      `alter table ${auditTableOf(monthStartOrEnd(15))} rename to hidden`,
    );
    expect(await findProblems()).toBe('1 to 2 are missing');
    await tamperWithAudit(`alter table hidden rename to ${auditTableOf(monthStartOrEnd(15))}`);
    expect(await findProblems()).toBe('');
    await tamperWithAudit(`update ${auditTableOf(monthStartOrEnd(15))} set ip = '::2' where seq = 1`);
    expect(await findProblems()).toBe('1 was changed: its column ip doesn’t match the recorded text');
  });

  test('finds a gap wider than the detachment, or one whose ends do not match', async () => {
    await appendRowsAt(monthStartOrEnd(15), monthStartOrEnd(15), new Date(), new Date());
    await detachAuditMonths(services, 12);
    await database.pool.query(`drop table ${auditTableOf(monthStartOrEnd(15))}`);
    await tamperWithAudit('delete from audit where seq = 3');
    expect(await findProblems()).toBe('3 is missing');
  });

  test('verifies an export made after a detachment', () => {
    const rows: ChainRow[] = [];
    const chain = (overrides: Partial<AuditFields>) => {
      const [seq, prevHash] = [rows.length + 1, rows.at(-1)?.hash ?? auditGenesis];
      const payload = serializeAuditPayload(buildAuditFields(overrides));
      rows.push({ seq, prevHash, payload, hash: hashRow(seq, prevHash, payload) });
    };
    chain({});
    chain({});
    const removedRows = [{ first: 1, last: 2, prevHash: auditGenesis, hash: rows[1]?.hash ?? '' }];
    chain({});
    chain({ route: 'server', entity: 'audit', action: 'detach', after: { rows: removedRows } });
    const chainCheck = new ChainCheck([], { gone: parseRemovedRows(rows[3]?.payload ?? '') ?? [] });
    for (const row of rows.slice(2)) chainCheck.add(row);
    chainCheck.end();
    expect(chainCheck.problems).toEqual([]);
    expect(
      parseRemovedRows(serializeAuditPayload(buildAuditFields({ action: 'detach', after: { rows: removedRows } }))),
    ).toBeNull();
  });

  test('never detaches the last year, and detached tables cannot be changed', async () => {
    await appendRowsAt(monthStartOrEnd(15), monthStartOrEnd(11));
    await expect(
      database.pool.query('select audit_detach_month($1::date, 1)', [monthStartOrEnd(11).toISOString().slice(0, 10)]),
    ).rejects.toThrow('stays for a year');
    await detachAuditMonths(services, 12);
    for (const statement of ["update $ set ip = ''", 'delete from $', 'truncate $'])
      await expect(database.pool.query(statement.replace('$', auditTableOf(monthStartOrEnd(15))))).rejects.toThrow('append-only');
    await expect(appendRowsAt(monthStartOrEnd(15))).rejects.toThrow();
    await appendRowsAt(new Date());
    expect(await findProblems()).toBe('');
  });

  test('never detaches the month in which the chain ends, whose last number would be reused', async () => {
    await appendRowsAt(new Date(), monthStartOrEnd(15));
    expect(await detachAuditMonths(services, 12)).toEqual([]);
    await appendRowsAt(new Date());
    expect(await detachAuditMonths(services, 12)).toEqual([auditTableOf(monthStartOrEnd(15))]);
    expect(await verifyDatabaseState()).toMatchObject({ rows: 4, problems: [] });
  });

  test('skips a month that a reader holds, without partial changes', async () => {
    await appendRowsAt(monthStartOrEnd(15), new Date());
    const readerClient = new pg.Client({ connectionString: database.url });
    await readerClient.connect();
    await readerClient.query('begin');
    await readerClient.query('select count(*) from audit');
    expect(await detachAuditMonths(services, 12)).toEqual([]);
    await appendRowsAt(new Date());
    await readerClient.end();
    expect(await verifyDatabaseState()).toMatchObject({ rows: 3, problems: [] });
    expect(await detachAuditMonths(services, 12)).toEqual([auditTableOf(monthStartOrEnd(15))]);
  });
});

test('notes a clock that was set back, without reporting a problem', async () => {
  await append(serializeAuditPayload(buildAuditFields()));
  await append(serializeAuditPayload(buildAuditFields({ at: new Date(Date.now() - 60_000).toISOString() })));
  await append(serializeAuditPayload(buildAuditFields({ at: new Date(Date.now() - 60_500).toISOString() })));
  expect(await verifyDatabaseState()).toMatchObject({ rows: 3, problems: [] });
  expect((await verifyDatabaseState()).notes.filter(({ seq }) => seq !== null)).toEqual([
    { seq: 2, text: expect.stringContaining('a clock was set back') },
  ]);
});

test('notes a head cut short by a crash, and writes the next one on its own line', async () => {
  await appendMany(2);
  await signHead();
  appendFileSync(headsFile, '{"seq":2,"ha');
  await appendMany(1);
  await signHead();
  expect(await verifyDatabaseState()).toMatchObject({ heads: 2, problems: [] });
  expect((await readHeads(headsFile, [publicKey])).notes).toEqual([{ seq: null, text: expect.stringContaining('line 2') }]);
  expect((await readFile(headsFile, 'utf8')).endsWith('\n')).toBe(true);
});

test('verifies a partial chain row by row', () => {
  const buildRow = (seq: number, prevHash: string): ChainRow => {
    const payload = serializeAuditPayload(buildAuditFields());
    return { seq, prevHash, payload, hash: hashRow(seq, prevHash, payload) };
  };
  const partialCheck = new ChainCheck([{ seq: 40, hash: auditGenesis, time: '' }], { part: true });
  const firstRow = buildRow(3, auditGenesis);
  partialCheck.add(firstRow);
  partialCheck.add(buildRow(9, firstRow.hash));
  partialCheck.add({ ...buildRow(12, auditGenesis), payload: '{}' });
  partialCheck.end();
  expect(partialCheck.problems.map(({ seq }) => seq)).toEqual([12]);
});

test('creates the signing key once, readable by its owner only', () => {
  const dataDir = createTemporaryFolder();
  const auditKey = readAuditKey({ auditKeyFile: null, dataDir });
  expect(statSync(join(dataDir, 'audit-key.pem')).mode & 0o777).toBe(0o600);
  expect(createPublicKey(readAuditKey({ auditKeyFile: null, dataDir })).equals(createPublicKey(auditKey))).toBe(true);
  writeFileSync(join(dataDir, 'no-key.pem'), 'nothing');
  for (const auditKeyFile of [join(dataDir, 'no-key.pem'), join(dataDir, 'missing.pem')])
    expect(() => readAuditKey({ auditKeyFile, dataDir })).toThrow('AUDIT_KEY_FILE');
});

test('a server whose database user owns no table can add audit rows but not change them', async () => {
  const name = `own_${newId().replaceAll('-', '')}`;
  const adminClient = new pg.Client({ connectionString: database.url });
  await adminClient.connect();
  const url = Object.assign(new URL(database.url), { username: name, password: 'p' });
  await adminClient.query(`create role ${name} login password 'p'`);
  try {
    await adminClient.query(buildServerGrants(name));
    await adminClient.query(buildServerGrants(name));
    const server = openDatabase({ url: url.href, log: createLogger({ level: 'silent' }) });
    await server.migrate();
    const now = new Date();
    await createMonths(server, now, new Date(Date.UTC(now.getUTCFullYear() + 1, now.getUTCMonth())));
    const oldMonth = new Date(Date.UTC(now.getUTCFullYear() - 2, 0, 1));
    for (const at of [oldMonth, now])
      await server.db
        .insert(auditInbox)
        .values({ id: newId(), payload: serializeAuditPayload(buildAuditFields({ at: at.toISOString() })) });
    for (const statement of [
      ...[oldMonth, now].map((at) => `insert into ${monthTableName('audit', formatMonth(at))} select * from audit`),
      "select audit_append(array['{}'])",
      'insert into audit select * from audit',
      "update audit set ip = ''",
      'delete from audit',
      'truncate audit',
      'drop trigger audit_append_only on audit',
      'alter table audit disable trigger all',
      'alter table audit_inbox disable trigger all',
    ])
      await expect(server.pool.query(statement), statement).rejects.toThrow(/permission denied|must be owner/);
    const services = { database: server, log: createLogger({ level: 'silent' }), now: Date.now } as unknown as Services;
    expect(await detachAuditMonths(services, 12)).toEqual([monthTableName('audit', formatMonth(oldMonth))]);
    await expect(server.pool.query(`drop table ${monthTableName('audit', formatMonth(oldMonth))}`)).rejects.toThrow(
      'must be owner',
    );
    await server.close();
    expect(await verifyDatabaseState()).toMatchObject({ rows: 3, problems: [] });
  } finally {
    await adminClient.query(`drop owned by ${name}`);
    await adminClient.query(`drop role ${name}`);
    await adminClient.end();
  }
});
