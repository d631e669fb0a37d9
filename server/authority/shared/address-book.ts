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
  const authority = await readAuthority(services, queries).catch((error: unknown) => {
    if (error instanceof LogError) return null;
    throw error;
  });
  if (!authority) return [];
  const book = bookOf(authority, services.now());
  return [...new Set(addresses)].flatMap((address) => {
    const name = book.get(isEvm(address) ? address.toLowerCase() : address);
    return name === undefined ? [] : [{ address, name }];
  });
}

const isEvm = (address: string) => /^0x/i.test(address);

function bookOf({ custody, notes, receivers }: Authority, now: number): Map<string, string> {
  const book = new Map<string, string>();
  const isOurs = (address: string) => (custody.get(address) ?? Infinity) <= now;
  for (const [address, note] of notes) if (note !== '' && isOurs(address)) book.set(address, note);
  for (const listed of receivers.values()) {
    const receiver = listed.findLast(({ from }) => from <= now)?.receiver;
    if (!receiver) continue;
    book.set(receiver.address.toLowerCase(), receiver.institution);
    for (const own of receiver.custody) if (isOurs(own)) book.set(own, receiver.institution);
    for (const own of receiver.payout) book.set(own, receiver.institution);
  }
  return book;
}
