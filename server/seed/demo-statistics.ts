import { createHash } from 'node:crypto';
import { weiPerToken, weiOfSatoshi } from '../../api/money.ts';
import { devDeposits } from '../dev/shared/demo-bitcoin.ts';
import type { Services } from '../platform/services/context.ts';
import { newId } from '../platform/core/ids.ts';
import { demoAddress, generateVisits } from '../statistics/generate.ts';
import { insertConnections, type NewConnection } from '../statistics/ingest.ts';
import { draws, overviewDays, teams, visits, walletConnections } from '../statistics/tables.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const days = 400;
const people = 480;

/** A year, deterministic per day. */
export async function seedDemoStatistics(services: Services): Promise<void> {
  const { database, now } = services;
  const { db } = database;
  const today = Math.floor(now() / dayMs) * dayMs;
  const isEmpty = async (
    table: typeof visits | typeof walletConnections | typeof teams | typeof draws | typeof overviewDays,
    from = db,
  ) => (await from.select().from(table).limit(1)).length === 0;
  if (await isEmpty(visits, database.statistics.db)) {
    const to = new Date(Math.floor(now() / hourMs) * hourMs);
    await generateVisits(database.statistics, { count: 24_000, from: new Date(today - days * dayMs), to, name: 'demo' });
  }
  if (await isEmpty(walletConnections)) await insertConnections(db, connections(today));
  if (await isEmpty(teams))
    await db.insert(teams).values(
      Array.from({ length: 64 }, (_, number) => ({
        id: newId(today),
        captain: demoAddress(number * 7),
        yuMinted: BigInt(1 + (dice('minted', number) % 900_000)) * weiPerToken,
        size: 1 + (dice('size', number) % 40),
        current: true,
        updatedAt: new Date(today - (dice('told', number) % 40) * dayMs),
      })),
    );
  if (await isEmpty(draws))
    await db
      .insert(draws)
      .values(
        Array.from({ length: 360 }, (_, number) => {
          // More draws as the season goes, in the evening.
          const day = Math.floor(300 * (dice('day', number) / 2 ** 32) ** 0.7);
          const time = today - (300 - day) * dayMs + (10 * 60 + (dice('evening', number) % 300)) * 60_000;
          const total = (1 + (dice('prize', number) % 200)) * 100;
          return {
            id: newId(time),
            time: new Date(time),
            captain: demoAddress((dice('captain', number) % 64) * 7),
            members: dice('members', number) % 39,
            captainBerries: BigInt(Math.floor(total * 0.15)),
            totalBerries: BigInt(total),
          };
        }),
      )
      .onConflictDoNothing();
  // A year that ends with the demo ledger's figures.
  if (await isEmpty(overviewDays)) await db.insert(overviewDays).values(overviewOf(services, today)).onConflictDoNothing();
}

const wallets = ['OKX', 'OKX', 'UniSat', 'MetaMask', 'MetaMask', 'Xverse', 'Rabby'];
const countries = ['US', 'SG', 'DE', 'JP', 'KR', 'GB', 'HK', null];
const chains = [200901, 200901, 1, 4200];

function connections(today: number): NewConnection[] {
  return Array.from({ length: 2_400 }, (_, number): NewConnection => {
    const person = Math.floor(people * (dice('person', number) / 2 ** 32) ** 2);
    const age = Math.floor(days * 24 * 60 * (1 - Math.sqrt((number + 1) / 2_401)));
    return {
      id: newId(),
      at: new Date(today - age * 60_000 - (dice('minute', number) % 600) * 60_000),
      address: demoAddress(person),
      wallet: wallets[person % wallets.length] ?? 'OKX',
      chainId: chains[person % chains.length] ?? 1,
      country: countries[person % countries.length] ?? null,
    };
  });
}

/** BTC in waves, users seasonal and lower on weekends, vaults following the price; two fifths in vaults at 240 % at the end. */
function overviewOf({ config }: Services, today: number): (typeof overviewDays.$inferInsert)[] {
  const minted = devDeposits(config.bitcoinNetwork).reduce((sum, { confirmed, amount }) => sum + (confirmed ? amount : 0n), 0n);
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(today - (days - index) * dayMs);
    const isWeekend = day.getUTCDay() % 6 === 0;
    const grown = (index + 1) / days;
    /** Around 1, flat by today, in ten thousandths. */
    const wave = (what: string, waves: number, height: number) => {
      const noise = (dice(what, index) % 100) / 100 - 0.5;
      return (
        (1 + (1 - grown) * height * (Math.sin(2 * Math.PI * (waves * grown + (dice(what, -1) % 100) / 100)) + noise / 3)) * 10_000
      );
    };
    const part = (whole: bigint, tenThousandths: number) => (whole * BigInt(Math.round(tenThousandths))) / 10_000n;
    const bridgeBtc = part(minted, grown ** 1.6 * wave('bridge', 3, 0.18));
    const vaultBtc = part((weiOfSatoshi(bridgeBtc) * 2n) / 5n, wave('vault', 2, 0.3));
    return {
      day: day.toISOString().slice(0, 10),
      bridgeBtc,
      vaultBtc,
      mintYu: part((vaultBtc * 100_000n * 10n) / 24n, wave('debt', 5, 0.35)),
      userCount: part(BigInt(people), grown ** 1.1 * wave('users', 1, 0.12) * (isWeekend ? 0.985 : 1)),
      at: new Date(today - (days - index - 1) * dayMs + 20_000),
    };
  });
}

const dice = (what: string, number: number): number => createHash('sha256').update(`${what} ${number}`).digest().readUInt32BE(0);
