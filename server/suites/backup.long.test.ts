import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonical, canonicalHash } from '../../api/authority/canonical.ts';
import { bundleOf } from '../../scripts/setup.mjs';
import { describeFile, type Manifest } from '../backup/manifest.ts';
import { heldBackReason } from '../backup/settle.ts';
import { readConfig } from '../platform/core/config.ts';
import { seal } from '../platform/core/encryption.ts';
import { createLogger } from '../platform/core/log.ts';
import { openDatabase } from '../platform/db/db.ts';
import { testGenesis, TestLog, walletPerson } from '../testing/authority.ts';
import { addNews, addPoints, signInAt, startWriters, writtenReasons, type Session } from '../testing/callers.ts';
import { temporaryFolder } from '../testing/end.ts';
import { startObjectStore, type ObjectStore } from '../testing/object-store.ts';
import { debianPostgres, startPostgresPair, type PostgresPair } from '../testing/postgres-pair.ts';
import { markUnverified } from '../platform/db/migrations.ts';
import { eventRowId, insertVisits } from '../statistics/ingest.ts';
import { makeMonths } from '../statistics/partitions.ts';
import { startServer, waitUntil, type ServerProcess } from '../testing/process.ts';
import { onServer, withDatabase } from '../testing/run-postgres.ts';

