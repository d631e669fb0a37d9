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
export async function namesOf(
  services: Services,
  queries: Queries,
  addresses: readonly string[],
): Promise<{ address: string; name: string }[]> {
  const authority = await readBook(services, queries);
  if (!authority) return [];
  const book = bookOf(authority, services.now());
  return [...new Set(addresses)].flatMap((address) => {
    const name = book.get(isEvm(address) ? address.toLowerCase() : address);
    return name === undefined ? [] : [{ address, name }];
  });
}

/** Institutions that may receive the YBTC for bitcoin at each custody address, by the same rule as checkMint(). */
export async function receiversFor(
  services: Services,
  queries: Queries,
  custody: readonly string[],
): Promise<ReadonlyMap<string, readonly { address: string; institution: string }[]>> {
  const authority = await readBook(services, queries);
  const listed = authority ? activeReceivers(authority, services.now()) : [];
  return new Map(
    custody.map((address) => {
      const isOwned = authority?.owners.has(address) ?? false;
      const matching = listed.filter((receiver) => !isOwned || receiver.custody.includes(address));
      return [address, matching.map(({ address: account, institution }) => ({ address: account, institution }))];
    }),
  );
}

export async function findReceiversByName(services: Services, queries: Queries, typed: string): Promise<string[]> {
  const authority = await readBook(services, queries);
  const part = typed.trim().toLowerCase();
  if (!authority || part === '') return [];
  return activeReceivers(authority, services.now()).flatMap(({ address, institution }) =>
    institution.toLowerCase().includes(part) ? [address] : [],
  );
}

const activeReceivers = ({ receivers }: Pick<Authority, 'receivers'>, now: number): Receiver[] =>
  [...receivers.values()].flatMap((listed) => listed.findLast(({ from }) => from <= now)?.receiver ?? []);

/** Null: no valid log. */
const readBook = (services: Services, queries: Queries): Promise<Authority | null> =>
  readAuthority(services, queries).catch((error: unknown) => {
    if (error instanceof LogError) return null;
    throw error;
  });

const isEvm = (address: string) => /^0x/i.test(address);

function bookOf({ custody, notes, receivers }: Authority, now: number): Map<string, string> {
  const book = new Map<string, string>();
  const isOurs = (address: string) => (custody.get(address) ?? Infinity) <= now;
  for (const [address, note] of notes) if (note !== '' && isOurs(address)) book.set(address, note);
  for (const receiver of activeReceivers({ receivers }, now)) {
    book.set(receiver.address.toLowerCase(), receiver.institution);
    for (const own of receiver.custody) if (isOurs(own)) book.set(own, receiver.institution);
    for (const own of receiver.payout) book.set(own, receiver.institution);
  }
  return book;
}
