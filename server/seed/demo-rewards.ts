import { createHash } from 'node:crypto';
import { toChecksumAddress } from '../../api/evm.ts';
import { insertAirdrops } from '../rewards/shared/airdrop-rows.ts';
import type { Services } from '../platform/services/context.ts';
import { appendEntries, type NewPointsEntry } from '../rewards/shared/points-ledger.ts';
import { airdrops, points } from '../rewards/tables.ts';

const minuteMs = 60_000;
const addressCount = 48;
const days = 30;

/** Deterministic. */
export async function seedDemoRewards({ database, now }: Services): Promise<void> {
  const baseTime = Math.floor(now() / (60 * minuteMs)) * 60 * minuteMs;
  await database.db.transaction(async (tx) => {
    const [existingEntry] = await tx.select({ id: points.id }).from(points).limit(1);
    if (existingEntry) return;
    await appendEntries(tx, createDemoEntries(baseTime));
  });
  await database.db.transaction(async (tx) => {
    const [existingEntry] = await tx.select({ id: airdrops.id }).from(airdrops).limit(1);
    if (existingEntry) return;
    await insertAirdrops(
      tx,
      Array.from({ length: 160 }, (_, rowIndex) => {
        const level = 1 + (pseudoRandom('level', rowIndex) % 5);
        return {
          address: deriveAddress(pseudoRandom('drop', rowIndex) % (addressCount * 3)),
          berries: String(level * 500 + (pseudoRandom('extra', rowIndex) % 40) * 25),
          nftNumber: 1 + (pseudoRandom('count', rowIndex) % 3),
          nftLevel: level,
          stage: stageNames[Math.floor((rowIndex * stageNames.length) / 160)] ?? '',
          createdAt: new Date(baseTime - (160 - rowIndex) * 97 * minuteMs),
        };
      }),
    );
  });
}

const stageNames = ['第一阶段 Stage 1', '第二阶段 Stage 2', '第三阶段 Stage 3'];

const grantReasons = [
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

function createDemoEntries(baseTime: number): NewPointsEntry[] {
  const balances = new Map<string, bigint>();
  const total = 360;
  return Array.from({ length: total }, (_, rowIndex) => {
    const address = deriveAddress(pseudoRandom('who', rowIndex) % addressCount);
    const [size, reason] = grantReasons[pseudoRandom('what', rowIndex) % grantReasons.length] ?? grantReasons[0];
    const balance = balances.get(address) ?? 0n;
    const isDebit = rowIndex % 23 === 22 && balance > 20n;
    const berries = isDebit ? -(balance / 10n) : BigInt(size);
    balances.set(address, balance + berries);
    return {
      address,
      berries,
      reason: isDebit ? '活动规则复核后扣除 Deducted after review' : reason,
      source: 'adjustment' as const,
      administratorId: null,
      administratorEmail: 'admin@demo.local',
      createdAt: new Date(baseTime - Math.floor(((total - rowIndex) * days * 24 * 60) / total) * minuteMs),
    };
  });
}

const pseudoRandom = (label: string, rowIndex: number): number =>
  createHash('sha256').update(`${label} ${rowIndex}`).digest().readUInt32BE(0);
const deriveAddress = (rowIndex: number): string =>
  toChecksumAddress(`0x${createHash('sha256').update(`demo person ${rowIndex}`).digest('hex').slice(0, 40)}`);
