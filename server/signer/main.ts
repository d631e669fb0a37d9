import { setTimeout as sleep } from 'node:timers/promises';
import { SignerStateError } from '../authority/signer-state.ts';
import { runEvery } from '../platform/services/run-every.ts';
import { createLogger } from '../platform/core/log.ts';
import { escapeControls } from '../platform/core/redact.ts';
import { StartError } from '../platform/core/start-error.ts';
import { version } from '../platform/core/version.ts';
import { openDatabase, type Database } from '../platform/db/db.ts';
import { readSignerConfig } from './config.ts';
import { signerGrants } from './grants.ts';
import { startSigner } from './signer.ts';

const signerLock = 4280_0032;
const schemaCheckMs = 5_000;

/** Listens on nothing. Ends at a signal or with its parent. */
async function main(): Promise<void> {
  const grantsIndex = process.argv.indexOf('--grants');
  if (grantsIndex !== -1) {
    const role = process.argv[grantsIndex + 1] ?? '';
    if (!/^[a-z_][a-z0-9_]{0,62}$/.test(role)) throw new StartError('--grants needs the name of a database role, like signer');
    console.log(
      signerGrants(role)
        .map((statement) => `${statement};`)
        .join('\n'),
    );
    process.exit(0);
  }
  const config = readSignerConfig(process.env);
  // Nothing else may read the key later.
  delete process.env['MINTER_KEY'];
  const log = createLogger({ level: config.logLevel, readable: process.env['NODE_ENV'] !== 'production' }).child({
    process: 'signer',
  });
  const database = openDatabase({ url: config.databaseUrl, log, connections: 4 });
  let isStopping = false;
  let stopSigning = async () => {};
  const stopProcess = (code: number) => {
    if (isStopping) return;
    isStopping = true;
    void stopSigning()
      .then(() => database.close())
      .finally(() => process.exit(code));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopProcess(0));
  if (process.connected === false) return stopProcess(0); // the parent is gone, so nothing else would end it
  process.on('disconnect', () => stopProcess(0));

  // One signer at a time, because the record is one file. The process ends immediately if the lock's connection does, because
  // another signer may start.
  const lockConnection = await database.connect();
  const handleLockLoss = () => {
    log.error('lost the connection that holds the signer lock, stopping');
    process.exit(1);
  };
  lockConnection.on('error', handleLockLoss);
  lockConnection.on('end', handleLockLoss);
  for (let isWaiting = false; ; isWaiting = true) {
    const { rows } = await lockConnection.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [signerLock]);
    if (rows[0]?.mine || isStopping) break;
    if (!isWaiting) log.info('another signer is running, waiting for it to stop');
    await sleep(200);
  }
  if (isStopping) return;
  await requireCurrentSchema(database);
  if (isStopping) return;
  const stopWatching = runEvery({ log }, schemaCheckMs, 'reading the schema version', async () => {
    const problem = await database.schemaProblem();
    if (problem === null || isStopping) return;
    log.error({ problem }, 'the signer cannot use the schema of the database, stopping');
    stopProcess(1);
  });
  const stopMinting = startSigner({ log, database, now: () => Date.now() + config.aheadMs }, config);
  stopSigning = async () => {
    await stopWatching();
    await stopMinting();
  };
  log.info({ chain: config.chainId, genesis: config.genesis }, 'signer started');
  process.send?.({ signing: true }, undefined, undefined, () => {}); // the parent may have exited
}

/** Throws StartError for a schema that this build does not support. */
async function requireCurrentSchema(database: Database): Promise<void> {
  const { pending } = await database.schemaStatus();
  if (pending.length > 0)
    throw new StartError(
      `The database lacks ${pending.map(({ name }) => name).join(', ')}. Start a server of version ${version} or run migrate, then start the signer.`,
    );
}

main().catch((error: unknown) => {
  if (error instanceof StartError || error instanceof SignerStateError) console.error(`signer: ${error.message}`);
  else console.error('signer:', escapeControls(error));
  process.exit(1);
});
