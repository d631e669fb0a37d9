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
import { buildTestGenesis, TestLog, createWalletPerson } from '../testing/authority.ts';
import { addNews, addPoints, signInAt, startWriters, readWrittenTexts, type Session } from '../testing/callers.ts';
import { createTemporaryFolder } from '../testing/cleanup.ts';
import { startObjectStore, type ObjectStore } from '../testing/object-store.ts';
import { findDebianPostgres, startPostgresPair, type PostgresPair } from '../testing/postgres-pair.ts';
import { markUnverifiedSql } from '../platform/db/migrations.ts';
import { eventRowId, insertVisits } from '../statistics/ingest.ts';
import { createMonths } from '../statistics/partitions.ts';
import { startServer, waitUntil, type ServerProcess } from '../testing/process.ts';
import { runOnServer, replaceDatabase } from '../testing/run-postgres.ts';

describe('a backup', { timeout: 120_000 }, () => {
  let pair: PostgresPair;
  let storage: ObjectStore;
  let server: ServerProcess;
  let session: Session;
  let folder: string;
  let dataDir: string;
  let backupFolder: string;
  let pictures: { id: string; bytes: Buffer }[];
  let sentBefore: readonly string[];
  let backupResult: { status: number | null; said: string };
  let refusedWrites: readonly string[];

  const runBundle = (bundleName: 'backup' | 'restore' | 'audit-verify', args: readonly string[], env: Record<string, string>) =>
    new Promise<{ status: number | null; said: string }>((resolve) => {
      const childProcess = spawn(process.execPath, [bundleOf(bundleName), ...args], {
        env: { PATH: process.env['PATH'], DATA_DIR: dataDir, DATABASE_URL: pair.url, ...env },
      });
      let outputText = '';
      for (const stream of [childProcess.stdout, childProcess.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (outputText += text));
      childProcess.once('close', (status) => resolve({ status, said: outputText }));
    });

  const newDatabase = async (name: string) => {
    await runOnServer(pair.primary.url, `create database ${name}`);
    return replaceDatabase(pair.primary.url, name);
  };
  const newDataDir = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path);
    cpSync(join(dataDir, 'audit-key.pem'), join(path, 'audit-key.pem'));
    return path;
  };
  const readManifest = (path: string) => JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8')) as Manifest;
  const copySpoiled = (name: string, spoilCopy: (path: string) => void) => {
    const path = join(folder, name);
    cpSync(backupFolder, path, { recursive: true });
    spoilCopy(path);
    return path;
  };

  const storeSealedTotp = async () => {
    const [totpOwner] = await pair.primary.query<{ id: string }>(
      `select id from administrators where email = 'analyst@demo.local'`,
    );
    const config = readConfig({ DATA_DIR: dataDir });
    const sealedSecret = seal(config, `totp ${totpOwner?.id}`, 'JBSWY3DPEHPK3PXP');
    await pair.primary.query(`update administrators set totp_secret = '${sealedSecret}' where id = '${totpOwner?.id}'`);
  };

  beforeAll(async () => {
    await findDebianPostgres(); // installs it if missing
    folder = createTemporaryFolder();
    dataDir = join(folder, 'data');
    backupFolder = join(folder, 'backup');
    storage = await startObjectStore();
    pair = await startPostgresPair();
    server = startServer(dataDir, { DEVNET: 'off', DEMO_NEWS: 'off', DATABASE_URL: pair.url });
    const origin = await server.ready;
    session = await signInAt(origin, 'all');
    pictures = await Promise.all([10, 20, 30].map((redValue) => uploadPicture(origin, session, redValue)));
    const soonSql = `now() + interval '30 minutes'`;
    await pair.primary.query(`
      insert into mails (id, recipient, subject, body, next_at, created_at) values (gen_random_uuid(), 'a@b.c', 's', 'b', ${soonSql}, now());
      insert into alarms (id, kind, lines, at) values ('00000000-0000-4000-8000-000000000001', 'mintFailed', '[]', now());
      insert into alarm_deliveries (id, alarm_id, channel, next_at, created_at)
        values (gen_random_uuid(), '00000000-0000-4000-8000-000000000001', 'mail x', ${soonSql}, now());
      insert into password_links (id, administrator_id, token_hash, created_at, expires_at)
        select gen_random_uuid(), id, 'hash', now(), ${soonSql} from administrators limit 1;
      insert into mail_codes (id, administrator_id, purpose, code_hash, created_at, expires_at)
        select gen_random_uuid(), id, 'newBrowser', 'hash', now(), ${soonSql} from administrators limit 1`);
    await storeSealedTotp();
    await waitUntil(() => existsSync(join(dataDir, 'audit-heads.jsonl')));
    const writers = startWriters([origin], session, [addNews, addNews, addPoints, addPoints], 'under');
    await waitUntil(() => writers.acknowledged() > 40);
    sentBefore = [...(await readTexts(pair.primary.url))];
    backupResult = await runBundle('backup', [backupFolder], {});
    const acknowledgedBefore = writers.acknowledged();
    await waitUntil(() => writers.acknowledged() > acknowledgedBefore + 10);
    ({ refused: refusedWrites } = await writers.stop());
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
    const visitedAt = new Date();
    try {
      await statistics.migrate();
      await createMonths(statistics, visitedAt, visitedAt);
      const visit = {
        at: visitedAt,
        page: '/',
        country: null,
        chainId: 1,
        btcDeposited: 5n,
        yuMinted: 0n,
        address: null,
        vaultId: null,
      };
      await insertVisits(
        statistics,
        Array.from({ length: 30 }, () => ({ ...visit, id: eventRowId(visitedAt, randomUUID()) })),
      );
    } finally {
      await database.close();
    }
    const savedFolder = join(folder, 'with-visits');
    const { status, said: output } = await runBundle('backup', [savedFolder], { STATISTICS_DATABASE_URL: statisticsUrl });
    expect([status, output]).toEqual([0, expect.stringMatching(/visits +\d+ bytes, visits: 30/)]);

    const restoredUrl = await newDatabase('visits_two');
    expect(await runBundle('restore', [savedFolder, '--statistics'], { STATISTICS_DATABASE_URL: restoredUrl })).toEqual({
      status: 0,
      said: 'Restored 30 visits.\n',
    });
    expect(await queryRows(restoredUrl, 'select count(*)::int as visits, sum(btc_deposited)::int as btc from visits')).toEqual([
      { visits: 30, btc: 150 },
    ]);
    const repeatedRestore = await runBundle('restore', [savedFolder, '--statistics'], { STATISTICS_DATABASE_URL: restoredUrl });
    expect([repeatedRestore.status, repeatedRestore.said]).toEqual([1, expect.stringContaining('isn’t empty')]);

    const folderWithoutVisits = join(folder, 'without-visits');
    const unreachableUrl = Object.assign(new URL(statisticsUrl), { port: '1' }).href;
    const partialBackup = await runBundle('backup', [folderWithoutVisits], { STATISTICS_DATABASE_URL: unreachableUrl });
    expect([partialBackup.status, partialBackup.said]).toEqual([
      1,
      expect.stringContaining('This backup has no visits, and everything else is complete'),
    ]);
    expect(readManifest(folderWithoutVisits).files['database.dump']?.bytes).toBeGreaterThan(0);
  });

  test('is made while the panel takes writes, and refuses none of them', () => {
    expect(backupResult).toEqual({ status: 0, said: expect.stringContaining('Not in the backup, and needed to restore it') });
    expect(refusedWrites).toEqual([]);
  });

  test('has database, heads and pictures, only for its owner, and no key', () => {
    expect(readdirSync(backupFolder).toSorted()).toEqual(['audit-heads.jsonl', 'database.dump', 'manifest.json', 'pictures']);
    expect(readdirSync(join(backupFolder, 'pictures')).toSorted()).toEqual(
      expect.arrayContaining(pictures.map(({ id }) => `${id}.webp`).toSorted()),
    );
    for (const name of readdirSync(backupFolder, { recursive: true, encoding: 'utf8' }))
      expect([name, statSync(join(backupFolder, name)).mode & 0o077]).toEqual([name, 0]);
    const { files, rows, missingPictures } = readManifest(backupFolder);
    expect([Object.keys(files).length, missingPictures]).toEqual([rows.pictures + 2, []]);
  });

  test('is refused for a folder with something in it', async () => {
    expect(await runBundle('backup', [backupFolder], {})).toEqual({
      status: 1,
      said: `${backupFolder} isn’t empty. Choose a new folder.\n`,
    });
  });

  test('is refused for a folder of another user', async () => {
    const foreignFolder = process.getuid?.() === 0 ? join(folder, 'foreign') : '/';
    if (foreignFolder !== '/') {
      mkdirSync(foreignFolder);
      chownSync(foreignFolder, 65_534, 65_534);
    }
    expect(await runBundle('backup', [foreignFolder], {})).toEqual({
      status: 1,
      said: `${foreignFolder} belongs to another user. Choose a new folder.\n`,
    });
  });

  test('is not restored while a panel uses the database', async () => {
    const { status, said: output } = await runBundle('restore', [backupFolder], {});
    expect([status, output]).toEqual([
      1,
      expect.stringMatching(/^A panel uses the database "panel": admin-panel.*Stop every server/),
    ]);
  });

  test('is not restored into a database with tables', async () => {
    const url = await newDatabase('with_table');
    await query(url, 'create table kept (id int)');
    const { status, said: output } = await runBundle('restore', [backupFolder], {
      DATABASE_URL: url,
      DATA_DIR: newDataDir('with-table'),
    });
    expect([status, output]).toEqual([1, expect.stringContaining('"with_table" at')]);
    expect(output).toMatch(
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
        const manifest = readManifest(path);
        const newerMigration = { number: 99, name: '0099_next', hash: 'x', version: '99.0.0', oldestVersion: '98.0.0' };
        writeFileSync(
          join(path, 'manifest.json'),
          JSON.stringify({ ...manifest, migrations: [...manifest.migrations, newerMigration] }),
        );
      },
    ],
  ] as const)('is not restored with %s, and nothing is written', async (name, expected, spoilCopy) => {
    const url = await newDatabase(`spoiled_${name.replaceAll(' ', '_')}`);
    const targetFolder = newDataDir(`to ${name}`);
    const { status, said: output } = await runBundle('restore', [copySpoiled(name, spoilCopy)], {
      DATABASE_URL: url,
      DATA_DIR: targetFolder,
    });
    expect([status, output]).toEqual([1, expect.stringMatching(expected)]);
    expect(readdirSync(targetFolder)).toEqual(['audit-key.pem']);
    expect(await listTables(url)).toEqual([]);
  });

  test('is not restored without the key that signed its heads', async () => {
    const targetFolder = join(folder, 'no key');
    mkdirSync(targetFolder);
    const { status, said: output } = await runBundle('restore', [backupFolder], {
      DATABASE_URL: await newDatabase('no_key'),
      DATA_DIR: targetFolder,
    });
    expect([status, output]).toEqual([1, expect.stringContaining('Put audit-key.pem there or set AUDIT_KEY_FILE')]);
  });

  test('leaves the database empty if the restore is interrupted, and can be restored afterwards', async () => {
    const url = await newDatabase('broken');
    const targetFolder = newDataDir('broken-data');
    const brokenBackup = copySpoiled('broken', () => {});
    const dumpBytes = readFileSync(join(brokenBackup, 'database.dump'));
    writeFileSync(join(brokenBackup, 'database.dump'), dumpBytes.subarray(0, dumpBytes.length * 0.7));
    const manifest = readManifest(brokenBackup);
    const files = { ...manifest.files, 'database.dump': await describeFile(join(brokenBackup, 'database.dump')) };
    writeFileSync(join(brokenBackup, 'manifest.json'), JSON.stringify({ ...manifest, files }));
    const { status, said: output } = await runBundle('restore', [brokenBackup], { DATABASE_URL: url, DATA_DIR: targetFolder });
    expect([status, output]).toEqual([1, expect.stringMatching(/could not be restored: .*The database is empty as before\.\n$/)]);
    expect(await listTables(url)).toEqual([]);
    expect(await runBundle('restore', [backupFolder], { DATABASE_URL: url, DATA_DIR: targetFolder })).toMatchObject({
      status: 0,
    });
  });

  test('reports when SECRET_KEY did not encrypt the authenticator secrets', async () => {
    const url = await newDatabase('other_key');
    const env = { DATABASE_URL: url, DATA_DIR: newDataDir('other-key-data'), SECRET_KEY: 'x'.repeat(32) };
    const { status, said: output } = await runBundle('restore', [backupFolder], env);
    expect([status, output]).toEqual([
      0,
      expect.stringContaining('SECRET_KEY doesn’t open the authenticator secrets (people: 1)'),
    ]);
  });

  test('leaves the database empty if the restore is killed', async () => {
    const url = await newDatabase('killed');
    const binariesFolder = join(folder, 'bin');
    mkdirSync(binariesFolder);
    const slowRestoreScript = `#!/bin/sh
[ "$1" = --version ] && exec /usr/bin/pg_restore --version
echo 'create table half (id int); select 1;'
while echo; do sleep 0.2; done`;
    writeFileSync(join(binariesFolder, 'pg_restore'), slowRestoreScript, { mode: 0o755 });
    const childProcess = spawn(process.execPath, [bundleOf('restore'), backupFolder], {
      env: { PATH: `${binariesFolder}:${process.env['PATH']}`, DATABASE_URL: url, DATA_DIR: newDataDir('killed-data') },
      stdio: 'ignore',
    });
    const processExit = new Promise((resolve) => childProcess.once('exit', resolve));
    const loaderQuery = `select query from pg_stat_activity where datname = 'killed' and application_name = 'psql'`;
    await waitUntil(async () => (await query<{ query: string }>(url, loaderQuery)).some((row) => row.query.includes('select 1')));
    childProcess.kill('SIGKILL');
    await processExit;
    await waitUntil(async () => (await query(url, loaderQuery)).length === 0);
    expect(await listTables(url)).toEqual([]);
  });

  test('taken during writes is valid when restored: sessions have ended and old mail is not sent', async () => {
    const url = await newDatabase('restored');
    const targetFolder = newDataDir('restored-data');
    const { status, said: output } = await runBundle('restore', [backupFolder], { DATABASE_URL: url, DATA_DIR: targetFolder });
    expect([status, output]).toEqual([0, expect.stringContaining('The audit is unchanged')]);
    expect(output).toMatch(/Sessions ended: [1-9]/);
    expect(output).toContain('Emails held back: 1. Alarms held back: 1.');
    expect(await runBundle('audit-verify', [], { DATABASE_URL: url, DATA_DIR: targetFolder })).toMatchObject({ status: 0 });

    const storedTexts = await readTexts(url);
    expect(sentBefore.filter((text) => !storedTexts.has(text))).toEqual([]);
    expect(await query(url, 'select count(*)::int as n from sessions where revoked_at is null')).toEqual([{ n: 0 }]);
    expect(await query(url, 'select count(*)::int as n from password_links where used_at is null')).toEqual([{ n: 0 }]);
    expect(await query(url, 'select count(*)::int as n from mail_codes where used_at is null')).toEqual([{ n: 0 }]);
    for (const table of ['mails', 'alarm_deliveries'])
      expect(await query(url, `select state, error from ${table} where state <> 'sent'`)).toEqual([
        { state: 'failed', error: heldBackReason },
      ]);
    for (const { id, bytes } of pictures)
      expect(readFileSync(join(targetFolder, 'pictures', `${id}.webp`)).equals(bytes)).toBe(true);

    const restoredServer = startServer(targetFolder, { DEVNET: 'off', DEMO_NEWS: 'off', DATABASE_URL: url });
    const origin = await restoredServer.ready;
    expect((await fetch(`${origin}/api/session`, { headers: session })).status).toBe(401);
    const newSession = await signInAt(origin, 'all');
    expect((await addNews(origin, newSession, 'after the restore')).status).toBe(200);
    restoredServer.child.kill('SIGTERM');
    await restoredServer.ended;
    expect(await runBundle('audit-verify', [], { DATABASE_URL: url, DATA_DIR: targetFolder })).toMatchObject({ status: 0 });
  });

  test('can have its pictures restored into an object storage and copied back', async () => {
    const env = { ...storage.env, DATABASE_URL: await newDatabase('objects'), DATA_DIR: newDataDir('objects-data') };
    expect(await runBundle('restore', [backupFolder], env)).toMatchObject({ status: 0 });
    const repeatedFolder = join(folder, 'from objects');
    expect(await runBundle('backup', [repeatedFolder], env)).toMatchObject({ status: 0 });
    const listPictureFiles = ({ files }: Manifest) => Object.entries(files).filter(([name]) => name.startsWith('pictures/'));
    expect(listPictureFiles(readManifest(repeatedFolder))).toEqual(listPictureFiles(readManifest(backupFolder)));
    expect(readdirSync(env.DATA_DIR)).not.toContain('pictures');
    const wrongCredentials = { ...env, S3_SECRET_ACCESS_KEY: 'wrong' };
    expect(await runBundle('backup', [join(folder, 'refused')], wrongCredentials)).toEqual({
      status: 1,
      said: 'Can’t use the object storage: the object storage answers 403 SignatureDoesNotMatch. Check the S3_ variables.\n',
    });
  });

  test('of an idle panel has every row, and its authority log is verified', async () => {
    server.child.kill('SIGTERM');
    await server.ended;
    const [genesis] = new TestLog(buildTestGenesis([createWalletPerson('Ann'), createWalletPerson('Bob')])).lines;
    const genesisLine = { ...genesis, at: new Date().toISOString() };
    await pair.primary.query(
      `insert into authority_lines (number, hash, line, at) values (0, '${canonicalHash(genesisLine)}', ${pg.escapeLiteral(canonical(genesisLine))}, now())`,
    );
    const quietBackup = join(folder, 'quiet');
    await pair.primary.query('create role reader; grant select on news to reader');
    expect(await runBundle('backup', [quietBackup], {})).toMatchObject({ status: 0 });
    await pair.primary.query('drop owned by reader; drop role reader');
    const url = await newDatabase('quiet');
    const env = { DATABASE_URL: url, DATA_DIR: newDataDir('quiet-data'), AUTHORITY_GENESIS: canonicalHash(genesisLine) };
    const needsRole = await runBundle('restore', [quietBackup], env);
    expect(needsRole.said).toContain('grants for the database role "reader", which doesn’t exist here. Create the role');
    await pair.primary.query('create role reader');
    expect(await runBundle('restore', [quietBackup], env)).toEqual({
      status: 0,
      said: expect.stringContaining('Authority log: The only line is valid.'),
    });
    expect((await runBundle('restore', [quietBackup, '--verify'], env)).said).toContain(
      'No restore into this database is waiting',
    );
    await query(url, markUnverifiedSql); // as after a restore that stopped after loading
    expect(await runBundle('restore', [quietBackup, '--verify'], env)).toEqual({
      status: 0,
      said: expect.stringContaining('Verified the backup'),
    });
    const [rowsBefore, rowsAfter] = [await countAllRows(pair.primary.url), await countAllRows(url)];
    expect(rowsBefore['public.news']).toBeGreaterThan(20);
    expect(rowsAfter).toEqual({
      ...rowsBefore,
      'public.audit': Number(rowsBefore['public.audit']) + 1,
      ...auditMonthRows(rowsBefore, rowsAfter),
    });
    expect(await query(url, grantsQuery)).toEqual(await query(pair.primary.url, grantsQuery));

    const otherTarget = {
      DATABASE_URL: await newDatabase('other_log'),
      DATA_DIR: newDataDir('other-log'),
      AUTHORITY_GENESIS: '0'.repeat(64),
    };
    const { status, said: output } = await runBundle('restore', [quietBackup], otherTarget);
    expect([status, output]).toEqual([
      1,
      expect.stringMatching(/FOUND: line 0 is invalid[\s\S]*The panel refuses to start on this database\.\n$/),
    ]);
    const failingStart = startServer(otherTarget.DATA_DIR, { DEVNET: 'off', DEMO_NEWS: 'off', ...otherTarget });
    await expect(failingStart.ready).rejects.toThrow(
      /but the restore was not verified as sound: the authority log is not valid\. Create an empty database/,
    );
  });

  test('with a changed audit is restored, but no panel starts on it', async () => {
    const url = await newDatabase('forged');
    const targetFolder = newDataDir('forged-data');
    expect(await runBundle('restore', [backupFolder], { DATABASE_URL: url, DATA_DIR: targetFolder })).toMatchObject({
      status: 0,
    });
    await query(
      url,
      `alter table audit disable trigger all; update audit set payload = replace(payload, '"ip":"', '"ip":"9') where seq = 2;
       update audit set ip = '9' || ip where seq = 2; alter table audit enable trigger all`,
    );
    const forgedBackup = join(folder, 'forged');
    expect(await runBundle('backup', [forgedBackup], { DATABASE_URL: url, DATA_DIR: targetFolder })).toMatchObject({ status: 0 });
    const env = { DATABASE_URL: await newDatabase('forged_again'), DATA_DIR: newDataDir('forged-again-data') };
    const { status, said: output } = await runBundle('restore', [forgedBackup], env);
    expect([status, output]).toEqual([
      1,
      expect.stringMatching(/FOUND: row 2 [\s\S]*The panel refuses to start on this database/),
    ]);
    const verifyResult = await runBundle('restore', [forgedBackup, '--verify'], env);
    const [, problemsDigest = ''] = /Digest of the problems: ([0-9a-f]{64})/.exec(verifyResult.said) ?? [];
    expect([verifyResult.status, problemsDigest]).toEqual([1, expect.stringMatching(/./)]);
    const failingStart = startServer(env.DATA_DIR, { DEVNET: 'off', DEMO_NEWS: 'off', ...env });
    await expect(failingStart.ready).rejects.toThrow(
      /but the restore was not verified as sound: the audit is not sound\. Create an empty database/,
    );

    const reason = `row 2 was changed on a test machine, ticket 'OPS-7'`;
    expect(
      await runBundle('restore', [forgedBackup, '--verify', '--accept-problems', ' short ', '--digest', problemsDigest], env),
    ).toMatchObject({
      status: 2,
    });
    expect(
      await runBundle('restore', [forgedBackup, '--accept-problems', reason, '--digest', problemsDigest], env),
    ).toMatchObject({ status: 2 });
    expect(await runBundle('restore', [forgedBackup, '--verify', '--accept-problems', reason], env)).toMatchObject({ status: 2 });
    const otherArguments = ['--verify', '--accept-problems', reason, '--digest', '0'.repeat(64)];
    expect(await runBundle('restore', [forgedBackup, ...otherArguments], env)).toMatchObject({ status: 1 });
    await query(
      env.DATABASE_URL,
      `insert into authority_lines (number, hash, line, at) values (0, '${'0'.repeat(64)}', '{}', now())`,
    );
    const acceptArguments = [forgedBackup, '--verify', '--accept-problems', reason, '--digest', problemsDigest];
    const backupWithLog = await runBundle('restore', acceptArguments, env);
    expect([backupWithLog.status, backupWithLog.said]).toEqual([1, expect.stringContaining('Nothing was accepted.')]);
    await query(env.DATABASE_URL, 'alter table authority_lines disable trigger all; delete from authority_lines');
    await query(env.DATABASE_URL, 'alter table authority_lines enable trigger all');
    expect(await query(env.DATABASE_URL, `select count(*)::int as count from audit where action = 'acceptProblems'`)).toEqual([
      { count: 0 },
    ]);

    const acceptResult = await runBundle('restore', acceptArguments, env);
    const [, count, digest] = /Problems accepted: (\d+) \(digest ([0-9a-f]{64})\)/.exec(acceptResult.said) ?? [];
    expect([acceptResult.status, acceptResult.said, digest]).toEqual([
      0,
      expect.stringMatching(/FOUND: row 2 /),
      expect.any(String),
    ]);
    expect(
      await query(
        env.DATABASE_URL,
        `select after::jsonb as after from audit where entity = 'database' and action = 'acceptProblems'`,
      ),
    ).toEqual([{ after: { reason, problems: Number(count), digest } }]);
    expect(await runBundle('audit-verify', [], env)).toMatchObject({ status: 1 });
    const secondStart = startServer(env.DATA_DIR, { DEVNET: 'off', DEMO_NEWS: 'off', ...env });
    await secondStart.ready;
    secondStart.child.kill('SIGTERM');
    await secondStart.ended;
  });
});

