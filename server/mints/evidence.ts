import type { DepositEvidence } from '../../api/deposits/contract.ts';
import { devDeposits } from '../dev/shared/demo-bitcoin.ts';
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
    verdict: verdictOf(
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
  return demo && devDeposits(bitcoinNetwork).some(({ coboAddress }) => coboAddress === address);
}

/**
 * 'holds' needs every source to agree that the claim is right, deep enough and unspent. 'mismatch'
 * and 'spent' need all to contradict it. Otherwise 'unverified'.
 */
function verdictOf(
  lookups: readonly OutputLookup[],
  claim: OutputClaim,
  isCustody: boolean,
  required: number,
): DepositEvidence['verdict'] {
  if (lookups.length === 0) return 'unverified';
  const found = lookups.flatMap((one) => (one.state === 'found' ? [one.output] : []));
  const isOther = lookups.filter(
    (one) =>
      one.state === 'noOutput' ||
      (one.state === 'found' && (one.output.address !== claim.coboAddress || one.output.value !== claim.amount)),
  );
  if (isOther.length > 0) return isOther.length === lookups.length ? 'mismatch' : 'unverified';
  if (!isCustody) return 'notOurs';
  if (found.length < lookups.length) return 'unverified';
  const [first] = found;
  if (found.some(({ blockHash }) => blockHash !== first?.blockHash)) return 'unverified';
  const spent = found.filter((output) => output.spent).length;
  if (spent > 0) return spent === found.length ? 'spent' : 'unverified';
  const requiredConfirmations = (coinbase: boolean) => (coinbase ? Math.max(required, coinbaseConfirmations) : required);
  return found.every(({ confirmations, coinbase }) => confirmations >= requiredConfirmations(coinbase)) ? 'holds' : 'unconfirmed';
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

export const custodyOf = ({
  custodyAddresses,
  bitcoinNetwork,
}: Pick<Config, 'custodyAddresses' | 'bitcoinNetwork'>): readonly string[] =>
  custodyAddresses ?? devDeposits(bitcoinNetwork).map(({ coboAddress }) => coboAddress);
