import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canonical, canonicalHash } from '../../api/authority/canonical.ts';
import { createTemporaryFolder } from '../testing/cleanup.ts';
import { createTestApp } from '../testing/support.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { ensureAuthorityLog } from './begin.ts';
import { authorityLines } from './tables.ts';
import { readAuthority } from './store.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { createLogger } from '../platform/core/log.ts';

const demoApp = await createTestApp(buildChainEnv('http://127.0.0.1:9'), { jobs: false });
const [genesisRow] = await demoApp.database.db.select().from(authorityLines);
const line = genesisRow?.line ?? '';
const file = join(createTemporaryFolder(), 'genesis.jsonl');

test('a database without a log starts with the pinned genesis, once', async () => {
  writeFileSync(file, `${line}\nAUTHORITY_GENESIS=${genesisRow?.hash}\n`);
  const env = { AUTHORITY_GENESIS: genesisRow?.hash ?? '', AUTHORITY_GENESIS_FILE: file, DEVNET: 'off' };
  const app = await createTestApp(env, { jobs: false });
  await ensureAuthorityLog({ ...app, now: Date.now });
  const lines = await app.database.db.select({ number: authorityLines.number, hash: authorityLines.hash }).from(authorityLines);
  expect(lines).toEqual([{ number: 0, hash: genesisRow?.hash }]);
  const services = { ...app, ...openExternalServices(app.config), log: createLogger({ level: 'silent' }), now: Date.now };
  expect((await readAuthority(services, app.database.db))?.head.number).toBe(0);
});

test('the start fails for a genesis that is not the pinned one, and writes nothing', async () => {
  const genesisLine = JSON.parse(line) as object;
  const changedLine = canonical({ ...genesisLine, at: '2025-01-01T00:00:00.000Z' });
  writeFileSync(file, changedLine);
  const pinnedEnv = { AUTHORITY_GENESIS: genesisRow?.hash ?? '', AUTHORITY_GENESIS_FILE: file };
  await expect(createTestApp(pinnedEnv, { jobs: false })).rejects.toThrow(
    'The first line of AUTHORITY_GENESIS_FILE isn’t the genesis',
  );
  expect(canonicalHash(JSON.parse(changedLine))).not.toBe(genesisRow?.hash);
});
