import { getAddress } from 'viem';
import type { Genesis, Receiver } from '../../api/authority/statements.ts';
import { parseBitcoinAddress } from '../../chain/bitcoin-address.ts';

export type AddressProblem =
  | 'ADDRESS' // of another network, with a wrong checksum, or not in its one spelling
  | 'FORBIDDEN' // the zero address, token, bridge or minter
  | 'TAKEN'; // another entry holds it

export interface AddressBook {
  readonly genesis: Pick<Genesis, 'network' | 'token' | 'bridge' | 'development'>;
  readonly minters: readonly { readonly address: string }[];
  readonly custody: Pick<ReadonlyMap<string, unknown>, 'has'>;
  /** The institution that a custody address belongs to. */
  readonly owners: Pick<ReadonlyMap<string, string>, 'get'>;
  readonly receivers: readonly Receiver[];
}

const isZero = (address: string): boolean => /^0x0{40}$/.test(address);
const isEvmSpelling = (address: string): boolean => getAddress(address) === address;
const isBitcoinSpelling = (address: string, { network }: Pick<Genesis, 'network'>): boolean =>
  parseBitcoinAddress(address, network) === address;

export function contractProblem(address: string): AddressProblem | null {
  if (!isEvmSpelling(address)) return 'ADDRESS';
  return isZero(address) ? 'FORBIDDEN' : null;
}

/** A development log may use the zero address. */
export function minterProblem(address: string, { genesis, receivers }: AddressBook): AddressProblem | null {
  if (!isEvmSpelling(address)) return 'ADDRESS';
  if (isZero(address) && !genesis.development) return 'FORBIDDEN';
  if (address === genesis.token || address === genesis.bridge) return 'FORBIDDEN';
  return receivers.some((receiver) => receiver.address === address) ? 'TAKEN' : null;
}

export function custodyProblem(address: string, { genesis, custody, receivers }: AddressBook): AddressProblem | null {
  if (!isBitcoinSpelling(address, genesis)) return 'ADDRESS';
  return custody.has(address) || receivers.some(({ payout }) => payout.includes(address)) ? 'TAKEN' : null;
}

export function receiverProblem(entry: Receiver, addressBook: AddressBook): AddressProblem | null {
  const { address, institution, custody, payout } = entry;
  const { genesis, owners } = addressBook;
  const bitcoinAddresses = [...custody, ...payout];
  if (bitcoinAddresses.some((bitcoinAddress) => !isBitcoinSpelling(bitcoinAddress, genesis))) return 'ADDRESS';
  const problem = accountProblem(address, addressBook);
  if (problem) return problem;
  const otherReceivers = addressBook.receivers.filter((receiver) => receiver.institution !== institution);
  const belongsToOther = (bitcoinAddress: string) =>
    (owners.get(bitcoinAddress) ?? institution) !== institution ||
    otherReceivers.some((otherReceiver) => otherReceiver.payout.includes(bitcoinAddress));
  const isInUse =
    otherReceivers.some((otherReceiver) => otherReceiver.address === address) ||
    new Set(bitcoinAddresses).size < bitcoinAddresses.length ||
    payout.some((bitcoinAddress) => addressBook.custody.has(bitcoinAddress)) ||
    bitcoinAddresses.some(belongsToOther);
  return isInUse ? 'TAKEN' : null;
}

export const claimProblem = (
  { account, bitcoin }: { readonly account: string; readonly bitcoin: string },
  addressBook: AddressBook,
): AddressProblem | null => (isBitcoinSpelling(bitcoin, addressBook.genesis) ? accountProblem(account, addressBook) : 'ADDRESS');

function accountProblem(address: string, { genesis, minters }: AddressBook): AddressProblem | null {
  if (!isEvmSpelling(address)) return 'ADDRESS';
  const protocolAddresses = [genesis.token, genesis.bridge, ...minters.map((minter) => minter.address)];
  return isZero(address) || protocolAddresses.includes(address) ? 'FORBIDDEN' : null;
}
