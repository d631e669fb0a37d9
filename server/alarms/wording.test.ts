import { expect, test } from 'vitest';
import type { AlarmWebhook } from '../platform/core/config.ts';
import { alarmKinds, type AlarmKind } from './alarm-texts.ts';
import type { AlarmFacts } from './facts.ts';
import { formatMail, formatWebhook } from './message.ts';
import { createWording } from './wording.ts';

const id = '0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000';
const raisedAt = '2026-11-27T02:10:00.000Z';
const address = '0x00000000000000000000000000000000000000AA';
const hash = `0x${'ab'.repeat(32)}`;
const readerContext = { publicUrl: 'https://panel.example.com', names: new Map([[address, '机构甲 Alpha']]) };

type Sample = { [K in AlarmKind]: { kind: K; facts: AlarmFacts[K]; zh: string; en: string; path: string } }[AlarmKind];

const samples: Sample[] = [
  {
    kind: 'freezeOpened',
    facts: {
      cause: 'difference',
      at: raisedAt,
      by: null,
      reason: null,
      supplyOff: '500000000000000000',
      ledgerOff: '-12345000000000000000000',
    },
    zh: '北京时间 2026-11-27 10:10 对账发现差异：链上比账本多 0.5 YBTC，账本铸造比存入少 12,345 YBTC。存款确认、铸造和退款已停止。',
    en: 'Reconciliation found a difference on Nov 27, 2026, 02:10 UTC: the chain has 0.5 YBTC more than the ledger and the ledger minted 12,345 YBTC less than was deposited. Deposits, mints and refunds are paused.',
    path: '/selfCustody/dataPanel',
  },
  {
    kind: 'freezeOpened',
    facts: { cause: 'refund', at: raisedAt, by: null, reason: null, supplyOff: '0', ledgerOff: '0' },
    zh: '北京时间 2026-11-27 10:10 链上出现未登记的退款。存款确认、铸造和退款已停止。',
    en: 'An unexpected refund appeared on chain on Nov 27, 2026, 02:10 UTC. Deposits, mints and refunds are paused.',
    path: '/selfCustody/dataPanel',
  },
  {
    kind: 'freezeOpened',
    facts: { cause: 'manual', at: raisedAt, by: 'wang@example.com', reason: '私钥疑似泄露', supplyOff: '0', ledgerOff: '0' },
    zh: 'wang@example.com 暂停了资金操作（北京时间 2026-11-27 10:10），原因：私钥疑似泄露',
    en: 'wang@example.com froze money on Nov 27, 2026, 02:10 UTC. Reason: 私钥疑似泄露',
    path: '/selfCustody/dataPanel',
  },
  {
    kind: 'freezeLifted',
    facts: { at: raisedAt, by: null, reason: null },
    zh: '已删除的账户恢复了资金操作（北京时间 2026-11-27 10:10），原因：未填写',
    en: 'A deleted account lifted the freeze on Nov 27, 2026, 02:10 UTC. Reason: none given',
    path: '/selfCustody/dataPanel',
  },
  {
    kind: 'reserveShort',
    facts: {
      satoshi: '123456789012',
      bitcoinHeight: 900_000,
      supply: '1300000000000000000000',
      block: 21_000_000,
      shortfall: '65432109880000000000',
    },
    zh: '托管比特币 1,234.56789012 BTC（比特币区块高度 900000），YBTC 供应量 1,300 YBTC（区块高度 21000000），缺口 65.43210988 BTC。',
    en: 'Custody holds 1,234.56789012 BTC (Bitcoin block 900000) for 1,300 YBTC (block 21000000). The shortfall is 65.43210988 BTC.',
    path: '/selfCustody/dataPanel',
  },
  {
    kind: 'reserveUnproven',
    facts: { state: 'old', at: raisedAt, problem: 'SOURCE' },
    zh: '最近一次储备金证明：北京时间 2026-11-27 10:10。比特币数据源无响应。',
    en: 'The latest proof of reserve is from Nov 27, 2026, 02:10 UTC. A Bitcoin source isn’t responding.',
    path: '/selfCustody/dataPanel',
  },
  {
    kind: 'reserveUnproven',
    facts: { state: 'none', at: null, problem: null },
    zh: '尚无储备金证明。签名服务没有报告原因。',
    en: 'No proof of reserve yet. The signer reported no reason.',
    path: '/selfCustody/dataPanel',
  },
  {
    kind: 'reserveUnproven',
    facts: { state: 'invalid', at: raisedAt, problem: null },
    zh: '数据库中的储备金证明没有授权日志指定的铸造账户的签名。',
    en: 'The stored proof of reserve isn’t signed by the minter in the authority log.',
    path: '/selfCustody/dataPanel',
  },
  {
    kind: 'watchSilent',
    facts: { watch: 'bridge', since: raisedAt, state: 'unreachable' },
    zh: '托管桥退款监控：北京时间 2026-11-27 10:10 起没有结果，区块链节点无响应。',
    en: 'Bridge refund monitor: no result since Nov 27, 2026, 02:10 UTC. The chain node isn’t responding.',
    path: '/selfCustody/dataPanel',
  },
  {
    kind: 'watchSilent',
    facts: { watch: 'crsm', since: raisedAt, state: null },
    zh: 'CRSM 监控：北京时间 2026-11-27 10:10 起没有结果，检查一直未结束。',
    en: 'CRSM monitor: no result since Nov 27, 2026, 02:10 UTC. The check isn’t finishing.',
    path: '/CRSMTrove/CRSMList',
  },
  {
    kind: 'refundUnmatched',
    facts: {
      chainId: 1,
      nonce: 4,
      amount: '2500000000000000000',
      from: address,
      receiver: 'bc1qreceiver0000',
      receiverLength: 16,
      deposit: hash,
    },
    zh: `链 1 上的退款 nonce 4：机构甲 Alpha（0x0000…00AA）的 2.5 YBTC，收款比特币地址 bc1qreceiver0000，存款哈希 ${hash}`,
    en: `Refund nonce 4 on chain 1: 2.5 YBTC from 机构甲 Alpha (0x0000…00AA) to Bitcoin address bc1qreceiver0000, deposit hash ${hash}`,
    path: '/selfCustody/dataPanel',
  },
  {
    kind: 'refundUnmatched',
    facts: { chainId: 1, nonce: 4, amount: '5', from: hash, receiver: null, receiverLength: 44, deposit: hash },
    zh: `链 1 上的退款 nonce 4：${hash} 的不到 0.00000001 YBTC，收款方不是比特币地址（44 个字符），存款哈希 ${hash}`,
    en: `Refund nonce 4 on chain 1: less than 0.00000001 YBTC from ${hash}. The receiver isn’t a Bitcoin address (length 44). Deposit hash ${hash}`,
    path: '/selfCustody/dataPanel',
  },
  {
    kind: 'mintFailed',
    facts: { deposit: id, recipient: address, amount: '12000000010000000000', problem: 'REVERTED' },
    zh: '机构甲 Alpha（0x0000…00AA）的 12.00000001 YBTC 铸造失败：交易在链上执行失败。',
    en: 'Minting 12.00000001 YBTC for 机构甲 Alpha (0x0000…00AA) failed: the transaction failed on chain.',
    path: `/selfCustody/deposit?open=${id}`,
  },
  {
    kind: 'mintStuck',
    facts: { deposit: id, recipient: address, amount: '12000000010000000000', problem: 'FEES', state: 'queued', since: raisedAt },
    zh: '机构甲 Alpha（0x0000…00AA）的 12.00000001 YBTC 未完成铸造（北京时间 2026-11-27 10:10 起），当前状态：排队等待签名，网络手续费超过上限。',
    en: 'The mint of 12.00000001 YBTC for 机构甲 Alpha (0x0000…00AA) has been waiting since Nov 27, 2026, 02:10 UTC. State: queued for signing, network fees are above the limit.',
    path: `/selfCustody/deposit?open=${id}`,
  },
  {
    kind: 'mintStuck',
    facts: { deposit: id, recipient: '0xother', amount: '1', problem: null, state: 'sent', since: raisedAt },
    zh: '0xother 的不到 0.00000001 YBTC 未完成铸造（北京时间 2026-11-27 10:10 起），当前状态：已发送，等待上链。',
    en: 'The mint of less than 0.00000001 YBTC for 0xother has been waiting since Nov 27, 2026, 02:10 UTC. State: sent, not mined yet.',
    path: `/selfCustody/deposit?open=${id}`,
  },
  {
    kind: 'depositBlocked',
    facts: {
      deposit: 'd-1',
      recipient: address,
      satoshi: '50000000',
      output: `${'b'.repeat(64)}:1`,
      reason: 'Rejected: RejectedByCoboKYT',
      at: '2026-11-27T04:15:00.000Z',
      stage: 'held',
    },
    path: '/selfCustody/deposit?open=d-1',
    zh: `机构甲 Alpha（0x0000…00AA）的存款 0.5 BTC（${'b'.repeat(64)}:1）已拦截（北京时间 2026-11-27 12:15），托管方给出的原因：Rejected: RejectedByCoboKYT。铸造交易已签名但未发送，解除拦截前不会发送。`,
    en: `Deposit of 0.5 BTC for 机构甲 Alpha (0x0000…00AA) (${'b'.repeat(64)}:1) was blocked on Nov 27, 2026, 04:15 UTC. Reason from the custodian: Rejected: RejectedByCoboKYT. The mint is signed but not sent, and isn’t sent while the deposit is blocked.`,
  },
  {
    kind: 'depositWaits',
    facts: { deposit: id, recipient: address, satoshi: '1200000001', by: 'operator@example.com', since: raisedAt },
    zh: '机构甲 Alpha（0x0000…00AA）的存款 12.00000001 BTC（由 operator@example.com 登记）待确认，已等待 2 小时（北京时间 2026-11-27 10:10 起）。',
    en: 'Deposit of 12.00000001 BTC for 机构甲 Alpha (0x0000…00AA), recorded by operator@example.com, has been waiting for 2 hours (since Nov 27, 2026, 02:10 UTC).',
    path: `/selfCustody/deposit?open=${id}`,
  },
  {
    kind: 'rulesChanged',
    facts: {
      audit: id,
      at: raisedAt,
      by: 'admin@example.com',
      command: { zh: '新增角色', en: 'Add role' },
      entity: 'role',
      record: id,
      name: { zh: '客服', en: '客服' },
      statement: null,
    },
    zh: 'admin@example.com 执行了“新增角色”：客服（北京时间 2026-11-27 10:10）',
    en: 'admin@example.com ran “Add role” on Nov 27, 2026, 02:10 UTC: 客服',
    path: `/audit?open=${id}`,
  },
  {
    kind: 'rulesChanged',
    facts: {
      audit: id,
      at: raisedAt,
      by: '',
      command: { zh: '提议托管地址', en: 'Propose custody address' },
      entity: 'statement',
      record: 'abc',
      name: null,
      statement: 12,
    },
    zh: '服务器执行了“提议托管地址”：授权单 #12（北京时间 2026-11-27 10:10）',
    en: 'The server ran “Propose custody address” on Nov 27, 2026, 02:10 UTC: statement #12',
    path: '/selfCustody/authority?open=abc',
  },
  {
    kind: 'rulesChanged',
    facts: {
      audit: id,
      at: raisedAt,
      by: 'admin@example.com',
      command: { zh: '恢复内置权限树', en: 'Reset to the built-in tree' },
      entity: 'permission',
      record: null,
      name: null,
      statement: null,
    },
    zh: 'admin@example.com 执行了“恢复内置权限树”（北京时间 2026-11-27 10:10）',
    en: 'admin@example.com ran “Reset to the built-in tree” on Nov 27, 2026, 02:10 UTC',
    path: `/audit?open=${id}`,
  },
  {
    kind: 'crsmTrigger',
    facts: {
      crsm: '0xcrsm',
      owner: address,
      icr: '1649999999999999999',
      trigger: '1650000000000000000',
      block: 912,
      isStale: false,
    },
    zh: '机构甲 Alpha（0x0000…00AA）的 CRSM 0xcrsm：抵押率 164.99%，触发抵押率 165.00%。',
    en: 'CRSM 0xcrsm of 机构甲 Alpha (0x0000…00AA): ICR 164.99%, trigger ratio 165.00%.',
    path: '/CRSMTrove/CRSMList?open=0xcrsm',
  },
  {
    kind: 'crsmTrigger',
    facts: {
      crsm: '0xcrsm',
      owner: address,
      icr: '1649999999999999999',
      trigger: '1650000000000000000',
      block: 912,
      isStale: true,
    },
    zh: '机构甲 Alpha（0x0000…00AA）的 CRSM 0xcrsm：抵押率 164.99%，触发抵押率 165.00%。数据来自区块高度 912，此后未能刷新。',
    en: 'CRSM 0xcrsm of 机构甲 Alpha (0x0000…00AA): ICR 164.99%, trigger ratio 165.00%. The figures are from block 912 and haven’t been refreshed since.',
    path: '/CRSMTrove/CRSMList?open=0xcrsm',
  },
  {
    kind: 'crsmStale',
    facts: { crsm: '0xcrsm', owner: address, block: 912, since: '2026-11-27T02:10:00.000Z' },
    zh: '机构甲 Alpha（0x0000…00AA）的 CRSM 0xcrsm：数据来自区块高度 912，北京时间 2026-11-27 10:10 起未能刷新。',
    en: 'CRSM 0xcrsm of 机构甲 Alpha (0x0000…00AA): the figures are from block 912 and haven’t been refreshed since Nov 27, 2026, 02:10 UTC.',
    path: '/CRSMTrove/CRSMList?open=0xcrsm',
  },
  {
    kind: 'tokenLeaked',
    facts: { account: 'account-1', name: 'ci-news', token: 'night job', lastFour: 'x4Qz', at: '2026-11-27T02:10:00.000Z' },
    zh: '服务账号 ci-news 的令牌 night job (…x4Qz) 已报告泄露并吊销（北京时间 2026-11-27 10:10）。',
    en: 'Token night job (…x4Qz) of service account ci-news was reported as leaked and revoked on Nov 27, 2026, 02:10 UTC.',
    path: '/permissions/service?open=account-1',
  },
  {
    kind: 'tokenLeaked',
    facts: { account: null, name: null, token: 'Okta', lastFour: 'x4Qz', at: '2026-11-27T02:10:00.000Z' },
    zh: '账号同步的令牌 Okta (…x4Qz) 已报告泄露并吊销（北京时间 2026-11-27 10:10）。',
    en: 'Provisioning token Okta (…x4Qz) was reported as leaked and revoked on Nov 27, 2026, 02:10 UTC.',
    path: '/permissions/identity',
  },
  {
    kind: 'tokenUsedLate',
    facts: { account: 'account-1', name: 'ci-news', token: 'night job', lastFour: 'x4Qz', at: '2026-11-27T02:10:00.000Z' },
    zh: '服务账号 ci-news 的令牌 night job (…x4Qz) 轮换失效后，仍有请求使用该令牌（北京时间 2026-11-27 10:10），请求已拒绝。',
    en: 'A request on Nov 27, 2026, 02:10 UTC used the rotated token night job (…x4Qz) of service account ci-news after it expired. The request was refused.',
    path: '/permissions/service?open=account-1',
  },
  {
    kind: 'networksIgnored',
    facts: { at: '2026-11-27T02:10:00.000Z' },
    zh: '服务器以 ROLE_NETWORKS=off 运行（北京时间 2026-11-27 10:10），管理员可从任意网络使用所有角色。',
    en: 'The server runs with ROLE_NETWORKS=off (Nov 27, 2026, 02:10 UTC). People can use all their roles from every network.',
    path: '/permissions/role',
  },
  {
    kind: 'providerDisabledMany',
    facts: { disabled: 5, managed: 40, at: '2026-11-27T02:10:00.000Z' },
    zh: '身份提供商在十分钟内停用了 5 个账户（共管理 40 个，最近一次：北京时间 2026-11-27 10:10）。',
    en: 'Accounts disabled by the identity provider within ten minutes: 5 of 40. Last one: Nov 27, 2026, 02:10 UTC.',
    path: '/permissions/administrator',
  },
  {
    kind: 'provisioningEnds',
    facts: { token: 'Okta', lastFour: 'x4Qz', at: '2026-11-27T02:10:00.000Z' },
    zh: '最后一个同步令牌 Okta (…x4Qz) 的失效时间：北京时间 2026-11-27 10:10。',
    en: 'The last provisioning token, Okta (…x4Qz), expires on Nov 27, 2026, 02:10 UTC.',
    path: '/permissions/identity',
  },
  {
    kind: 'guardedMapping',
    facts: { group: 'Editors', role: 'Editor' },
    zh: '用户组 Editors 映射的角色“Editor”含受保护的权限，未授予成员。',
    en: 'Group Editors is mapped to role “Editor”. The role has guarded permissions, so members don’t get it.',
    path: '/permissions/identity',
  },
  {
    kind: 'test',
    facts: { by: 'admin@example.com' },
    zh: 'admin@example.com 发送了这条测试告警，该渠道可以收到告警。',
    en: 'admin@example.com sent this test. Alarms reach this channel.',
    path: '/',
  },
];

