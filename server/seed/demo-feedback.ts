import type { Services } from '../platform/services/context.ts';
import { drawPicture } from '../platform/content/demo-pictures.ts';
import { newId } from '../platform/core/ids.ts';
import { recordPicture, storePicture, type StoredPicture } from '../platform/content/pictures.ts';
import { feedback, feedbackPictures, feedbackReplies } from '../feedback/tables.ts';

const minuteMs = 60_000;
const pictureCount = 5;

/** Fills an empty development database with what visitors of such a protocol's website write. */
export async function seedDemoFeedback(services: Services): Promise<void> {
  const { database, now, pictures: pictureStore } = services;
  const { db } = database;
  const [existingFeedback] = await db.select({ id: feedback.id }).from(feedback).limit(1);
  if (existingFeedback) return;
  const storedPictures: StoredPicture[] = [];
  for (let pictureIndex = 0; pictureIndex < pictureCount; pictureIndex++)
    storedPictures.push(await storePicture({ db, pictures: pictureStore, now }, await drawPicture(pictureIndex + 6)));
  await db.transaction(async (tx) => {
    const ids: string[] = [];
    for (const picture of storedPictures)
      ids.push((await recordPicture(tx, picture, { actorId: null, at: new Date(now()) })).picture.id);
    const baseTime = Math.floor(now() / minuteMs) * minuteMs - 7 * minuteMs;
    for (const [index, [email, content, pictures = 0, replyText]] of demoMessages.entries()) {
      const messageTime = baseTime - index * (47 + ((index * 29) % 61)) * minuteMs;
      const id = newId(messageTime);
      const processedAt = index > 26 || replyText ? new Date(messageTime + 55 * minuteMs) : null;
      await tx.insert(feedback).values({
        id,
        email,
        content,
        processed: processedAt !== null,
        processedAt,
        createdAt: new Date(messageTime),
        updatedAt: processedAt ?? new Date(messageTime),
      });
      for (let position = 0; position < pictures; position++)
        await tx
          .insert(feedbackPictures)
          .values({ feedbackId: id, position, pictureId: ids[(index + position) % ids.length] ?? '' });
      if (replyText && processedAt)
        await tx.insert(feedbackReplies).values({
          id: newId(processedAt.getTime()),
          feedbackId: id,
          content: replyText,
          administratorEmail: 'editor@demo.local',
          createdAt: processedAt,
        });
    }
  });
}

type DemoMessage = readonly [email: string, content: string, pictures?: 1 | 2 | 3, answer?: string];

