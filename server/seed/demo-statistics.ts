import { createHash } from 'node:crypto';
import { weiPerToken, satoshiToWei } from '../../api/money.ts';
import { createDevDeposits } from '../dev/shared/demo-bitcoin.ts';
import type { Services } from '../platform/services/context.ts';
import { newId } from '../platform/core/ids.ts';
import { demoAddress, generateVisits } from '../statistics/generate.ts';
import { insertConnections, type NewConnection } from '../statistics/ingest.ts';
import { draws, overviewDays, teams, visits, walletConnections } from '../statistics/tables.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const days = 400;
const addressCount = 480;

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
    const endTime = new Date(Math.floor(now() / hourMs) * hourMs);
    await generateVisits(database.statistics, { count: 24_000, from: new Date(today - days * dayMs), to: endTime, name: 'demo' });
  }
  if (await isEmpty(walletConnections)) await insertConnections(db, createConnections(today));
  if (await isEmpty(teams))
    await db.insert(teams).values(
      Array.from({ length: 64 }, (_, rowIndex) => ({
        id: newId(today),
        captain: demoAddress(rowIndex * 7),
        yuMinted: BigInt(1 + (pseudoRandom('minted', rowIndex) % 900_000)) * weiPerToken,
        size: 1 + (pseudoRandom('size', rowIndex) % 40),
        current: true,
        updatedAt: new Date(today - (pseudoRandom('told', rowIndex) % 40) * dayMs),
      })),
    );
  if (await isEmpty(draws))
    await db
      .insert(draws)
      .values(
        Array.from({ length: 360 }, (_, rowIndex) => {
          // More draws as the season goes, in the evening.
          const day = Math.floor(300 * (pseudoRandom('day', rowIndex) / 2 ** 32) ** 0.7);
          const time = today - (300 - day) * dayMs + (10 * 60 + (pseudoRandom('evening', rowIndex) % 300)) * 60_000;
          const total = (1 + (pseudoRandom('prize', rowIndex) % 200)) * 100;
          return {
            id: newId(time),
            time: new Date(time),
            captain: demoAddress((pseudoRandom('captain', rowIndex) % 64) * 7),
            members: pseudoRandom('members', rowIndex) % 39,
            captainBerries: BigInt(Math.floor(total * 0.15)),
            totalBerries: BigInt(total),
          };
        }),
      )
      .onConflictDoNothing();
  // A year that ends with the demo ledger's figures.
  if (await isEmpty(overviewDays))
    await db.insert(overviewDays).values(createOverviewDays(services, today)).onConflictDoNothing();
}

const wallets = ['OKX', 'OKX', 'UniSat', 'MetaMask', 'MetaMask', 'Xverse', 'Rabby'];
const countries = ['US', 'SG', 'DE', 'JP', 'KR', 'GB', 'HK', null];
const chains = [200901, 200901, 1, 4200];

function createConnections(today: number): NewConnection[] {
  return Array.from({ length: 2_400 }, (_, rowIndex): NewConnection => {
    const addressIndex = Math.floor(addressCount * (pseudoRandom('person', rowIndex) / 2 ** 32) ** 2);
    const ageMinutes = Math.floor(days * 24 * 60 * (1 - Math.sqrt((rowIndex + 1) / 2_401)));
    return {
      id: newId(),
      at: new Date(today - ageMinutes * 60_000 - (pseudoRandom('minute', rowIndex) % 600) * 60_000),
      address: demoAddress(addressIndex),
      wallet: wallets[addressIndex % wallets.length] ?? 'OKX',
      chainId: chains[addressIndex % chains.length] ?? 1,
      country: countries[addressIndex % countries.length] ?? null,
    };
  });
}

/** BTC in waves, users seasonal and lower on weekends, vaults following the price; two fifths in vaults at 240 % at the end. */
function createOverviewDays({ config }: Services, today: number): (typeof overviewDays.$inferInsert)[] {
  const mintedSatoshi = createDevDeposits(config.bitcoinNetwork).reduce(
    (sum, { confirmed, amount }) => sum + (confirmed ? amount : 0n),
    0n,
  );
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(today - (days - index) * dayMs);
    const isWeekend = day.getUTCDay() % 6 === 0;
    const growthFraction = (index + 1) / days;
    /** Around 1, flat by today, in ten thousandths. */
    const waveFactor = (label: string, waveCount: number, height: number) => {
      const noiseValue = (pseudoRandom(label, index) % 100) / 100 - 0.5;
      return (
        (1 +
          (1 - growthFraction) *
            height *
            (Math.sin(2 * Math.PI * (waveCount * growthFraction + (pseudoRandom(label, -1) % 100) / 100)) + noiseValue / 3)) *
        10_000
      );
    };
    const fractionOf = (totalAmount: bigint, tenThousandths: number) =>
      (totalAmount * BigInt(Math.round(tenThousandths))) / 10_000n;
    const bridgeBtc = fractionOf(mintedSatoshi, growthFraction ** 1.6 * waveFactor('bridge', 3, 0.18));
    const vaultBtc = fractionOf((satoshiToWei(bridgeBtc) * 2n) / 5n, waveFactor('vault', 2, 0.3));
    return {
      day: day.toISOString().slice(0, 10),
      bridgeBtc,
      vaultBtc,
      mintYu: fractionOf((vaultBtc * 100_000n * 10n) / 24n, waveFactor('debt', 5, 0.35)),
      userCount: fractionOf(BigInt(addressCount), growthFraction ** 1.1 * waveFactor('users', 1, 0.12) * (isWeekend ? 0.985 : 1)),
      at: new Date(today - (days - index - 1) * dayMs + 20_000),
    };
  });
}

const pseudoRandom = (label: string, rowIndex: number): number =>
  createHash('sha256').update(`${label} ${rowIndex}`).digest().readUInt32BE(0);
