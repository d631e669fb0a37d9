import type { Services } from '../platform/services/context.ts';
import { drawPicture } from '../platform/content/demo-pictures.ts';
import { newId } from '../platform/core/ids.ts';
import { buildPictureUrl, storePicture } from '../platform/content/pictures.ts';
import { news } from '../news/tables.ts';
import { pictures } from '../platform/content/tables.ts';

const pictureCount = 6;
const hourMs = 3_600_000;

export async function seedDemoNews(services: Services): Promise<void> {
  const { config, database, now } = services;
  const [existingNews] = await database.db.select({ id: news.id }).from(news).limit(1);
  if (existingNews) return;
  const images = await addPictures(services);
  // Whole hours, so that first starts of a day are equal.
  const baseTime = Math.floor(now() / hourMs) * hourMs;
  const rows = stories.flatMap(([zh, en], index) =>
    [zh, en].map(([title, description], language) => {
      const time = baseTime - (index * 31 + language * 2 + 3) * hourMs;
      return {
        id: newId(time),
        title,
        description,
        image: buildPictureUrl(config.publicUrl, images[(index + language) % images.length] ?? ''),
        time: new Date(time),
        link: `https://www.example.com/${language === 0 ? 'zh' : 'en'}/news/${stories.length - index}`,
        shown: (index + language) % 4 !== 3,
        createdAt: new Date(time + hourMs / 2),
        updatedAt: new Date(time + hourMs / 2),
      };
    }),
  );
  await database.db.insert(news).values(rows).onConflictDoNothing();
}

async function addPictures({ database, pictures: store, now }: Services): Promise<string[]> {
  const ids: string[] = [];
  for (let pictureIndex = 0; pictureIndex < pictureCount; pictureIndex++) {
    const { id, sha256, width, height, bytes } = await storePicture(
      { db: database.db, pictures: store, now },
      await drawPicture(pictureIndex),
    );
    const row = { id, sha256, mime: 'image/webp', width, height, bytes, createdAt: new Date(now()), sentAt: new Date(now()) };
    await database.db.insert(pictures).values(row).onConflictDoNothing();
    ids.push(id);
  }
  return ids;
}

type DemoStory = readonly [zh: readonly [string, string], en: readonly [string, string]];

