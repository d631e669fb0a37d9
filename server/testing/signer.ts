import { eq } from 'drizzle-orm';
import { authorityLines } from '../authority/tables.ts';
import { createLogger } from '../platform/core/log.ts';
import type { ReferenceClock } from '../signer/clock.ts';
import type { TransportOptions } from '../platform/evm/transport.ts';
import type { SignerConfig } from '../signer/config.ts';
import { createSignerContext, type SignerContext } from '../signer/signer.ts';
import { createTemporaryFolder } from './cleanup.ts';
import type { TestApp } from './support.ts';

interface SignerParts {
  now?: () => number;
  references?: readonly ReferenceClock[];
  signal?: AbortSignal;
  limits?: Pick<TransportOptions, 'timeoutMs' | 'restMs'>;
}

export const createExactClock = (clock: TestApp['clock']): ReferenceClock => ({
  name: 'the clock of the test',
  aheadMs: 120_000,
  behindMs: 120_000,
  read: async () => clock.now,
});

export async function createTestSigner(
  { config, database, clock }: Pick<TestApp, 'config' | 'database' | 'clock'>,
  overrides: Partial<SignerConfig> = {},
  { now = () => clock.now, references = [createExactClock(clock)], ...signerParts }: SignerParts = {},
): Promise<SignerContext> {
  const { evm } = config;
  const [firstLine] = await database.db
    .select({ hash: authorityLines.hash })
    .from(authorityLines)
    .where(eq(authorityLines.number, 0));
  if (!evm?.minterKey || !firstLine) throw new Error('a signer needs a chain, a key and a log');
  return createSignerContext(
    { database, now, log: createLogger({ level: 'silent' }) },
    {
      development: true,
      databaseUrl: database.url,
      dir: createTemporaryFolder(),
      genesis: firstLine.hash,
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
      ...overrides,
    },
    { references, ...signerParts },
  );
}
