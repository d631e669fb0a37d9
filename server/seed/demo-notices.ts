import type { Platform } from '../../api/notices/values.ts';
import type { Services } from '../platform/services/context.ts';
import { newId } from '../platform/core/ids.ts';
import { demoAccounts } from './roles.ts';
import { notices } from '../notices/tables.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Fills an empty development database with notices as a protocol like this one puts them up. */
export async function seedDemoNotices({ database, now }: Services): Promise<void> {
  const [existing] = await database.db.select({ id: notices.id }).from(notices).limit(1);
  if (existing) return;
  const creators = demoAccounts.filter(({ role }) => role === 'editor' || role === 'all').map(({ email }) => email);
  const baseTime = Math.floor(now() / hourMs) * hourMs;
  const rows = demoNotices.flatMap(([zh, en, platform, shown, from, until], index) =>
    [zh, en].map((content, language) => {
      const createdAt = baseTime - (index * 29 + language + 2) * hourMs;
      const dateAfterDays = (days: number | null) => (days === null ? null : new Date(baseTime + days * dayMs));
      return {
        id: newId(createdAt),
        content,
        link: `https://www.example.com/${language === 0 ? 'zh' : 'en'}/notices/${demoNotices.length - index}`,
        platform,
        shown,
        startsAt: dateAfterDays(from),
        endsAt: dateAfterDays(until),
        creatorEmail: creators[(index + language) % creators.length] ?? '',
        createdAt: new Date(createdAt),
        updatedAt: new Date(createdAt + hourMs / 2),
      };
    }),
  );
  await database.db.insert(notices).values(rows).onConflictDoNothing();
}

/** From and until in days from today. */
type DemoNotice = readonly [
  zh: string,
  en: string,
  platform: Platform,
  shown: boolean,
  from: number | null,
  until: number | null,
];

const demoNotices: readonly DemoNotice[] = [
  [
    'YBTC 铸造费率本周下调至 0.1%，活动至周日结束',
    'YBTC minting fee is down to 0.1 % this week, until Sunday',
    'all',
    true,
    -2,
    5,
  ],
  [
    '计划内维护：下周二 02:00–03:00 UTC，铸造与赎回暂停',
    'Planned maintenance next Tuesday 02:00–03:00 UTC: minting and redemption pause',
    'all',
    true,
    3,
    8,
  ],
  [
    '移动端新版上线，支持 Taproot 钱包一键连接',
    'The new mobile version is here: connect a taproot wallet in one tap',
    'mobile',
    true,
    null,
    null,
  ],
  [
    '谨防仿冒网站：请只通过官网入口访问',
    'Beware of fake sites: use the address of the official website only',
    'all',
    true,
    null,
    null,
  ],
  ['稳定池第三季度收益已可领取', 'Stability pool yield for the third quarter can be claimed', 'all', true, -20, 40],
  ['队长赛季第五轮报名开放', 'Captain season, round five: teams can sign up', 'all', true, 6, 20],
  ['NFT 空投第三阶段结果公布', 'NFT airdrop stage three: the results are out', 'all', false, null, null],
  ['桌面端支持硬件钱包签名', 'Desktop now signs with hardware wallets', 'desktop', true, -12, null],
  [
    '清算参数调整：最低抵押率由 115% 调整为 112%',
    'Liquidation parameters: the minimum collateral ratio moves from 115 % to 112 %',
    'all',
    true,
    -30,
    -16,
  ],
  ['储备证明每十分钟更新一次', 'Proof of reserves is refreshed every ten minutes', 'desktop', true, null, null],
  ['机构提现冷却期说明：72 小时', 'How the cooling time of institutional withdrawals works: 72 hours', 'all', true, null, null],
  ['比特币网络拥堵，存款确认可能延迟', 'The Bitcoin network is congested: deposits may confirm late', 'all', false, -9, -8],
  ['YU 现已支持三条新网络', 'YU is available on three more networks', 'all', true, -45, -15],
  ['漏洞赏金最高提升至 2.5 BTC', 'The bug bounty now pays up to 2.5 BTC', 'desktop', true, null, null],
  ['社区治理提案 015 投票中', 'Governance proposal 015 is being voted on', 'all', true, -1, 6],
  ['春节期间客服响应时间调整', 'Support answers more slowly over the holidays', 'all', false, 60, 70],
  ['移动端推送通知已恢复', 'Push notifications on mobile work again', 'mobile', true, -26, -24],
  ['年度透明度报告发布', 'The annual transparency report is published', 'all', true, -60, null],
  ['CRSM 自动再平衡开放给所有持仓人', 'CRSM automatic rebalancing is open to every position holder', 'all', true, null, null],
  ['旧版连接方式将于月底停用', 'The old way to connect ends with this month', 'mobile', true, -6, 9],
  ['新增备用价格预言机', 'A fallback price oracle joins', 'all', false, null, null],
  ['积分商城二期预告', 'Coming soon: the second points shop', 'all', true, 14, 30],
];
