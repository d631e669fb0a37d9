import { isAddressEqual, recoverTypedDataAddress, type Address, type Hex, type TypedDataDomain } from 'viem';
import { canonical, hashOf } from '../../../api/authority/canonical.ts';
import { signedReserve, type ReserveReport, type SignedReserve } from '../../../api/custody/reserve.ts';
import { wad, weiOfSatoshi } from '../../../api/money.ts';
import { parseBitcoinAddress } from '../../platform/bitcoin/address.ts';
import type { Authority } from '../authority.ts';

// What a proof of reserve is worth: nothing but what the minter's key signed for this log. The panel, the alarms and
// `authority:verify` ask the same.

/** A report older than this says nothing of now, in milliseconds: five were missed. */
export const staleMs = 5 * 60_000;

/** What the minter's key signs (EIP-712): every figure by itself, so that a contract can read it too, and the addresses by their hash. */
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
    custody: `0x${hashOf(custody)}`,
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

/** Why a proof is none. */
export type ReserveRefusal =
  | 'FORM' // not written as it has to be, or not what its own lines add up to
  | 'PLACE' // of another chain, token, Bitcoin or log
  | 'LINE' // of a log that went on otherwise, or is cut off
  | 'CUSTODY' // with an address that was none of ours, or not yet
  | 'SIGNATURE'; // not signed by who mints

type Known = Pick<Authority, 'genesis' | 'genesisHash' | 'hashes' | 'head' | 'minters' | 'custody'>;

/**
 * Checks a proof against a log: all but its addresses against any that has its line, those too where the log ends with it. Null: it
 * is what the minter signed.
 */
export async function reserveRefusal(proof: unknown, authority: Known): Promise<ReserveRefusal | null> {
  const { success, data } = signedReserve.safeParse(proof);
  if (!success || !addsUp(data.report)) return 'FORM';
  const { report, signer, signature } = data;
  const { genesis, genesisHash, hashes, head } = authority;
  const { network, chainId, token } = genesis;
  const isPlace = report.network === network && report.chainId === chainId && isAddressEqual(report.token as Hex, token as Hex);
  if (!isPlace || report.authority.genesis !== genesisHash) return 'PLACE';
  if (hashes.at(report.authority.number) !== report.authority.hash) return 'LINE';
  const at = Date.parse(report.at);
  if (head.number === report.authority.number && report.custody.some(({ address }) => !(fromOf(authority, address) <= at)))
    return 'CUSTODY';
  const minter = authority.minters.findLast(({ saidFrom }) => saidFrom <= at)?.address;
  try {
    const found = await recoverTypedDataAddress({ ...reserveTypedData(report), signature } as never);
    return [signer, minter].every((one) => one !== undefined && isAddressEqual(found, one as Address)) ? null : 'SIGNATURE';
  } catch {
    return 'SIGNATURE';
  }
}

const fromOf = ({ custody }: Known, address: string): number => custody.get(address) ?? Infinity;

/** Whether each address stands there once, in its one spelling and in order, and all of them make the sum. */
const addsUp = ({ custody, satoshi, at, network }: ReserveReport): boolean =>
  custody.every(({ address }) => parseBitcoinAddress(address, network) === address) &&
  custody.every(({ address }, index) => index === 0 || (custody[index - 1]?.address ?? '') < address) &&
  custody.reduce((sum, one) => sum + BigInt(one.satoshi), 0n) === BigInt(satoshi) &&
  isMoment(at);

const isMoment = (text: string): boolean => {
  const at = new Date(text);
  return at.getTime() >= 0 && at.toISOString() === text;
};

/** Reserve by supply (1e18 for 100 %; null: nothing is out), and what there is more of it, in wei. */
export function coverageOf({ satoshi, supply }: Pick<ReserveReport, 'satoshi' | 'supply'>) {
  const [there, out] = [weiOfSatoshi(BigInt(satoshi)), BigInt(supply)];
  return { coverage: out === 0n ? null : (there * wad) / out, surplus: there - out };
}

/** A proof as it is kept and published: its canonical text. */
export const reserveText = (signed: SignedReserve): string => canonical(signed);
