import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { runImports } from '../imports/worker.ts';
import { readConfig } from '../platform/core/config.ts';
import { openDatabase } from '../platform/db/db.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';

const config = readConfig({ NODE_ENV: 'test', DATA_DIR: process.env['DATA_DIR'] ?? '' });
const log = createLogger({ level: 'silent' });
const database = openDatabase({ url: process.env['DATABASE_URL'] ?? '', log });
const services = { config, log, database, now: Date.now, ...openExternalServices(config) };
process.once('disconnect', () => process.exit());
const waitForBatch = async () => {
  const messageEvent = once(process, 'message');
  process.send?.('batch');
  await messageEvent;
  return true;
};
for (;;) {
  await runImports(services, { size: 50, leaseMs: 200, continueImport: waitForBatch });
  process.send?.('idle');
  await sleep(50);
}