/** Function grants protect the append-only audit, so a restore must keep them. */
const grantsQuery = `select proname, has_function_privilege('public', oid, 'execute') as public from pg_proc
  where pronamespace = 'public'::regnamespace and proname ~ '^audit_' order by 1`;

/** The months of the audit, one of them with another row. */
const auditMonthRows = (rowsBefore: RowCounts, rowsAfter: RowCounts): RowCounts => {
  const months = Object.keys(rowsAfter).filter((name) => /^public\.audit_\d/.test(name));
  const addedRows = months.reduce((total, name) => total + Number(rowsAfter[name]) - Number(rowsBefore[name] ?? 0), 0);
  expect(addedRows).toBe(1);
  return Object.fromEntries(months.map((name) => [name, Number(rowsAfter[name])]));
};

type RowCounts = Record<string, number>;

async function countAllRows(url: string): Promise<RowCounts> {
  const names = await listTables(url);
  const countRows = await query<{ name: string; n: number }>(
    url,
    names.map((name) => `select '${name}' as name, count(*)::int as n from ${name}`).join(' union all '),
  );
  return Object.fromEntries(countRows.map(({ name, n }) => [name, n]));
}

const listTables = async (url: string): Promise<string[]> =>
  (
    await query<{ name: string }>(
      url,
      `select schemaname || '.' || tablename as name from pg_tables where schemaname in ('public', 'panel') order by 1`,
    )
  ).map(({ name }) => name);

const readTexts = async (url: string): Promise<Set<string>> =>
  new Set([
    ...(await readWrittenTexts(url, 'news.title', 'under ')),
    ...(await readWrittenTexts(url, 'points.reason', 'under ')),
  ]);

async function query<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function uploadPicture(origin: string, session: Session, redValue: number): Promise<{ id: string; bytes: Buffer }> {
  const encodedPicture = await sharp({ create: { width: 8, height: 8, channels: 3, background: { r: redValue, g: 0, b: 0 } } })
    .png()
    .toBuffer();
  const body = new FormData();
  body.set('file', new File([new Uint8Array(encodedPicture)], 'a.png', { type: 'image/png' }));
  const response = await fetch(`${origin}/api/pictures`, { method: 'POST', headers: session, body });
  expect(response.status).toBe(200);
  const { id, url } = (await response.json()) as { id: string; url: string };
  const storedResponse = await fetch(new URL(new URL(url, origin).pathname, origin));
  return { id, bytes: Buffer.from(await storedResponse.arrayBuffer()) };
}

async function queryRows(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