const demoMessages: readonly DemoMessage[] = [
  [
    'lin.wei@example.com',
    '连接 UniSat 钱包后一直提示“未检测到账户”，换成 OKX 钱包就正常。系统是 macOS，浏览器 Chrome 最新版。',
    1,
  ],
  [
    'sarah.m@example.org',
    'The liquidation price on my position page has not changed since yesterday although I added collateral. Transaction attached.',
    2,
  ],
  ['chenxy88@example.com', '请问机构提现的冷却时间从什么时候开始算？是提交申请时还是链上确认之后？'],
  [
    'j.okafor@example.net',
    'Love the new statistics pages. Could you add an export to CSV? I keep copying numbers by hand into our treasury report.',
  ],
  ['wangfang@example.com', '手机上打开官网，右上角的“连接钱包”按钮被公告栏挡住了，点不到。', 3],
  ['miner_zhao@example.com', '我的 Taproot 地址是 bc1p 开头的，但页面提示不是 taproot 地址，截图如下。', 1],
  [
    'elena.petrova@example.org',
    'I transferred 0.25 BTC to the custody address on Tuesday. It has 14 confirmations but the deposit is not listed. Please check.',
    1,
  ],
  ['xiaoyu.li@example.com', '希望 App 能支持深色模式，晚上看盘太刺眼了。'],
  ['tom.becker@example.net', 'Typo on the English FAQ: "stabilty pool" should be "stability pool". Third question from the top.'],
  [
    'zhouming@example.com',
    '队长赛季的浆果奖励没有到账。我的团队本轮铸造了 12,400 YU，排名第 37，截止时间是 10 月 8 日 23:59。麻烦核实一下，谢谢！',
    2,
  ],
  [
    'anna.k@example.org',
    'The captcha-free form is great. What I miss is a confirmation mail after I send a message like this one.',
  ],
  ['huanghe@example.com', '开盒记录里同一条出现了两次，时间也一样，奖励却只发了一次。', 1],
  [
    'dev.rajesh@example.net',
    'Your public news endpoint returns times in UTC without saying so in the docs. Took me an hour to find out why our ticker was off.',
  ],
  ['liu.jing@example.com', '提现申请填错了接收地址，能不能帮忙取消？申请编号 W-20931，还没有到冷却期。'],
  [
    'm.rossi@example.org',
    'Claiming yield fails in Safari 17 with "An error occurred, please try again!". Works in Firefox. Console output in the screenshot.',
    2,
  ],
  ['guest2041@example.com', '官网首页加载很慢，尤其是预览图，建议压缩一下。'],
  ['sun.tao@example.com', '稳定池收益领取后，页面显示的 APR 变成 0%，刷新也没用。', 1],
  [
    'kate.h@example.net',
    'Is there a way to change the trigger CR of my CRSM position without closing it? I could not find it on the account position list.',
  ],
  ['yang.guo@example.com', '英文版的“Position statistics”页面，表头和数据列没有对齐，用的是 1366×768 的笔记本。', 1],
  [
    'priya.n@example.org',
    'Somebody on Telegram claims to be your support and asks for my seed phrase. Profile picture attached, please warn people.',
    3,
  ],
  ['ma.dong@example.com', 'NFT 空投第二阶段我的地址在名单里，但是等级显示为 0，应该是 3 级才对。', 1],
  ['oliver.w@example.net', 'Suggestion: show the oracle price next to the ICR so that I can follow the calculation.'],
  [
    'hezhi@example.com',
    '铸造 YU 时 gas 估算失败，钱包里有足够的 ETH。\n\n步骤：\n1. 打开铸造页面\n2. 输入 500 YU\n3. 点击确认\n\n提示：execution reverted。',
    2,
  ],
  ['nils@example.org', 'Thank you for the transparency report! Best one I have read from any lending protocol this year.'],
  ['feng.q@example.com', '繁体中文什么时候支持？我们在香港的团队很需要。'],
  ['carlos.d@example.net', 'The notice about maintenance on the 12th is still shown, it is the 15th today.'],
  ['tang.mei@example.com', '公告里的“了解更多”链接打不开，显示 404。', 1],
  [
    'grace.liu@example.org',
    'Which custodian holds the collateral of institution clients in Singapore? We need it in writing for our auditors.',
    1,
    'Thank you for asking. Our compliance team has sent you the custody statement today. It names both custodians and the share each one holds.',
  ],
  [
    'du.peng@example.com',
    '密码重置邮件收不到，垃圾箱也看过了。',
    1,
    '您好，我们已确认邮件服务商拦截了该邮件，现已重新发送，请查收。',
  ],
  ['b.nowak@example.net', 'Position ID 1204 shows a collateral ratio of 99999%. I assume that is a display bug.', 1],
  ['song.jia@example.com', '积分页面能否显示每一笔浆果的来源？现在只有总数。'],
  [
    'hello@example.org',
    'We are a research group and would like historical data of redemptions since launch. Who should we contact?',
  ],
  ['xu.lan@example.com', '多签合约地址复制后多了一个空格，粘贴到区块浏览器查不到。'],
  ['ivan.t@example.net', 'Wallet connection drops every few minutes with Xverse on mobile and I have to start over.', 2],
  ['qin.hao@example.com', '建议在清算前给仓位持有人发邮件提醒，哪怕提前半小时也好。'],
  [
    'rosa.v@example.org',
    'The Chinese and English versions of last week’s parameter change name different dates. Which one counts?',
    1,
    'The English date was wrong and has been corrected. The change takes effect on Monday at 08:00 UTC.',
  ],
  ['luo.ting@example.com', '官网的新闻时间显示的是 UTC，希望能按本地时间显示。'],
  [
    'peter.s@example.net',
    'Could not send this form with a 9 MB screenshot; the message was clear though. Here is a smaller one.',
    1,
  ],
  ['gao.yuan@example.com', '希望开放 API，让我们可以自动查询自己仓位的抵押率。'],
  ['fatima.z@example.org', 'Arabic would be very welcome. Happy to help with the translation.'],
  ['shen.bo@example.com', '我在两个设备上登录，数据面板上的可领取 YBTC 数值不一样。', 2],
  [
    'will.g@example.net',
    'Great product, but the word "berries" confused me at first. A short explanation on the points page would help.',
  ],
];
