import type { DepositEvidence } from '../../api/deposits/contract.ts';
import { createDevDeposits } from '../dev/shared/demo-bitcoin.ts';
import type { Config } from '../platform/core/config.ts';
import { fetchOutput, type OutputLookup } from '../platform/bitcoin/esplora.ts';

export interface OutputClaim {
  txid: string;
  vout: number;
  /** Canonical. */
  coboAddress: string;
  /** Satoshi. */
  amount: bigint;
}

export type EvidenceConfig = Pick<
  Config,
  'esploraUrls' | 'bitcoinConfirmations' | 'custodyAddresses' | 'demo' | 'bitcoinNetwork'
>;

const coinbaseConfirmations = 100;

export async function gatherEvidence(config: EvidenceConfig, claim: OutputClaim, signal?: AbortSignal): Promise<DepositEvidence> {
  const { esploraUrls, bitcoinConfirmations } = config;
  const sources = await Promise.all(
    esploraUrls.map(async (url) => ({ name: new URL(url).host, seen: await fetchOutput(url, claim.txid, claim.vout, signal) })),
  );
  return {
    verdict: judgeLookups(
      sources.map(({ seen }) => seen),
      claim,
      isCustodyAddress(config, claim.coboAddress),
      bitcoinConfirmations,
    ),
    required: bitcoinConfirmations,
    sources: sources.map(({ name, seen }) => {
      const output = seen.state === 'found' ? seen.output : null;
      return {
        name,
        state: seen.state,
        reason: seen.state === 'unreachable' ? seen.reason : null,
        address: output?.address ?? null,
        amount: output ? output.value.toString() : null,
        confirmations: output?.confirmations ?? null,
        height: output?.height ?? null,
        blockHash: output?.blockHash ?? null,
        coinbase: output?.coinbase ?? false,
        spent: output?.spent ?? false,
      };
    }),
  };
}

/** Configured addresses, or else the demo's where a demo is allowed. */
export function isCustodyAddress(
  { custodyAddresses, demo, bitcoinNetwork }: Pick<Config, 'custodyAddresses' | 'demo' | 'bitcoinNetwork'>,
  address: string,
): boolean {
  if (custodyAddresses !== null) return custodyAddresses.includes(address);
  return demo && createDevDeposits(bitcoinNetwork).some(({ coboAddress }) => coboAddress === address);
}

/**
 * 'holds' needs every source to agree that the claim is right, deep enough and unspent. 'mismatch'
 * and 'spent' need all to contradict it. Otherwise 'unverified'.
 */
function judgeLookups(
  lookups: readonly OutputLookup[],
  claim: OutputClaim,
  isCustody: boolean,
  minConfirmations: number,
): DepositEvidence['verdict'] {
  if (lookups.length === 0) return 'unverified';
  const foundOutputs = lookups.flatMap((lookup) => (lookup.state === 'found' ? [lookup.output] : []));
  const contradictingLookups = lookups.filter(
    (lookup) =>
      lookup.state === 'noOutput' ||
      (lookup.state === 'found' && (lookup.output.address !== claim.coboAddress || lookup.output.value !== claim.amount)),
  );
  if (contradictingLookups.length > 0) return contradictingLookups.length === lookups.length ? 'mismatch' : 'unverified';
  if (!isCustody) return 'notOurs';
  if (foundOutputs.length < lookups.length) return 'unverified';
  const [firstOutput] = foundOutputs;
  if (foundOutputs.some(({ blockHash }) => blockHash !== firstOutput?.blockHash)) return 'unverified';
  const spentCount = foundOutputs.filter((output) => output.spent).length;
  if (spentCount > 0) return spentCount === foundOutputs.length ? 'spent' : 'unverified';
  const confirmationsFor = (coinbase: boolean) =>
    coinbase ? Math.max(minConfirmations, coinbaseConfirmations) : minConfirmations;
  return foundOutputs.every(({ confirmations, coinbase }) => confirmations >= confirmationsFor(coinbase))
    ? 'holds'
    : 'unconfirmed';
}

export function evidenceProblemsText({ verdict, required, sources }: DepositEvidence): string {
  if (sources.length === 0) return 'no Bitcoin source is configured';
  const sourceTexts = sources.map(({ name, state, reason, address, amount, blockHash, confirmations, spent }) => {
    if (state !== 'found')
      return `${name}: ${reason ?? (state === 'missing' ? 'does not know the transaction' : 'has no such output')}`;
    return `${name}: ${amount} satoshi to ${address ?? 'no address'}, ${spent ? 'spent' : 'unspent'}, ${confirmations ?? 0} confirmations of ${required}, block ${blockHash?.slice(-12) ?? 'none'}`;
  });
  return `${verdict}: ${sourceTexts.join('; ')}`.slice(0, 500);
}

export const custodyConfig = ({
  custodyAddresses,
  bitcoinNetwork,
}: Pick<Config, 'custodyAddresses' | 'bitcoinNetwork'>): readonly string[] =>
  custodyAddresses ?? createDevDeposits(bitcoinNetwork).map(({ coboAddress }) => coboAddress);
