import type { Receiver } from '../../../api/authority/statements.ts';
import type { Services } from '../../platform/services/context.ts';
import type { Queries } from '../../platform/db/db.ts';
import type { Authority } from '../authority.ts';
import { LogError } from '../replay.ts';
import { readAuthority } from '../store.ts';

/**
 * Institution of a receiver, payout or own custody address, otherwise the note of a custody address. Only entries in force have
 * names.
 */
export async function findNames(
  services: Services,
  queries: Queries,
  addresses: readonly string[],
): Promise<{ address: string; name: string }[]> {
  const authority = await readBook(services, queries);
  if (!authority) return [];
  const namesByAddress = buildAddressNames(authority, services.now());
  return [...new Set(addresses)].flatMap((address) => {
    const name = namesByAddress.get(isEvm(address) ? address.toLowerCase() : address);
    return name === undefined ? [] : [{ address, name }];
  });
}

/** Institutions that may receive the YBTC for bitcoin at each custody address, by the same rule as checkMint(). */
export async function readReceiversByCustody(
  services: Services,
  queries: Queries,
  custody: readonly string[],
): Promise<ReadonlyMap<string, readonly { address: string; institution: string }[]>> {
  const authority = await readBook(services, queries);
  const activeReceiverList = authority ? activeReceivers(authority, services.now()) : [];
  return new Map(
    custody.map((address) => {
      const isAssigned = authority?.owners.has(address) ?? false;
      const matchingReceivers = activeReceiverList.filter((receiver) => !isAssigned || receiver.custody.includes(address));
      return [address, matchingReceivers.map(({ address: account, institution }) => ({ address: account, institution }))];
    }),
  );
}

export async function findReceiversByName(services: Services, queries: Queries, searchText: string): Promise<string[]> {
  const authority = await readBook(services, queries);
  const searchPart = searchText.trim().toLowerCase();
  if (!authority || searchPart === '') return [];
  return activeReceivers(authority, services.now()).flatMap(({ address, institution }) =>
    institution.toLowerCase().includes(searchPart) ? [address] : [],
  );
}

const activeReceivers = ({ receivers }: Pick<Authority, 'receivers'>, now: number): Receiver[] =>
  [...receivers.values()].flatMap((receiverEntries) => receiverEntries.findLast(({ from }) => from <= now)?.receiver ?? []);

/** Null: no valid log. */
const readBook = (services: Services, queries: Queries): Promise<Authority | null> =>
  readAuthority(services, queries).catch((error: unknown) => {
    if (error instanceof LogError) return null;
    throw error;
  });

const isEvm = (address: string) => /^0x/i.test(address);

function buildAddressNames({ custody, notes, receivers }: Authority, now: number): Map<string, string> {
  const namesByAddress = new Map<string, string>();
  const isActiveCustody = (address: string) => (custody.get(address) ?? Infinity) <= now;
  for (const [address, note] of notes) if (note !== '' && isActiveCustody(address)) namesByAddress.set(address, note);
  for (const receiver of activeReceivers({ receivers }, now)) {
    namesByAddress.set(receiver.address.toLowerCase(), receiver.institution);
    for (const receiverAddress of receiver.custody)
      if (isActiveCustody(receiverAddress)) namesByAddress.set(receiverAddress, receiver.institution);
    for (const receiverAddress of receiver.payout) namesByAddress.set(receiverAddress, receiver.institution);
  }
  return namesByAddress;
}
