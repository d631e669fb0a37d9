import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { devnetContracts } from '../../chain/deploy.ts';
import { signerBundle } from '../../scripts/setup.mjs';
import { onCleanup, createTemporaryFolder } from '../testing/cleanup.ts';
import { minterKey } from '../testing/signer-process.ts';
import { createTestDatabase } from '../testing/support.ts';

function startSigner(databaseUrl: string) {
  const child = spawn(process.execPath, [signerBundle], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      NODE_ENV: 'development',
      SIGNER_DATABASE_URL: databaseUrl,
      SIGNER_DIR: createTemporaryFolder(),
      AUTHORITY_GENESIS: '0'.repeat(64),
      MINTER_KEY: minterKey,
      EVM_RPC_URL: 'http://127.0.0.1:1',
      EVM_CHAIN_ID: '31337',
      YBTC_ADDRESS: devnetContracts.ybtc,
      CUSTODY_BRIDGE_ADDRESS: devnetContracts.custodyBridge,
      MINT_DEPTH: '1',
      SIGNER_ESPLORA_URLS: 'http://127.0.0.1:1',
    },
  });
  onCleanup(async () => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  return {
    signing: new Promise<void>((resolve) => child.once('message', () => resolve())),
    ended: new Promise<{ code: number | null; said: string }>((resolve) =>
      child.once('close', (code) => resolve({ code, said: output })),
    ),
  };
}

const laterMigration = `insert into schema_history.migrations (number, name, hash, version, oldest_version)
  values (9999, '9999_later', 'x', '9.9.0', '9.9.0')`;

test('a signer refuses a schema that is too new for it, naming both versions', async () => {
  const { url, pool } = await createTestDatabase();
  await pool.query(laterMigration);
  expect(await startSigner(url).ended).toEqual({
    code: 1,
    said: expect.stringMatching(/signer: This database was upgraded by version 9\.9\.0, and this is version \d/),
  });
});

test('a signer refuses a database that lacks its migration', async () => {
  const { url, pool } = await createTestDatabase();
  await pool.query('delete from schema_history.migrations where number = (select max(number) from schema_history.migrations)');
  expect(await startSigner(url).ended).toEqual({
    code: 1,
    said: expect.stringMatching(/signer: The database lacks \d{4}_\w+\. Start a server of version .* or run migrate/),
  });
});

test('a signer that runs stops once the schema excludes its version', async () => {
  const { url, pool } = await createTestDatabase();
  const { signing, ended } = startSigner(url);
  await signing;
  await pool.query(laterMigration);
  expect(await ended).toEqual({ code: 1, said: expect.stringContaining('the signer cannot use the schema of the database') });
});
