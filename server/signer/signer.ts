import { join } from 'node:path';
import { openMemory } from '../authority/memory.ts';
import { doubtsOf, gatherEvidence } from '../deposits/evidence.ts';
import { startMints } from '../deposits/mint-loop.ts';
import type { MintWork } from '../deposits/mints.ts';
import type { Services } from '../platform/core/context.ts';
import { every } from '../platform/core/every.ts';
import { evmChain, keySigner } from '../platform/evm/mint.ts';
import { openNodes } from '../platform/evm/read.ts';
import type { TransportOptions } from '../platform/evm/transport.ts';
import { chainClocks, ClockError, databaseClock, openClock, type ReferenceClock, type SignerClock } from './clock.ts';
import type { SignerConfig } from './config.ts';
import { openMetricsFile } from './metrics-file.ts';
import { openPermits, type Permits } from './permit.ts';
import { proveReserve } from './reserve.ts';

type SignerServices = Pick<Services, 'log' | 'database' | 'now'>;

const lookMs = 5_000;
/** Between two proofs of reserve, and before another try. */
const proveMs = 60_000;
const againMs = 10_000;

/**
 * Milliseconds for one request; a node that just timed out is not waited for again by every mint. With the pause of a mint that
 * waits for a node they come to less than ten seconds: so soon a mint goes on once the node is back.
 */
export const nodeLimits = { timeoutMs: 4_000, restMs: 2_000 };
/** The time of a newest block is no use when it comes late. */
const clockTimeoutMs = 2_000;

interface SignerParts {
  /** Aborted when the signer stops. */
  signal?: AbortSignal | undefined;
  /** What the signer's clock is compared with; the database's and the nodes' unless given. */
  references?: readonly ReferenceClock[];
  /** How long nodes are waited for. */
  limits?: Pick<TransportOptions, 'timeoutMs' | 'restMs'>;
}

export interface SignerWork extends MintWork, Pick<Permits, 'look'> {
  readonly prove: () => Promise<boolean>;
  readonly clock: SignerClock;
}

/** What the mint pipeline works with in the signer (its key, its sources, its record, the log), and how it looks at the log by itself. */
export function signerWork(
  services: SignerServices,
  config: SignerConfig,
  { signal, references, limits: waits = nodeLimits }: SignerParts = {},
): SignerWork {
  const { chainId, ybtc, bridge, startBlock, urls, minterKey, depth, limits, dir, genesis, development, esploraUrls } = config;
  const memory = openMemory(join(dir, 'signer.json'), genesis, config.memory);
  const signer = keySigner(minterKey);
  const place = { urls, chainId };
  const clock = openClock(
    services,
    references ?? [
      databaseClock(services, config.aheadMs),
      ...chainClocks(services, openNodes(place, { timeoutMs: clockTimeoutMs, signal }), development),
    ],
  );
  const { permit, standstill, claim, look, authority } = openPermits(services, { genesis, development, memory, clock });
  const nodes = openNodes(place, { ...waits, signal });
  return {
    services,
    chain: evmChain({ ...place, ybtc, bridge, startBlock, signer, ...waits, signal }),
    depth,
    limits,
    permit,
    standstill,
    look,
    clock,
    signal,
    prove: () => proveReserve({ services, authority, esploraUrls, nodes, token: ybtc, depth, signer, clock, signal }),
    async halted() {
      try {
        await clock.trustedNow();
        return null;
      } catch (error) {
        if (!(error instanceof ClockError)) throw error;
        return { reason: 'CLOCK', details: error.message };
      }
    },
    async evidence(mint) {
      const claimed = await claim(mint);
      if (!claimed) return { verdict: 'unknown', details: null };
      const { bitcoinConfirmations, bitcoinNetwork } = config;
      // That the address is one of ours the log has said already.
      const asked = { esploraUrls, bitcoinConfirmations, bitcoinNetwork, custodyAddresses: [claimed.custody], demo: false };
      const { txid, vout, custody, satoshi } = claimed;
      const found = await gatherEvidence(asked, { txid, vout, coboAddress: custody, amount: BigInt(satoshi) }, signal);
      const { verdict } = found;
      if (verdict === 'holds') return { verdict, details: null };
      const isBroken = verdict === 'mismatch' || verdict === 'spent';
      return { verdict: isBroken ? 'broken' : 'unknown', details: doubtsOf(found) };
    },
  };
}

/** Mints what people signed for, until stopped. Throws MemoryError for a record that is none of this log. */
export function startSigner(services: SignerServices, config: SignerConfig): () => Promise<void> {
  const stopping = new AbortController();
  const work = signerWork(services, config, { signal: stopping.signal });
  const { length: nodes } = config.urls;
  if (nodes === 1) services.log.warn('only one RPC node is configured: mints are signed, but no proof of reserve');
  const note = openMetricsFile(services, config.metricsFile, { nodes, isClockRight: () => work.clock.isRight });
  const stopLooking = every(services, lookMs, 'reading the authority log', async () => {
    try {
      await work.look();
      note('look');
    } catch (error) {
      note(null);
      throw error;
    }
  });
  // By the monotonic clock: one that jumps ahead would put the next proof off.
  let proveAt = 0;
  const stopProving = every(services, lookMs, 'proof of reserve', async () => {
    if (performance.now() < proveAt) return;
    proveAt = performance.now() + againMs;
    if (!(await work.prove())) return;
    proveAt = performance.now() + proveMs;
    note('proof');
  });
  const stopMinting = startMints(work);
  return async () => {
    stopping.abort();
    await stopProving();
    await stopLooking();
    await stopMinting();
  };
}
