import { join } from 'node:path';
import { openMemory } from '../authority/memory.ts';
import { gatherEvidence } from '../deposits/evidence.ts';
import { startMints } from '../deposits/mint-loop.ts';
import type { MintWork } from '../deposits/mints.ts';
import type { Services } from '../platform/core/context.ts';
import { every } from '../platform/core/every.ts';
import { evmChain, keySigner } from '../platform/evm/mint.ts';
import { chainReader } from '../platform/evm/read.ts';
import type { SignerConfig } from './config.ts';
import { openMetricsFile } from './metrics-file.ts';
import { openPermits, type Permits } from './permit.ts';
import { proveReserve } from './reserve.ts';

type SignerServices = Pick<Services, 'log' | 'database' | 'now'>;

const lookMs = 5_000;
/** Between two proofs of reserve, and before another try. */
const proveMs = 60_000;
const againMs = 10_000;

/** What the mint pipeline works with in the signer (its key, its sources, its record, the log), and how it looks at the log by itself. */
export function signerWork(
  services: SignerServices,
  config: SignerConfig,
): MintWork & Pick<Permits, 'look'> & { readonly prove: () => Promise<boolean> } {
  const { chainId, ybtc, bridge, startBlock, url, minterKey, depth, limits, dir, genesis, development } = config;
  const memory = openMemory(join(dir, 'signer.json'), genesis, config.memory);
  const signer = keySigner(minterKey);
  const reader = chainReader({ url, chainId });
  const { permit, standstill, claim, look, authority } = openPermits(services, { genesis, development, memory });
  return {
    services,
    chain: evmChain({ url, chainId, ybtc, bridge, startBlock, signer }),
    depth,
    limits,
    permit,
    standstill,
    look,
    prove: () => proveReserve({ services, authority, esploraUrls: config.esploraUrls, reader, token: ybtc, depth, signer }),
    async evidence(mint) {
      const claimed = await claim(mint);
      if (!claimed) return 'unknown';
      const { esploraUrls, bitcoinConfirmations, bitcoinNetwork } = config;
      // That the address is one of ours the log has said already.
      const asked = { esploraUrls, bitcoinConfirmations, bitcoinNetwork, custodyAddresses: [claimed.custody], demo: false };
      const { verdict } = await gatherEvidence(asked, {
        txid: claimed.txid,
        vout: claimed.vout,
        coboAddress: claimed.custody,
        amount: BigInt(claimed.satoshi),
      });
      if (verdict === 'holds') return 'holds';
      return verdict === 'mismatch' || verdict === 'spent' ? 'broken' : 'unknown';
    },
  };
}

/** Mints what people signed for, until stopped. Throws MemoryError for a record that is none of this log. */
export function startSigner(services: SignerServices, config: SignerConfig): () => Promise<void> {
  const work = signerWork(services, config);
  const note = openMetricsFile(services, config.metricsFile);
  const stopLooking = every(services, lookMs, 'reading the authority log', async () => {
    await work.look();
    note('look');
  });
  let proveAt = 0;
  const stopProving = every(services, lookMs, 'proof of reserve', async () => {
    if (services.now() < proveAt) return;
    proveAt = services.now() + againMs;
    if (!(await work.prove())) return;
    proveAt = services.now() + proveMs;
    note('proof');
  });
  const stopMinting = startMints(work);
  return async () => {
    await stopProving();
    await stopLooking();
    await stopMinting();
  };
}
