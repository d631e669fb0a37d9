import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { bundleOf } from '../../scripts/setup.mjs';
import { serializeAuditPayload } from '../platform/audit/chain.ts';
import { appendHead } from '../platform/audit/heads.ts';
import { buildAuditFields } from '../testing/audit.ts';
import { createTemporaryFolder } from '../testing/cleanup.ts';
import { createTestDatabase } from '../testing/support.ts';

test('fails for a data folder without the key, even if all rows are valid', async () => {
  const { url } = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'verify-'));
  const { status, stderr } = spawnSync(process.execPath, [bundleOf('audit-verify')], {
    env: { PATH: process.env['PATH'], DATABASE_URL: url, DATA_DIR: folder },
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect([status, stderr.trim()]).toEqual([2, expect.stringContaining(' has no key. Set --key, AUDIT_KEY_FILE or DATA_DIR.')]);
});

test('needs both keys for a heads file that spans a change of the key', async () => {
  const { db, pool, url } = await createTestDatabase();
  const folder = createTemporaryFolder();
  const headsFile = join(folder, 'audit-heads.jsonl');
  const insertRowAndHead = async (name: string): Promise<string> => {
    await db.execute(sql`select audit_append(${sql.param([row()])}::text[])`);
    const { rows } = await pool.query<{ seq: string; hash: string }>('select seq, hash from audit order by seq desc limit 1');
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    await appendHead(headsFile, privateKey, {
      seq: Number(rows[0]?.seq),
      hash: rows[0]?.hash ?? '',
      time: new Date().toISOString(),
    });
    const file = join(folder, name);
    writeFileSync(file, publicKey.export({ type: 'spki', format: 'pem' }));
    return file;
  };
  const [oldKeyFile, presentKeyFile] = [await insertRowAndHead('old.pem'), await insertRowAndHead('present.pem')];
  const runVerify = (...keys: string[]) => {
    const commandArgs = [bundleOf('audit-verify'), '--heads', headsFile, ...keys.flatMap((key) => ['--key', key])];
    const { status, stdout } = spawnSync(process.execPath, commandArgs, {
      env: { PATH: process.env['PATH'], DATABASE_URL: url, DATA_DIR: folder },
      encoding: 'utf8',
    });
    return [status, stdout.trim()];
  };
  expect(runVerify(oldKeyFile, presentKeyFile)).toEqual([
    0,
    expect.stringMatching(/^The audit is unchanged: \d+ rows, 2 signed heads/),
  ]);
  const unsignedHeadMessage = expect.stringContaining('that none of the given keys signed');
  expect([runVerify(oldKeyFile), runVerify(presentKeyFile)]).toEqual([
    [1, unsignedHeadMessage],
    [1, unsignedHeadMessage],
  ]);
});

const row = () => serializeAuditPayload(buildAuditFields());
