import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canonical, canonicalHash } from '../../api/authority/canonical.ts';
import { temporaryFolder } from '../testing/end.ts';
import { testApp } from '../testing/support.ts';
import { chainEnv } from '../testing/crsm.ts';
import { ensureLog } from './begin.ts';
import { authorityLines } from './tables.ts';
import { readAuthority } from './store.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { createLogger } from '../platform/core/log.ts';

const demo = await testApp(chainEnv('http://127.0.0.1:9'), { jobs: false });
const [first] = await demo.database.db.select().from(authorityLines);
const line = first?.line ?? '';
const file = join(temporaryFolder(), 'genesis.jsonl');

test('a database without a log starts with the pinned genesis, once', async () => {
  writeFileSync(file, `${line}\nAUTHORITY_GENESIS=${first?.hash}\n`);
  const env = { AUTHORITY_GENESIS: first?.hash ?? '', AUTHORITY_GENESIS_FILE: file, DEVNET: 'off' };
  const app = await testApp(env, { jobs: false });
  await ensureLog({ ...app, now: Date.now });
  const lines = await app.database.db.select({ number: authorityLines.number, hash: authorityLines.hash }).from(authorityLines);
  expect(lines).toEqual([{ number: 0, hash: first?.hash }]);
  const services = { ...app, ...openExternalServices(app.config), log: createLogger({ level: 'silent' }), now: Date.now };
  expect((await readAuthority(services, app.database.db))?.head.number).toBe(0);
});

test('the start fails for a genesis that is not the pinned one, and writes nothing', async () => {
  const other = JSON.parse(line) as object;
  const changed = canonical({ ...other, at: '2025-01-01T00:00:00.000Z' });
  writeFileSync(file, changed);
  const pinned = { AUTHORITY_GENESIS: first?.hash ?? '', AUTHORITY_GENESIS_FILE: file };
  await expect(testApp(pinned, { jobs: false })).rejects.toThrow('The first line of AUTHORITY_GENESIS_FILE isn’t the genesis');
  expect(canonicalHash(JSON.parse(changed))).not.toBe(first?.hash);
});
