import { count, desc, eq, sql } from 'drizzle-orm';
import type { KnownReceiver } from '../../api/authority/contract.ts';
import { deposits } from '../deposits/tables.ts';
import type { RequestContext } from '../platform/services/context.ts';
import type { Authority } from './authority.ts';

const maxUnlisted = 50;

/** Offers an unlisted account only custody addresses that no other institution has. */
export async function readKnownReceivers(
  { services, db }: Pick<RequestContext, 'services' | 'db'>,
  { receivers, owners, custody }: Authority,
): Promise<KnownReceiver[]> {
  const { bitcoinNetwork: network } = services.config;
  const rows = await db
    .select({
      address: deposits.userAddress,
      deposits: count(),
      custody: sql<string[]>`array_agg(distinct ${deposits.coboAddress} order by ${deposits.coboAddress})`,
    })
    .from(deposits)
    .where(eq(deposits.network, network))
    .groupBy(deposits.userAddress)
    .orderBy(desc(count()), deposits.userAddress)
    .limit(1000);
  const depositCounts = new Map(rows.map((row) => [row.address, row.deposits]));
  const listedReceivers = [...receivers].flatMap(([address, entries]) => {
    const receiver = entries.at(-1)?.receiver;
    return receiver ? [{ ...receiver, listed: true, deposits: depositCounts.get(address) ?? 0 }] : [];
  });
  const listedAddresses = new Set(listedReceivers.map(({ address }) => address.toLowerCase()));
  const unlistedReceivers = rows
    .filter(({ address }) => !listedAddresses.has(address.toLowerCase()))
    .slice(0, maxUnlisted)
    .map((row) => ({
      ...row,
      institution: '',
      payout: [],
      custody: row.custody.filter((address) => custody.has(address) && !owners.has(address)),
      listed: false,
    }));
  return [...listedReceivers, ...unlistedReceivers];
}