const createAlarm = ({ kind, facts }: Sample) => ({
  id,
  kind,
  subjects: [JSON.parse(JSON.stringify(facts)) as unknown],
  at: new Date('2026-11-27T04:15:00Z'),
});

const createWebhook = (kind: AlarmWebhook['kind'], language: 'zh' | 'en'): AlarmWebhook => ({
  kind,
  url: 'https://hooks.example.com/x',
  secret: 'hush',
  language,
  zone: null,
});

const formatText = (sample: Sample, language: 'zh' | 'en'): string => {
  const kind = language === 'zh' ? 'wecom' : 'slack';
  const body = JSON.parse(formatWebhook(createWebhook(kind, language), createAlarm(sample), readerContext, 0).body) as {
    text: string | { content: string };
  };
  return typeof body.text === 'string' ? body.text : body.text.content;
};

test('has a sample of every kind of alarm', () => {
  expect(new Set(samples.map(({ kind }) => kind))).toEqual(new Set(Object.keys(alarmKinds)));
});

test.each(samples)('$kind says who, what, how much and when in both languages', (sample) => {
  const zh = formatText(sample, 'zh').split('\n');
  expect(zh[0]).toBe(`【告警】${alarmKinds[sample.kind].title.zh}`);
  expect(zh[1]).toBe('时间：北京时间 2026-11-27 12:15');
  expect(zh[3]).toBe(sample.zh);
  expect(zh[4]).toBe(`打开：https://panel.example.com${sample.path}`);
  const en = formatText(sample, 'en').split('\n');
  expect(en[0]).toBe(`Alarm: ${alarmKinds[sample.kind].title.en}`);
  expect(en[1]).toBe('Time: Nov 27, 2026, 04:15 UTC');
  expect(en[3]).toBe(sample.en);
  expect(en[4]).toBe(`Open: https://panel.example.com${sample.path}`);
});

