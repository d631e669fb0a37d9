import { isAddressEqual, recoverTypedDataAddress, type Address, type Hex, type TypedDataDomain } from 'viem';
import { canonical, canonicalHash } from '../../../api/authority/canonical.ts';
import { signedReserve, type ReserveReport, type SignedReserve } from '../../../api/custody/reserve.ts';
import { weiPerToken, satoshiToWei } from '../../../api/money.ts';
import { parseBitcoinAddress } from '../../../chain/bitcoin-address.ts';
import type { Authority } from '../authority.ts';

// A proof counts only if the minter signed it for this log. Used by the panel, alarms and `authority:verify`.

/** Five missed reports. */
export const maxProofAgeMs = 5 * 60_000;

/** EIP-712. Figures are separate fields for contracts, addresses are hashed. */
export function reserveTypedData({
  network,
  chainId,
  token,
  custody,
  satoshi,
  bitcoin,
  supply,
  evm,
  authority,
  at,
}: ReserveReport) {
  const types = [
    ['network', 'string'],
    ['satoshi', 'uint256'],
    ['custody', 'bytes32'],
    ['bitcoinHeight', 'uint256'],
    ['bitcoinBlock', 'bytes32'],
    ['supply', 'uint256'],
    ['evmBlock', 'uint256'],
    ['evmBlockHash', 'bytes32'],
    ['genesis', 'bytes32'],
    ['logLine', 'uint256'],
    ['logHash', 'bytes32'],
    ['at', 'string'],
  ] as const;
  const domain: TypedDataDomain = {
    name: 'Admin Panel Reserve',
    version: '1',
    chainId,
    verifyingContract: token as Address,
  };
  const message: Record<(typeof types)[number][0], string | bigint> = {
    network,
    satoshi: BigInt(satoshi),
    custody: `0x${canonicalHash(custody)}`,
    bitcoinHeight: BigInt(bitcoin.height),
    bitcoinBlock: `0x${bitcoin.hash}`,
    supply: BigInt(supply),
    evmBlock: BigInt(evm.block),
    evmBlockHash: evm.hash,
    genesis: `0x${authority.genesis}`,
    logLine: BigInt(authority.number),
    logHash: `0x${authority.hash}`,
    at,
  };
  return { domain, types: { Reserve: types.map(([name, type]) => ({ name, type })) }, primaryType: 'Reserve', message };
}

export type ReserveRefusal =
  | 'FORM' // malformed, or the sum is wrong
  | 'PLACE' // for another chain, token, Bitcoin network or log
  | 'LINE' // the log was cut off or rewritten
  | 'CUSTODY' // an address was not in custody, or cooling
  | 'SIGNATURE'; // not signed by who mints

type KnownCustody = Pick<Authority, 'genesis' | 'genesisHash' | 'hashes' | 'head' | 'minters' | 'custody'>;

/** A log that ends with the proof's line also allows checking the addresses. Null: valid. */
export async function checkReserveProof(proof: unknown, authority: KnownCustody): Promise<ReserveRefusal | null> {
  const { success, data } = signedReserve.safeParse(proof);
  if (!success || !isConsistent(data.report)) return 'FORM';
  const { report, signer, signature } = data;
  const { genesis, genesisHash, hashes, head } = authority;
  const { network, chainId, token } = genesis;
  const isSameToken =
    report.network === network && report.chainId === chainId && isAddressEqual(report.token as Hex, token as Hex);
  if (!isSameToken || report.authority.genesis !== genesisHash) return 'PLACE';
  if (hashes.at(report.authority.number) !== report.authority.hash) return 'LINE';
  const reportTime = Date.parse(report.at);
  if (
    head.number === report.authority.number &&
    report.custody.some(({ address }) => !(custodyEffectiveFrom(authority, address) <= reportTime))
  )
    return 'CUSTODY';
  const minter = authority.minters.findLast(({ saidFrom: reportedFrom }) => reportedFrom <= reportTime)?.address;
  try {
    const recoveredSigner = await recoverTypedDataAddress({ ...reserveTypedData(report), signature } as never);
    return [signer, minter].every((item) => item !== undefined && isAddressEqual(recoveredSigner, item as Address))
      ? null
      : 'SIGNATURE';
  } catch {
    return 'SIGNATURE';
  }
}

const custodyEffectiveFrom = ({ custody }: KnownCustody, address: string): number => custody.get(address) ?? Infinity;

/** Each address once, canonical, in order, with the correct sum. */
const isConsistent = ({ custody, satoshi, at, network }: ReserveReport): boolean =>
  custody.every(({ address }) => parseBitcoinAddress(address, network) === address) &&
  custody.every(({ address }, index) => index === 0 || (custody[index - 1]?.address ?? '') < address) &&
  custody.reduce((sum, item) => sum + BigInt(item.satoshi), 0n) === BigInt(satoshi) &&
  isIsoTime(at);

const isIsoTime = (text: string): boolean => {
  const parsedTime = new Date(text);
  return parsedTime.getTime() >= 0 && parsedTime.toISOString() === text;
};

/** 1e18 for 100 %, null without supply; surplus in wei. */
export function calculateCoverage({ satoshi, supply }: Pick<ReserveReport, 'satoshi' | 'supply'>) {
  const [reserveWei, supplyWei] = [satoshiToWei(BigInt(satoshi)), BigInt(supply)];
  return { coverage: supplyWei === 0n ? null : (reserveWei * weiPerToken) / supplyWei, surplus: reserveWei - supplyWei };
}

export const serializeReserve = (signed: SignedReserve): string => canonical(signed);
