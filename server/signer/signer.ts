import { join } from 'node:path';
import { openSignerState } from '../authority/signer-state.ts';
import { evidenceProblemsText, gatherEvidence } from '../mints/evidence.ts';
import { startMints } from '../mints/loop.ts';
import type { MintWork } from '../mints/mints.ts';
import type { Services } from '../platform/services/context.ts';
import { runEvery } from '../platform/services/run-every.ts';
import { evmChain, keySigner } from '../platform/evm/mint.ts';
import { openNodes } from '../platform/evm/read.ts';
import type { TransportOptions } from '../platform/evm/transport.ts';
import { chainClocks, ClockError, databaseClock, openClock, type ReferenceClock, type SignerClock } from './clock.ts';
import type { SignerConfig } from './config.ts';
import { openMetricsFile } from './metrics-file.ts';
import { openSigningPermits, type SigningPermits } from './permit.ts';
import { proveReserve } from './reserve.ts';

type SignerServices = Pick<Services, 'log' | 'database' | 'now'>;

const lookMs = 5_000;
/** Also after a failure. */
const proveMs = 60_000;
const retryMs = 10_000;

/**
 * Timeouts, and the pause before a failed node is asked again. With the retry delay of mints, minting resumes within ten seconds.
 */
export const nodeLimits = { timeoutMs: 4_000, restMs: 2_000 };
/** A late block time is useless. */
const clockTimeoutMs = 2_000;

interface SignerParts {
  signal?: AbortSignal | undefined;
  /** Default: the database's and the nodes'. */
  references?: readonly ReferenceClock[];
  limits?: Pick<TransportOptions, 'timeoutMs' | 'restMs'>;
}

export interface SignerWork extends MintWork, Pick<SigningPermits, 'look'> {
  readonly prove: () => Promise<boolean>;
  readonly clock: SignerClock;
}

export function signerWork(
  services: SignerServices,
  config: SignerConfig,
  { signal, references, limits: waits = nodeLimits }: SignerParts = {},
): SignerWork {
  const { chainId, ybtc, bridge, startBlock, urls, minterKey, depth, limits, dir, genesis, development, esploraUrls } = config;
  const memory = openSignerState(join(dir, 'signer.json'), genesis, config.memory);
  const signer = keySigner(minterKey);
  const nodeConfig = { urls, chainId };
  const clock = openClock(
    services,
    references ?? [
      databaseClock(services, config.aheadMs),
      ...chainClocks(services, openNodes(nodeConfig, { timeoutMs: clockTimeoutMs, signal }), development),
    ],
  );
  const { permit, standstill, claim, look, authority } = openSigningPermits(services, { genesis, development, memory, clock });
  const nodes = openNodes(nodeConfig, { ...waits, signal });
  return {
    services,
    chain: evmChain({ ...nodeConfig, ybtc, bridge, startBlock, signer, ...waits, signal }),
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
      // The log has already confirmed that it is a custody address.
      const evidenceConfig = {
        esploraUrls,
        bitcoinConfirmations,
        bitcoinNetwork,
        custodyAddresses: [claimed.custody],
        demo: false,
      };
      const { txid, vout, custody, satoshi } = claimed;
      const found = await gatherEvidence(evidenceConfig, { txid, vout, coboAddress: custody, amount: BigInt(satoshi) }, signal);
      const { verdict } = found;
      if (verdict === 'holds') return { verdict, details: null };
      const isBroken = verdict === 'mismatch' || verdict === 'spent';
      return { verdict: isBroken ? 'broken' : 'unknown', details: evidenceProblemsText(found) };
    },
  };
}

/** Throws SignerStateError for a record of another log. */
export function startSigner(services: SignerServices, config: SignerConfig): () => Promise<void> {
  const stopping = new AbortController();
  const work = signerWork(services, config, { signal: stopping.signal });
  const { length: nodes } = config.urls;
  if (nodes === 1) services.log.warn('only one RPC node is configured: mints are signed, but no proof of reserve');
  const note = openMetricsFile(services, config.metricsFile, { nodes, isClockRight: () => work.clock.isRight });
  const stopLooking = runEvery(services, lookMs, 'reading the authority log', async () => {
    try {
      await work.look();
      note('look');
    } catch (error) {
      note(null);
      throw error;
    }
  });
  // Monotonic, so that a clock jump does not delay the next proof.
  let proveAt = 0;
  const stopProving = runEvery(services, lookMs, 'proof of reserve', async () => {
    if (performance.now() < proveAt) return;
    proveAt = performance.now() + retryMs;
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