test.each(samples)('$kind names a next step and holds nothing that only machines read', (sample) => {
  for (const [language, next] of [
    ['zh', /^下一步：\p{Script=Han}.+。$/mu],
    ['en', /^Next step: [A-Z].+\.$/m],
  ] as const) {
    const text = formatText(sample, language);
    expect(text).toMatch(next);
    const textWithoutUrls = text.replaceAll(/https:\S+/g, '');
    expect(textWithoutUrls).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect(textWithoutUrls).not.toMatch(/\d{4}-\d\d-\d\dT/);
    expect(textWithoutUrls).not.toMatch(/(?<![\w.])\d{9,}(?!\w)/);
    expect(textWithoutUrls).not.toMatch(/\{\{|undefined|null/);
  }
});

test('has no English sentence in a Chinese message', () => {
  for (const sample of samples)
    expect(formatText(sample, 'zh').replaceAll(/https:\S+/g, ''), sample.kind).not.toMatch(/(?:\b[a-z]{2,}\b[ ,]+){3}/i);
});

test.each([
  ['of a kind that only a newer release knows', { kind: 'newKind', subjects: [{ by: 'admin@example.com' }] }],
  ['whose facts lack a field', { kind: 'mintStuck', subjects: [{ deposit: 'd' }] }],
])('still goes out in words when it is one %s', (_, knownFields) => {
  const wording = createWording(
    { id, at: new Date('2026-11-27T04:15:00Z'), ...knownFields },
    { language: 'en', zone: null, ...readerContext },
  );
  expect(wording.lines).toEqual([{ text: 'See the panel for the details.', url: 'https://panel.example.com' }]);
  expect(wording.next).toMatch(/\.$/);
});

test('gives times in the zone of its channel', () => {
  const [sample] = samples.filter(({ kind }) => kind === 'test');
  const reader = { language: 'en', zone: 'Asia/Singapore', ...readerContext } as const;
  expect(sample && createWording(createAlarm(sample), reader).at).toBe('Nov 27, 2026, 12:15 GMT+8');
});

test('writes a mail in both languages when its channel has none', () => {
  const [sample] = samples.filter(({ kind }) => kind === 'depositWaits');
  if (!sample) throw new Error('no sample');
  const { subject, body } = formatMail(createAlarm(sample), { language: null, zone: null }, readerContext);
  expect(subject).toBe('【告警】存款待确认 / Alarm: Deposit awaiting confirmation');
  expect(body).toContain(sample.zh);
  expect(body).toContain(sample.en);
  expect(formatMail(createAlarm(sample), { language: 'en', zone: null }, readerContext).body).not.toMatch(/下一步/);
});

test('writes times in the zone of the channel', () => {
  const [sample] = samples.filter(({ kind }) => kind === 'depositWaits');
  if (!sample) throw new Error('no sample');
  const formatReport = (language: 'zh' | 'en') =>
    formatMail(createAlarm(sample), { language, zone: 'America/New_York' }, readerContext).body;
  expect(formatReport('zh')).toContain('时间：2026-11-26 23:15 GMT-5');
  expect(formatReport('en')).toContain('Time: Nov 26, 2026, 23:15 EST');
});

test('still sends an alarm that version 0.1 raised or whose kind is unknown', () => {
  const { body } = formatMail(
    { id, kind: 'mintFailed', subjects: ['deposit 1'], at: new Date(raisedAt) },
    { language: 'en', zone: null },
    readerContext,
  );
  expect(body).toContain('deposit 1\nOpen: https://panel.example.com');
  expect(
    formatMail({ id, kind: 'later', subjects: [{}], at: new Date(raisedAt) }, { language: 'en', zone: null }, readerContext)
      .subject,
  ).toBe('Alarm: Unknown kind');
});
