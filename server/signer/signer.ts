import { join } from 'node:path';
import { openSignerState } from '../authority/signer-state.ts';
import { evidenceProblemsText, gatherEvidence } from '../mints/evidence.ts';
import { startMints } from '../mints/loop.ts';
import type { MintContext } from '../mints/mints.ts';
import type { Services } from '../platform/services/context.ts';
import { runEvery } from '../platform/services/run-every.ts';
import { createMintChain, createKeySigner } from '../platform/evm/mint.ts';
import { openNodes } from '../platform/evm/read.ts';
import type { TransportOptions } from '../platform/evm/transport.ts';
import { chainClocks, ClockError, databaseClock, openClock, type ReferenceClock, type SignerClock } from './clock.ts';
import type { SignerConfig } from './config.ts';
import { openMetricsFile } from './metrics-file.ts';
import { openSigningPermits, type SigningPermits } from './permit.ts';
import { proveReserve } from './reserve.ts';

type SignerServices = Pick<Services, 'log' | 'database' | 'now'>;

const authorityPollMs = 5_000;
/** Also after a failure. */
const proofIntervalMs = 60_000;
const retryMs = 10_000;

/**
 * Timeouts, and the pause before a failed node is asked again. With the retry delay of mints, minting resumes within ten seconds.
 */
export const nodeLimits = { timeoutMs: 4_000, restMs: 2_000 };
/** A late block time is useless. */
const clockTimeoutMs = 2_000;

interface SignerOptions {
  signal?: AbortSignal | undefined;
  /** Default: the database's and the nodes'. */
  references?: readonly ReferenceClock[];
  limits?: Pick<TransportOptions, 'timeoutMs' | 'restMs'>;
}

export interface SignerContext extends MintContext, Pick<SigningPermits, 'look'> {
  readonly prove: () => Promise<boolean>;
  readonly clock: SignerClock;
}

export function createSignerContext(
  services: SignerServices,
  config: SignerConfig,
  { signal, references, limits: nodeTimeouts = nodeLimits }: SignerOptions = {},
): SignerContext {
  const { chainId, ybtc, bridge, startBlock, urls, minterKey, depth, limits, dir, genesis, development, esploraUrls } = config;
  const signerState = openSignerState(join(dir, 'signer.json'), genesis, config.memory);
  const signer = createKeySigner(minterKey);
  const nodeConfig = { urls, chainId };
  const clock = openClock(
    services,
    references ?? [
      databaseClock(services, config.aheadMs),
      ...chainClocks(services, openNodes(nodeConfig, { timeoutMs: clockTimeoutMs, signal }), development),
    ],
  );
  const { permit, readHalt, claim, look, authority } = openSigningPermits(services, {
    genesis,
    development,
    memory: signerState,
    clock,
  });
  const nodes = openNodes(nodeConfig, { ...nodeTimeouts, signal });
  return {
    services,
    chain: createMintChain({ ...nodeConfig, ybtc, bridge, startBlock, signer, ...nodeTimeouts, signal }),
    depth,
    limits,
    permit,
    readHalt,
    look,
    clock,
    signal,
    prove: () => proveReserve({ services, authority, esploraUrls, nodes, token: ybtc, depth, signer, clock, signal }),
    async readClockHalt() {
      try {
        await clock.trustedNow();
        return null;
      } catch (error) {
        if (!(error instanceof ClockError)) throw error;
        return { reason: 'CLOCK', details: error.message };
      }
    },
    async evidence(mint) {
      const signedClaim = await claim(mint);
      if (!signedClaim) return { verdict: 'unknown', details: null };
      const { bitcoinConfirmations, bitcoinNetwork } = config;
      // The log has already confirmed that it is a custody address.
      const evidenceConfig = {
        esploraUrls,
        bitcoinConfirmations,
        bitcoinNetwork,
        custodyAddresses: [signedClaim.custody],
        demo: false,
      };
      const { txid, vout, custody, satoshi } = signedClaim;
      const gatheredEvidence = await gatherEvidence(
        evidenceConfig,
        { txid, vout, coboAddress: custody, amount: BigInt(satoshi) },
        signal,
      );
      const { verdict } = gatheredEvidence;
      if (verdict === 'holds') return { verdict, details: null };
      const isRefuted = verdict === 'mismatch' || verdict === 'spent';
      return { verdict: isRefuted ? 'broken' : 'unknown', details: evidenceProblemsText(gatheredEvidence) };
    },
  };
}

/** Throws SignerStateError for a record of another log. */
export function startSigner(services: SignerServices, config: SignerConfig): () => Promise<void> {
  const abortController = new AbortController();
  const signerContext = createSignerContext(services, config, { signal: abortController.signal });
  const { length: nodes } = config.urls;
  if (nodes === 1) services.log.warn('only one RPC node is configured: mints are signed, but no proof of reserve');
  const recordEvent = openMetricsFile(services, config.metricsFile, { nodes, isClockRight: () => signerContext.clock.isRight });
  const stopPolling = runEvery(services, authorityPollMs, 'reading the authority log', async () => {
    try {
      await signerContext.look();
      recordEvent('look');
    } catch (error) {
      recordEvent(null);
      throw error;
    }
  });
  // Monotonic, so that a clock jump does not delay the next proof.
  let nextProofAt = 0;
  const stopProving = runEvery(services, authorityPollMs, 'proof of reserve', async () => {
    if (performance.now() < nextProofAt) return;
    nextProofAt = performance.now() + retryMs;
    if (!(await signerContext.prove())) return;
    nextProofAt = performance.now() + proofIntervalMs;
    recordEvent('proof');
  });
  const stopMinting = startMints(signerContext);
  return async () => {
    abortController.abort();
    await stopProving();
    await stopPolling();
    await stopMinting();
  };
}