describe('a backup', { timeout: 120_000 }, () => {
  let pair: PostgresPair;
  let storage: ObjectStore;
  let server: ServerProcess;
  let session: Session;
  let folder: string;
  let dataDir: string;
  let backup: string;
  let pictures: { id: string; bytes: Buffer }[];
  let sentBefore: readonly string[];
  let made: { status: number | null; said: string };
  let refused: readonly string[];

  const run = (part: 'backup' | 'restore' | 'audit-verify', args: readonly string[], env: Record<string, string>) =>
    new Promise<{ status: number | null; said: string }>((resolve) => {
      const child = spawn(process.execPath, [bundleOf(part), ...args], {
        env: { PATH: process.env['PATH'], DATA_DIR: dataDir, DATABASE_URL: pair.url, ...env },
      });
      let reported = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (reported += text));
      child.once('close', (status) => resolve({ status, said: reported }));
    });

  const newDatabase = async (name: string) => {
    await onServer(pair.primary.url, `create database ${name}`);
    return withDatabase(pair.primary.url, name);
  };
  const newDataDir = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path);
    cpSync(join(dataDir, 'audit-key.pem'), join(path, 'audit-key.pem'));
    return path;
  };
  const manifestOf = (path: string) => JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8')) as Manifest;
  const spoiled = (name: string, spoil: (path: string) => void) => {
    const path = join(folder, name);
    cpSync(backup, path, { recursive: true });
    spoil(path);
    return path;
  };

  const sealTotp = async () => {
    const [owner] = await pair.primary.query<{ id: string }>(`select id from administrators where email = 'analyst@demo.local'`);
    const config = readConfig({ DATA_DIR: dataDir });
    const sealed = seal(config, `totp ${owner?.id}`, 'JBSWY3DPEHPK3PXP');
    await pair.primary.query(`update administrators set totp_secret = '${sealed}' where id = '${owner?.id}'`);
  };

  beforeAll(async () => {
    await debianPostgres(); // installs it if missing
    folder = temporaryFolder();
    dataDir = join(folder, 'data');
    backup = join(folder, 'backup');
    storage = await startObjectStore();
    pair = await startPostgresPair();
    server = startServer(dataDir, { DEVNET: 'off', DEMO_NEWS: 'off', DATABASE_URL: pair.url });
    const origin = await server.ready;
    session = await signInAt(origin, 'all');
    pictures = await Promise.all([10, 20, 30].map((red) => upload(origin, session, red)));
    const soon = `now() + interval '30 minutes'`;
    await pair.primary.query(`
      insert into mails (id, recipient, subject, body, next_at, created_at) values (gen_random_uuid(), 'a@b.c', 's', 'b', ${soon}, now());
      insert into alarms (id, kind, lines, at) values ('00000000-0000-4000-8000-000000000001', 'mintFailed', '[]', now());
      insert into alarm_deliveries (id, alarm_id, channel, next_at, created_at)
        values (gen_random_uuid(), '00000000-0000-4000-8000-000000000001', 'mail x', ${soon}, now());
      insert into password_links (id, administrator_id, token_hash, created_at, expires_at)
        select gen_random_uuid(), id, 'hash', now(), ${soon} from administrators limit 1;
      insert into mail_codes (id, administrator_id, purpose, code_hash, created_at, expires_at)
        select gen_random_uuid(), id, 'newBrowser', 'hash', now(), ${soon} from administrators limit 1`);
    await sealTotp();
    await waitUntil(() => existsSync(join(dataDir, 'audit-heads.jsonl')));
    const writers = startWriters([origin], session, [addNews, addNews, addPoints, addPoints], 'under');
    await waitUntil(() => writers.acknowledged() > 40);
    sentBefore = [...(await textsIn(pair.primary.url))];
    made = await run('backup', [backup], {});
    const then = writers.acknowledged();
    await waitUntil(() => writers.acknowledged() > then + 10);
    ({ refused } = await writers.stop());
  }, 600_000);

  afterAll(async () => {
    server.child.kill('SIGTERM');
    await server.ended;
    await pair.stop();
    await storage.stop();
  });

  test('saves and restores the visits of a separate statistics database, and is complete without them during an outage', async () => {
    const statisticsUrl = await newDatabase('visits_one');
    const database = openDatabase({ url: pair.url, statisticsUrl, log: createLogger({ level: 'silent' }) });
    const { statistics } = database;
    const at = new Date();
    try {
      await statistics.migrate();
      await makeMonths(statistics, at, at);
      const visit = { at, page: '/', country: null, chainId: 1, btcDeposited: 5n, yuMinted: 0n, address: null, vaultId: null };
      await insertVisits(
        statistics,
        Array.from({ length: 30 }, () => ({ ...visit, id: eventRowId(at, randomUUID()) })),
      );
    } finally {
      await database.close();
    }
    const saved = join(folder, 'with-visits');
    const { status, said } = await run('backup', [saved], { STATISTICS_DATABASE_URL: statisticsUrl });
    expect([status, said]).toEqual([0, expect.stringMatching(/visits +\d+ bytes, visits: 30/)]);

    const restoredUrl = await newDatabase('visits_two');
    expect(await run('restore', [saved, '--statistics'], { STATISTICS_DATABASE_URL: restoredUrl })).toEqual({
      status: 0,
      said: 'Restored 30 visits.\n',
    });
    expect(await rowsAt(restoredUrl, 'select count(*)::int as visits, sum(btc_deposited)::int as btc from visits')).toEqual([
      { visits: 30, btc: 150 },
    ]);
    const again = await run('restore', [saved, '--statistics'], { STATISTICS_DATABASE_URL: restoredUrl });
    expect([again.status, again.said]).toEqual([1, expect.stringContaining('isn’t empty')]);

    const without = join(folder, 'without-visits');
    const down = Object.assign(new URL(statisticsUrl), { port: '1' }).href;
    const partial = await run('backup', [without], { STATISTICS_DATABASE_URL: down });
    expect([partial.status, partial.said]).toEqual([
      1,
      expect.stringContaining('This backup has no visits, and everything else is complete'),
    ]);
    expect(manifestOf(without).files['database.dump']?.bytes).toBeGreaterThan(0);
  });

  test('is made while the panel takes writes, and refuses none of them', () => {
    expect(made).toEqual({ status: 0, said: expect.stringContaining('Not in the backup, and needed to restore it') });
    expect(refused).toEqual([]);
  });

  test('has database, heads and pictures, only for its owner, and no key', () => {
    expect(readdirSync(backup).toSorted()).toEqual(['audit-heads.jsonl', 'database.dump', 'manifest.json', 'pictures']);
    expect(readdirSync(join(backup, 'pictures')).toSorted()).toEqual(
      expect.arrayContaining(pictures.map(({ id }) => `${id}.webp`).toSorted()),
    );
    for (const name of readdirSync(backup, { recursive: true, encoding: 'utf8' }))
      expect([name, statSync(join(backup, name)).mode & 0o077]).toEqual([name, 0]);
    const { files, rows, missingPictures } = manifestOf(backup);
    expect([Object.keys(files).length, missingPictures]).toEqual([rows.pictures + 2, []]);
  });

  test('is refused for a folder with something in it', async () => {
    expect(await run('backup', [backup], {})).toEqual({ status: 1, said: `${backup} isn’t empty. Choose a new folder.\n` });
  });

  test('is refused for a folder of another user', async () => {
    const foreign = process.getuid?.() === 0 ? join(folder, 'foreign') : '/';
    if (foreign !== '/') {
      mkdirSync(foreign);
      chownSync(foreign, 65_534, 65_534);
    }
    expect(await run('backup', [foreign], {})).toEqual({
      status: 1,
      said: `${foreign} belongs to another user. Choose a new folder.\n`,
    });
  });

  test('is not restored while a panel uses the database', async () => {
    const { status, said } = await run('restore', [backup], {});
    expect([status, said]).toEqual([
      1,
      expect.stringMatching(/^A panel uses the database "panel": admin-panel.*Stop every server/),
    ]);
  });

  test('is not restored into a database with tables', async () => {
    const url = await newDatabase('with_table');
    await query(url, 'create table kept (id int)');
    const { status, said } = await run('restore', [backup], { DATABASE_URL: url, DATA_DIR: newDataDir('with-table') });
    expect([status, said]).toEqual([1, expect.stringContaining('"with_table" at')]);
    expect(said).toMatch(
      /isn’t empty \(public\.kept\)\. Create an empty database, set DATABASE_URL to it, and run restore again\.\n$/,
    );
    expect(await query(url, `select relname from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([
      { relname: 'kept' },
    ]);
  });

  test.each([
    [
      'a changed picture',
      /^pictures\/.* has changed since the backup/,
      (path: string) => {
        const [name = ''] = readdirSync(join(path, 'pictures'));
        writeFileSync(join(path, 'pictures', name), 'other');
      },
    ],
    [
      'no manifest',
      /has no manifest\.json, so it isn’t a complete backup/,
      (path: string) => rmSync(join(path, 'manifest.json')),
    ],
    [
      'a schema that this build cannot use',
      /^This backup is from a database of version 99\.0\.0.*Restore with version 98\.0\.0 or newer/,
      (path: string) => {
        const manifest = manifestOf(path);
        const newer = { number: 99, name: '0099_next', hash: 'x', version: '99.0.0', oldestVersion: '98.0.0' };
        writeFileSync(join(path, 'manifest.json'), JSON.stringify({ ...manifest, migrations: [...manifest.migrations, newer] }));
      },
    ],
  ] as const)('is not restored with %s, and nothing is written', async (name, expected, spoil) => {
    const url = await newDatabase(`spoiled_${name.replaceAll(' ', '_')}`);
    const to = newDataDir(`to ${name}`);
    const { status, said } = await run('restore', [spoiled(name, spoil)], { DATABASE_URL: url, DATA_DIR: to });
    expect([status, said]).toEqual([1, expect.stringMatching(expected)]);
    expect(readdirSync(to)).toEqual(['audit-key.pem']);
    expect(await tablesIn(url)).toEqual([]);
  });

  test('is not restored without the key that signed its heads', async () => {
    const to = join(folder, 'no key');
    mkdirSync(to);
    const { status, said } = await run('restore', [backup], { DATABASE_URL: await newDatabase('no_key'), DATA_DIR: to });
    expect([status, said]).toEqual([1, expect.stringContaining('Put audit-key.pem there or set AUDIT_KEY_FILE')]);
  });

  test('leaves the database empty if the restore is interrupted, and can be restored afterwards', async () => {
    const url = await newDatabase('broken');
    const to = newDataDir('broken-data');
    const broken = spoiled('broken', () => {});
    const dump = readFileSync(join(broken, 'database.dump'));
    writeFileSync(join(broken, 'database.dump'), dump.subarray(0, dump.length * 0.7));
    const manifest = manifestOf(broken);
    const files = { ...manifest.files, 'database.dump': await describeFile(join(broken, 'database.dump')) };
    writeFileSync(join(broken, 'manifest.json'), JSON.stringify({ ...manifest, files }));
    const { status, said } = await run('restore', [broken], { DATABASE_URL: url, DATA_DIR: to });
    expect([status, said]).toEqual([1, expect.stringMatching(/could not be restored: .*The database is empty as before\.\n$/)]);
    expect(await tablesIn(url)).toEqual([]);
    expect(await run('restore', [backup], { DATABASE_URL: url, DATA_DIR: to })).toMatchObject({ status: 0 });
  });

  test('reports when SECRET_KEY did not encrypt the authenticator secrets', async () => {
    const url = await newDatabase('other_key');
    const env = { DATABASE_URL: url, DATA_DIR: newDataDir('other-key-data'), SECRET_KEY: 'x'.repeat(32) };
    const { status, said } = await run('restore', [backup], env);
    expect([status, said]).toEqual([0, expect.stringContaining('SECRET_KEY doesn’t open the authenticator secrets (people: 1)')]);
  });

  test('leaves the database empty if the restore is killed', async () => {
    const url = await newDatabase('killed');
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    const begins = `#!/bin/sh
[ "$1" = --version ] && exec /usr/bin/pg_restore --version
echo 'create table half (id int); select 1;'
while echo; do sleep 0.2; done`;
    writeFileSync(join(bin, 'pg_restore'), begins, { mode: 0o755 });
    const child = spawn(process.execPath, [bundleOf('restore'), backup], {
      env: { PATH: `${bin}:${process.env['PATH']}`, DATABASE_URL: url, DATA_DIR: newDataDir('killed-data') },
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const loader = `select query from pg_stat_activity where datname = 'killed' and application_name = 'psql'`;
    await waitUntil(async () => (await query<{ query: string }>(url, loader)).some((row) => row.query.includes('select 1')));
    child.kill('SIGKILL');
    await ended;
    await waitUntil(async () => (await query(url, loader)).length === 0);
    expect(await tablesIn(url)).toEqual([]);
  });

  test('taken during writes is valid when restored: sessions have ended and old mail is not sent', async () => {
    const url = await newDatabase('restored');
    const to = newDataDir('restored-data');
    const { status, said } = await run('restore', [backup], { DATABASE_URL: url, DATA_DIR: to });
    expect([status, said]).toEqual([0, expect.stringContaining('The audit is unchanged')]);
    expect(said).toMatch(/Sessions ended: [1-9]/);
    expect(said).toContain('Emails held back: 1. Alarms held back: 1.');
    expect(await run('audit-verify', [], { DATABASE_URL: url, DATA_DIR: to })).toMatchObject({ status: 0 });

    const there = await textsIn(url);
    expect(sentBefore.filter((text) => !there.has(text))).toEqual([]);
    expect(await query(url, 'select count(*)::int as n from sessions where revoked_at is null')).toEqual([{ n: 0 }]);
    expect(await query(url, 'select count(*)::int as n from password_links where used_at is null')).toEqual([{ n: 0 }]);
    expect(await query(url, 'select count(*)::int as n from mail_codes where used_at is null')).toEqual([{ n: 0 }]);
    for (const table of ['mails', 'alarm_deliveries'])
      expect(await query(url, `select state, error from ${table} where state <> 'sent'`)).toEqual([
        { state: 'failed', error: heldBackReason },
      ]);
    for (const { id, bytes } of pictures) expect(readFileSync(join(to, 'pictures', `${id}.webp`)).equals(bytes)).toBe(true);

    const restored = startServer(to, { DEVNET: 'off', DEMO_NEWS: 'off', DATABASE_URL: url });
    const origin = await restored.ready;
    expect((await fetch(`${origin}/api/session`, { headers: session })).status).toBe(401);
    const fresh = await signInAt(origin, 'all');
    expect((await addNews(origin, fresh, 'after the restore')).status).toBe(200);
    restored.child.kill('SIGTERM');
    await restored.ended;
    expect(await run('audit-verify', [], { DATABASE_URL: url, DATA_DIR: to })).toMatchObject({ status: 0 });
  });

  test('can have its pictures restored into an object storage and copied back', async () => {
    const env = { ...storage.env, DATABASE_URL: await newDatabase('objects'), DATA_DIR: newDataDir('objects-data') };
    expect(await run('restore', [backup], env)).toMatchObject({ status: 0 });
    const again = join(folder, 'from objects');
    expect(await run('backup', [again], env)).toMatchObject({ status: 0 });
    const pictureFiles = ({ files }: Manifest) => Object.entries(files).filter(([name]) => name.startsWith('pictures/'));
    expect(pictureFiles(manifestOf(again))).toEqual(pictureFiles(manifestOf(backup)));
    expect(readdirSync(env.DATA_DIR)).not.toContain('pictures');
    const wrong = { ...env, S3_SECRET_ACCESS_KEY: 'wrong' };
    expect(await run('backup', [join(folder, 'refused')], wrong)).toEqual({
      status: 1,
      said: 'Can’t use the object storage: the object storage answers 403 SignatureDoesNotMatch. Check the S3_ variables.\n',
    });
  });

  test('of an idle panel has every row, and its authority log is verified', async () => {
    server.child.kill('SIGTERM');
    await server.ended;
    const [genesis] = new TestLog(testGenesis([walletPerson('Ann'), walletPerson('Bob')])).lines;
    const line = { ...genesis, at: new Date().toISOString() };
    await pair.primary.query(
      `insert into authority_lines (number, hash, line, at) values (0, '${canonicalHash(line)}', ${pg.escapeLiteral(canonical(line))}, now())`,
    );
    const quiet = join(folder, 'quiet');
    await pair.primary.query('create role reader; grant select on news to reader');
    expect(await run('backup', [quiet], {})).toMatchObject({ status: 0 });
    await pair.primary.query('drop owned by reader; drop role reader');
    const url = await newDatabase('quiet');
    const env = { DATABASE_URL: url, DATA_DIR: newDataDir('quiet-data'), AUTHORITY_GENESIS: canonicalHash(line) };
    const needsRole = await run('restore', [quiet], env);
    expect(needsRole.said).toContain('grants for the database role "reader", which doesn’t exist here. Create the role');
    await pair.primary.query('create role reader');
    expect(await run('restore', [quiet], env)).toEqual({
      status: 0,
      said: expect.stringContaining('Authority log: The only line is valid.'),
    });
    expect((await run('restore', [quiet, '--verify'], env)).said).toContain('No restore into this database is waiting');
    await query(url, markUnverified); // as after a restore that stopped after loading
    expect(await run('restore', [quiet, '--verify'], env)).toEqual({
      status: 0,
      said: expect.stringContaining('Verified the backup'),
    });
    const [from, to] = [await rowsIn(pair.primary.url), await rowsIn(url)];
    expect(from['public.news']).toBeGreaterThan(20);
    expect(to).toEqual({ ...from, 'public.audit': Number(from['public.audit']) + 1, ...monthsOf(from, to) });
    expect(await query(url, grants)).toEqual(await query(pair.primary.url, grants));

    const other = {
      DATABASE_URL: await newDatabase('other_log'),
      DATA_DIR: newDataDir('other-log'),
      AUTHORITY_GENESIS: '0'.repeat(64),
    };
    const { status, said } = await run('restore', [quiet], other);
    expect([status, said]).toEqual([
      1,
      expect.stringMatching(/FOUND: line 0 is invalid[\s\S]*The panel refuses to start on this database\.\n$/),
    ]);
    const start = startServer(other.DATA_DIR, { DEVNET: 'off', DEMO_NEWS: 'off', ...other });
    await expect(start.ready).rejects.toThrow(
      /but the restore was not verified as sound: the authority log is not valid\. Create an empty database/,
    );
  });

  test('with a changed audit is restored, but no panel starts on it', async () => {
    const url = await newDatabase('forged');
    const to = newDataDir('forged-data');
    expect(await run('restore', [backup], { DATABASE_URL: url, DATA_DIR: to })).toMatchObject({ status: 0 });
    await query(
      url,
      `alter table audit disable trigger all; update audit set payload = replace(payload, '"ip":"', '"ip":"9') where seq = 2;
       update audit set ip = '9' || ip where seq = 2; alter table audit enable trigger all`,
    );
    const forged = join(folder, 'forged');
    expect(await run('backup', [forged], { DATABASE_URL: url, DATA_DIR: to })).toMatchObject({ status: 0 });
    const env = { DATABASE_URL: await newDatabase('forged_again'), DATA_DIR: newDataDir('forged-again-data') };
    const { status, said } = await run('restore', [forged], env);
    expect([status, said]).toEqual([1, expect.stringMatching(/FOUND: row 2 [\s\S]*The panel refuses to start on this database/)]);
    const verified = await run('restore', [forged, '--verify'], env);
    const [, read = ''] = /Digest of the problems: ([0-9a-f]{64})/.exec(verified.said) ?? [];
    expect([verified.status, read]).toEqual([1, expect.stringMatching(/./)]);
    const start = startServer(env.DATA_DIR, { DEVNET: 'off', DEMO_NEWS: 'off', ...env });
    await expect(start.ready).rejects.toThrow(
      /but the restore was not verified as sound: the audit is not sound\. Create an empty database/,
    );

    const reason = `row 2 was changed on a test machine, ticket 'OPS-7'`;
    expect(await run('restore', [forged, '--verify', '--accept-problems', ' short ', '--digest', read], env)).toMatchObject({
      status: 2,
    });
    expect(await run('restore', [forged, '--accept-problems', reason, '--digest', read], env)).toMatchObject({ status: 2 });
    expect(await run('restore', [forged, '--verify', '--accept-problems', reason], env)).toMatchObject({ status: 2 });
    const others = ['--verify', '--accept-problems', reason, '--digest', '0'.repeat(64)];
    expect(await run('restore', [forged, ...others], env)).toMatchObject({ status: 1 });
    await query(
      env.DATABASE_URL,
      `insert into authority_lines (number, hash, line, at) values (0, '${'0'.repeat(64)}', '{}', now())`,
    );
    const accept = [forged, '--verify', '--accept-problems', reason, '--digest', read];
    const withLog = await run('restore', accept, env);
    expect([withLog.status, withLog.said]).toEqual([1, expect.stringContaining('Nothing was accepted.')]);
    await query(env.DATABASE_URL, 'alter table authority_lines disable trigger all; delete from authority_lines');
    await query(env.DATABASE_URL, 'alter table authority_lines enable trigger all');
    expect(await query(env.DATABASE_URL, `select count(*)::int as count from audit where action = 'acceptProblems'`)).toEqual([
      { count: 0 },
    ]);

    const accepted = await run('restore', accept, env);
    const [, count, digest] = /Problems accepted: (\d+) \(digest ([0-9a-f]{64})\)/.exec(accepted.said) ?? [];
    expect([accepted.status, accepted.said, digest]).toEqual([0, expect.stringMatching(/FOUND: row 2 /), expect.any(String)]);
    expect(
      await query(
        env.DATABASE_URL,
        `select after::jsonb as after from audit where entity = 'database' and action = 'acceptProblems'`,
      ),
    ).toEqual([{ after: { reason, problems: Number(count), digest } }]);
    expect(await run('audit-verify', [], env)).toMatchObject({ status: 1 });
    const again = startServer(env.DATA_DIR, { DEVNET: 'off', DEMO_NEWS: 'off', ...env });
    await again.ready;
    again.child.kill('SIGTERM');
    await again.ended;
  });
});

/** Function grants protect the append-only audit, so a restore must keep them. */
const grants = `select proname, has_function_privilege('public', oid, 'execute') as public from pg_proc
  where pronamespace = 'public'::regnamespace and proname ~ '^audit_' order by 1`;

/** The months of the audit, one of them with another row. */
const monthsOf = (from: Rows, to: Rows): Rows => {
  const months = Object.keys(to).filter((name) => /^public\.audit_\d/.test(name));
  const added = months.reduce((sum, name) => sum + Number(to[name]) - Number(from[name] ?? 0), 0);
  expect(added).toBe(1);
  return Object.fromEntries(months.map((name) => [name, Number(to[name])]));
};

type Rows = Record<string, number>;

async function rowsIn(url: string): Promise<Rows> {
  const names = await tablesIn(url);
  const counted = await query<{ name: string; n: number }>(
    url,
    names.map((name) => `select '${name}' as name, count(*)::int as n from ${name}`).join(' union all '),
  );
  return Object.fromEntries(counted.map(({ name, n }) => [name, n]));
}

const tablesIn = async (url: string): Promise<string[]> =>
  (
    await query<{ name: string }>(
      url,
      `select schemaname || '.' || tablename as name from pg_tables where schemaname in ('public', 'panel') order by 1`,
    )
  ).map(({ name }) => name);

const textsIn = async (url: string): Promise<Set<string>> =>
  new Set([...(await writtenReasons(url, 'news.title', 'under ')), ...(await writtenReasons(url, 'points.reason', 'under '))]);

async function query<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function upload(origin: string, session: Session, red: number): Promise<{ id: string; bytes: Buffer }> {
  const encoded = await sharp({ create: { width: 8, height: 8, channels: 3, background: { r: red, g: 0, b: 0 } } })
    .png()
    .toBuffer();
  const body = new FormData();
  body.set('file', new File([new Uint8Array(encoded)], 'a.png', { type: 'image/png' }));
  const response = await fetch(`${origin}/api/pictures`, { method: 'POST', headers: session, body });
  expect(response.status).toBe(200);
  const { id, url } = (await response.json()) as { id: string; url: string };
  const stored = await fetch(new URL(new URL(url, origin).pathname, origin));
  return { id, bytes: Buffer.from(await stored.arrayBuffer()) };
}

async function rowsAt(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
