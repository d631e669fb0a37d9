import { eq } from 'drizzle-orm';
import { authorityLines } from '../authority/tables.ts';
import { createLogger } from '../platform/core/log.ts';
import type { ReferenceClock } from '../signer/clock.ts';
import type { TransportOptions } from '../platform/evm/transport.ts';
import type { SignerConfig } from '../signer/config.ts';
import { signerWork, type SignerWork } from '../signer/signer.ts';
import { temporaryFolder } from './end.ts';
import type { TestApp } from './support.ts';

interface Parts {
  now?: () => number;
  references?: readonly ReferenceClock[];
  signal?: AbortSignal;
  limits?: Pick<TransportOptions, 'timeoutMs' | 'restMs'>;
}

export const rightClock = (clock: TestApp['clock']): ReferenceClock => ({
  name: 'the clock of the test',
  aheadMs: 120_000,
  behindMs: 120_000,
  read: async () => clock.now,
});

export async function testSigner(
  { config, database, clock }: Pick<TestApp, 'config' | 'database' | 'clock'>,
  change: Partial<SignerConfig> = {},
  { now = () => clock.now, references = [rightClock(clock)], ...parts }: Parts = {},
): Promise<SignerWork> {
  const { evm } = config;
  const [first] = await database.db
    .select({ hash: authorityLines.hash })
    .from(authorityLines)
    .where(eq(authorityLines.number, 0));
  if (!evm?.minterKey || !first) throw new Error('a signer needs a chain, a key and a log');
  return signerWork(
    { database, now, log: createLogger({ level: 'silent' }) },
    {
      development: true,
      databaseUrl: database.url,
      dir: temporaryFolder(),
      genesis: first.hash,
      memory: { begin: true },
      minterKey: evm.minterKey,
      urls: evm.urls,
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
    { references, ...parts },
  );
}
