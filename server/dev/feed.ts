import type { Config } from '../platform/core/config.ts';
import { drawPicture } from '../platform/content/demo-pictures.ts';
import { createAppError } from '../platform/core/errors.ts';
import { devFeedPath } from '../news/feeds.ts';
import type { RawRoute } from '../platform/http/raw-routes.ts';

/** Makes "Get News" work offline in development (`config.demo`). */
export function devFeedRoutes({ demo, publicUrl }: Config): RawRoute[] {
  if (!demo) return [];
  return [
    {
      method: 'GET',
      path: devFeedPath,
      meta: { public: true },
      handle: ({ context }) =>
        new Response(writeFeed(publicUrl, context.services.now()), {
          headers: { 'content-type': 'application/rss+xml; charset=utf-8', 'cache-control': 'no-store' },
        }),
    },
    {
      method: 'GET',
      path: '/dev/pictures/:number',
      meta: { public: true },
      handle: async ({ params }) => {
        const pictureNumber = /^(\d)\.png$/.exec(params['number'] ?? '')?.[1];
        if (pictureNumber === undefined) throw createAppError('NOT_FOUND');
        return new Response(Buffer.from(await drawPicture(Number(pictureNumber))), { headers: { 'content-type': 'image/png' } });
      },
    },
  ];
}

const dayMs = 24 * 3_600_000;

/** Relative to the start of the day, so that repeated reads are equal. */
function writeFeed(publicUrl: string, now: number): string {
  const todayStart = now - (now % dayMs);
  const items = posts.map(({ slug, title, text, picture, hoursAgo }) => {
    const enclosure =
      picture === undefined ? '' : `<enclosure url="${publicUrl}/dev/pictures/${picture}.png" type="image/png" length="0"/>`;
    return (
      `<item><title>${escapeXml(title)}</title><link>https://blog.example.com/posts/${slug}</link>` +
      `<guid isPermaLink="false">${slug}</guid><pubDate>${new Date(todayStart - hoursAgo * 3_600_000).toUTCString()}</pubDate>` +
      `<description>${escapeXml(text)}</description>${enclosure}</item>`
    );
  });
  return (
    '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>协议博客 Protocol Blog</title>' +
    `<link>https://blog.example.com/</link><description>Development feed</description>${items.join('')}</channel></rss>`
  );
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

interface FeedPost {
  slug: string;
  title: string;
  /** HTML, as feeds have it. */
  text: string;
  picture?: number;
  hoursAgo: number;
}

const posts: readonly FeedPost[] = [
  {
    slug: 'ybtc-proof-of-reserves-q3',
    title: 'YBTC 储备证明第三季度报告发布',
    text: '<p>本季度托管地址共持有的比特币与 YBTC 发行量 <b>一比一</b> 对应。</p><p>全部地址、区块高度与签名可在报告中逐条核对。</p>',
    picture: 0,
    hoursAgo: 3,
  },
  {
    slug: 'stability-pool-yield-upgrade',
    title: 'Stability pool upgrade: yield is now claimable at any time',
    text: '<p>Depositors no longer wait for the weekly settlement. Claimable YBTC and YU are shown on the <a href="https://example.com/pool">pool page</a> &amp; in the API.</p>',
    picture: 1,
    hoursAgo: 9,
  },
  {
    slug: 'crsm-risk-parameters',
    title: 'CRSM 风险参数调整公告：触发 CR 与目标 CR 更新',
    text: '<p>根据治理投票结果，触发 CR 由 150% 调整为 145%，目标 CR 由 180% 调整为 170%。已有仓位在下一次调用 updateCR 后生效。</p>',
    picture: 2,
    hoursAgo: 26,
  },
  {
    slug: 'institutional-custody-with-cobo',
    title: '机构自托管服务上线：资产由机构与托管方共同签名',
    text: '<p>机构用户可使用多签合约存入比特币，锁定期结束后可随时发起退款。</p>',
    picture: 3,
    hoursAgo: 50,
  },
  {
    slug: 'second-audit-complete',
    title: 'Second independent audit of the CRSM contracts is complete',
    text: '<p>Two medium findings, both fixed before deployment. The full report, with our answers line by line, is public.</p>',
    hoursAgo: 71,
  },
  {
    slug: 'captain-season-two',
    title: '队长赛季第二期开启，浆果奖池翻倍',
    text: '<p>队长邀请的成员每铸造 1,000 YU，全队获得 10 颗浆果。<br>赛季为期六周，抽奖每周五 20:00 进行。</p>',
    picture: 4,
    hoursAgo: 96,
  },
  {
    slug: 'taproot-only-wallets',
    title: 'Why we ask for a taproot address',
    text: '<p>Signing in with a taproot address lets us verify BIP-322 signatures the same way for every wallet. Here is how to switch.</p>',
    hoursAgo: 121,
  },
  {
    slug: 'nft-airdrop-stage-three',
    title: 'NFT 空投第三阶段名单公示',
    text: '<p>共 3,218 个地址符合条件。请在公示期内核对地址、等级与数量，如有疑问请通过反馈页面提交。</p>',
    picture: 5,
    hoursAgo: 168,
  },
  {
    slug: 'yu-on-new-chain',
    title: 'YU is live on a second EVM chain',
    text: '<p>Bridging is open to everyone from today. Limits start low &mdash; 250,000 YU a day &mdash; and rise as monitoring shows it is safe.</p>',
    picture: 6,
    hoursAgo: 240,
  },
  {
    slug: 'maintenance-window-november',
    title: '系统维护通知：存取款将暂停两小时',
    text: '<p>维护期间页面可以浏览，铸造与退款将在维护结束后自动继续处理。</p>',
    hoursAgo: 312,
  },
  {
    slug: 'liquidation-explained',
    title: '清算机制详解：从抵押率 ICR 到清算价格',
    text: '<p>当 ICR &lt; 触发 CR 时，CRSM 会先动用稳定池中的收益。本文用三个例子说明每一步的数值变化。</p>',
    picture: 7,
    hoursAgo: 400,
  },
  {
    slug: 'community-call-notes',
    title: 'Notes from the October community call',
    text: '<p>Roadmap, questions about cooling time for refunds, and what comes next for points.</p>',
    hoursAgo: 520,
  },
];
