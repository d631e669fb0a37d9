import { eq } from 'drizzle-orm';
import { authorityLines } from '../authority/tables.ts';
import { createLog } from '../platform/core/log.ts';
import type { SignerConfig } from '../signer/config.ts';
import { signerWork } from '../signer/signer.ts';
import { temporaryFolder } from './end.ts';
import type { TestApp } from './support.ts';

/** The signer of a test server, in this process: what it works with. Its record is in a folder of its own unless said. */
export async function testSigner(
  { config, database, clock }: Pick<TestApp, 'config' | 'database' | 'clock'>,
  change: Partial<SignerConfig> = {},
): Promise<ReturnType<typeof signerWork>> {
  const { evm } = config;
  const [first] = await database.db
    .select({ hash: authorityLines.hash })
    .from(authorityLines)
    .where(eq(authorityLines.number, 0));
  if (!evm?.minterKey || !first) throw new Error('a signer needs a chain, a key and a log');
  return signerWork(
    { database, now: () => clock.now, log: createLog({ level: 'silent' }) },
    {
      development: true,
      databaseUrl: database.url,
      dir: temporaryFolder(),
      genesis: first.hash,
      memory: { begin: true },
      minterKey: evm.minterKey,
      url: evm.url,
      chainId: evm.chainId,
      ybtc: evm.contracts.ybtc,
      bridge: evm.contracts.custodyBridge,
      startBlock: evm.startBlock,
      depth: evm.mintDepth,
      limits: config.mintLimits,
      bitcoinNetwork: config.bitcoinNetwork,
      bitcoinConfirmations: config.bitcoinConfirmations,
      esploraUrls: config.esploraUrls,
      aheadMs: 0,
      logLevel: 'silent',
      metricsFile: null,
      ...change,
    },
  );
}