const stories: readonly DemoStory[] = [
  [
    ['YBTC 主网铸造额突破 2,000 枚', '自上线以来，机构自托管存款铸造的 YBTC 累计超过 2,000 枚，全部存款均可在比特币链上查验。'],
    [
      'YBTC minted on mainnet passes 2,000',
      'Institutional self-custody deposits have minted more than 2,000 YBTC since launch. Every deposit can be verified on Bitcoin.',
    ],
  ],
  [
    ['稳定池第三季度收益分配完成', '稳定池存款人可在仓位页面领取第三季度收益，领取不设截止时间。'],
    [
      'Stability pool yield for the third quarter is distributed',
      'Depositors can claim their third-quarter yield from the position page. There is no deadline.',
    ],
  ],
  [
    ['CRSM 自动再平衡功能上线', '持仓人可设置触发抵押率与目标抵押率，仓位偏离时由合约自动调整。'],
    [
      'CRSM automatic rebalancing goes live',
      'Position holders can set a trigger and a target collateral ratio; the contract adjusts the position when it drifts.',
    ],
  ],
  [
    ['清算机制参数调整公告', '自下周一 08:00 UTC 起，最低抵押率由 115% 调整为 112%，请留意仓位风险。'],
    [
      'Change to liquidation parameters',
      'From Monday 08:00 UTC the minimum collateral ratio moves from 115 % to 112 %. Please review your positions.',
    ],
  ],
  [
    ['第二次合约安全审计报告发布', '审计覆盖借贷、稳定池与托管桥合约，未发现高危问题，四项建议均已修复。'],
    [
      'Second smart contract audit published',
      'The audit covers lending, stability pool and custody bridge. No high-severity findings; four suggestions are resolved.',
    ],
  ],
  [
    ['YU 在三条新网络上可用', '用户现可通过官方跨链桥将 YU 转移至三条新支持的网络。'],
    [
      'YU available on three more networks',
      'Holders can now move YU to three newly supported networks through the official bridge.',
    ],
  ],
  [
    ['机构托管合作伙伴新增两家', '两家持牌托管机构完成接入，机构客户可选择任一机构保管比特币抵押品。'],
    [
      'Two more institutional custody partners',
      'Two licensed custodians are connected. Institutions may choose either one to hold their bitcoin collateral.',
    ],
  ],
  [
    ['计划内维护：10 月 12 日', '10 月 12 日 02:00 至 03:00 UTC 期间，铸造与赎回将暂停，现有仓位不受影响。'],
    [
      'Scheduled maintenance on 12 October',
      'Minting and redemption pause between 02:00 and 03:00 UTC on 12 October. Existing positions are not affected.',
    ],
  ],
  [
    ['队长赛季第四轮开始', '邀请好友组队铸造 YU，团队总量越高，浆果奖励越多。'],
    [
      'Captain season, round four begins',
      'Form a team and mint YU together. The larger the team total, the more berries everyone receives.',
    ],
  ],
  [
    ['NFT 空投第二阶段快照完成', '第二阶段快照已于区块高度 862,000 完成，结果将在 48 小时内公布。'],
    [
      'NFT airdrop stage two: snapshot taken',
      'The stage two snapshot was taken at block 862,000. Results follow within 48 hours.',
    ],
  ],
  [
    ['储备证明页面改版', '储备证明页面现按机构展示比特币地址与余额，每十分钟更新一次。'],
    [
      'Proof of reserves page redesigned',
      'The page now lists bitcoin addresses and balances by institution and refreshes every ten minutes.',
    ],
  ],
  [
    ['社区治理提案 014 通过', '提案 014 获得 91.3% 支持，借款费用下限将在 7 天后下调至 0.25%。'],
    [
      'Governance proposal 014 passes',
      'Proposal 014 passed with 91.3 % in favour. The borrowing fee floor drops to 0.25 % in seven days.',
    ],
  ],
  [
    ['谨防仿冒网站与私信', '工作人员绝不会私信索要助记词或验证码，请只通过官网入口访问。'],
    [
      'Beware of fake sites and direct messages',
      'Staff will never ask for a seed phrase or a code by message. Use the address on the official website only.',
    ],
  ],
  [
    ['提现冷却时间说明', '为保障资金安全，机构提现申请需经过 72 小时冷却期后方可确认退款。'],
    [
      'How the withdrawal cooling time works',
      'To protect funds, an institutional withdrawal can be confirmed only after a cooling time of 72 hours.',
    ],
  ],
  [
    ['开发者文档中文版上线', '合约接口、子图查询与示例代码现已提供完整中文文档。'],
    [
      'Developer documentation now in Chinese',
      'Contract interfaces, subgraph queries and sample code are fully documented in Chinese.',
    ],
  ],
  [
    ['抵押品集中度报告：九月', '九月前十大仓位占总抵押品的 38%，较八月下降 4 个百分点。'],
    [
      'Collateral concentration in September',
      'The ten largest positions held 38 % of all collateral, four percentage points less than in August.',
    ],
  ],
  [
    ['预言机新增备用数据源', '价格预言机加入第三个独立数据源，单一来源异常时自动切换。'],
    [
      'Price oracle gains a fallback source',
      'A third independent source joins the oracle, which switches over when one source misbehaves.',
    ],
  ],
  [
    ['Taproot 地址成为登录要求', '连接钱包时请切换至 Taproot 地址（以 bc1p 开头），其他地址类型将无法登录。'],
    [
      'Taproot addresses are required to sign in',
      'Switch your wallet to a taproot address (starting with bc1p). Other address types can no longer sign in.',
    ],
  ],
  [
    ['漏洞赏金计划最高奖励提升', '严重级别漏洞的最高奖励提升至 2.5 BTC，欢迎安全研究者参与。'],
    ['Bug bounty raises its top reward', 'Critical findings now earn up to 2.5 BTC. Security researchers are welcome.'],
  ],
  [
    ['年度透明度报告发布', '报告涵盖储备、清算、协议收入与团队支出，附全部原始数据下载。'],
    [
      'Annual transparency report',
      'The report covers reserves, liquidations, protocol revenue and team spending, with all raw data to download.',
    ],
  ],
];
