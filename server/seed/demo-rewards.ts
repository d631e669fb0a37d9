import { createHash } from 'node:crypto';
import { toChecksumAddress } from '../../api/evm.ts';
import { insertAirdrops } from '../rewards/shared/airdrop-rows.ts';
import type { Services } from '../platform/services/context.ts';
import { appendEntries, type NewPointsEntry } from '../rewards/shared/points-ledger.ts';
import { airdrops, points } from '../rewards/tables.ts';

const minuteMs = 60_000;
const people = 48;
const days = 30;

/** Deterministic. */
export async function seedDemoRewards({ database, now }: Services): Promise<void> {
  const newest = Math.floor(now() / (60 * minuteMs)) * 60 * minuteMs;
  await database.db.transaction(async (tx) => {
    const [some] = await tx.select({ id: points.id }).from(points).limit(1);
    if (some) return;
    await appendEntries(tx, demoEntries(newest));
  });
  await database.db.transaction(async (tx) => {
    const [some] = await tx.select({ id: airdrops.id }).from(airdrops).limit(1);
    if (some) return;
    await insertAirdrops(
      tx,
      Array.from({ length: 160 }, (_, number) => {
        const level = 1 + (dice('level', number) % 5);
        return {
          address: addressOf(dice('drop', number) % (people * 3)),
          berries: String(level * 500 + (dice('extra', number) % 40) * 25),
          nftNumber: 1 + (dice('count', number) % 3),
          nftLevel: level,
          stage: stages[Math.floor((number * stages.length) / 160)] ?? '',
          createdAt: new Date(newest - (160 - number) * 97 * minuteMs),
        };
      }),
    );
  });
}

const stages = ['第一阶段 Stage 1', '第二阶段 Stage 2', '第三阶段 Stage 3'];

const grants = [
  [10, '首次连接钱包 First connect'],
  [1, '每日签到 Daily check-in'],
  [10, '关注官方账号 Follow'],
  [240, 'BTC 存款满 24 小时 BTC deposit held 24 h'],
  [1_200, 'YU 铸造奖励 YU mint reward'],
  [860, 'LP 奖励 LP reward'],
  [36, '邀请奖励 15% Referral'],
  [10, '有效反馈奖励 Helpful feedback'],
  [12_500, '开盒奖励 Blind box prize'],
] as const;

function demoEntries(newest: number): NewPointsEntry[] {
  const balances = new Map<string, bigint>();
  const total = 360;
  return Array.from({ length: total }, (_, number) => {
    const address = addressOf(dice('who', number) % people);
    const [size, reason] = grants[dice('what', number) % grants.length] ?? grants[0];
    const balance = balances.get(address) ?? 0n;
    const takes = number % 23 === 22 && balance > 20n;
    const berries = takes ? -(balance / 10n) : BigInt(size);
    balances.set(address, balance + berries);
    return {
      address,
      berries,
      reason: takes ? '活动规则复核后扣除 Deducted after review' : reason,
      source: 'adjustment' as const,
      administratorId: null,
      administratorEmail: 'admin@demo.local',
      createdAt: new Date(newest - Math.floor(((total - number) * days * 24 * 60) / total) * minuteMs),
    };
  });
}

const dice = (what: string, number: number): number => createHash('sha256').update(`${what} ${number}`).digest().readUInt32BE(0);
const addressOf = (number: number): string =>
  toChecksumAddress(`0x${createHash('sha256').update(`demo person ${number}`).digest('hex').slice(0, 40)}`);
