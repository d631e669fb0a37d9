import { beforeAll, describe, expect, it } from 'vitest';
import { enPanel } from '../../i18n/en-US/index.ts';
import { enResources } from '../../i18n/en-US/resources.ts';
import { setDictionary } from '../../i18n/i18n.ts';
import { zhPanel } from '../../i18n/zh-CN/index.ts';
import { zhResources } from '../../i18n/zh-CN/resources.ts';
import { actionText, actorText } from './action-text.ts';
import { choiceField } from './fields.ts';
import { recordedConditions, fieldText } from './field-text.ts';

const minedEntry = { command: null, route: 'server', action: 'mined', entity: 'mint', actorEmail: '' };
const readEntry = { command: null, route: 'points.list', action: 'list', entity: 'points', actorEmail: 'a@b.c' };
const refundEntry = { ...readEntry, command: 'withdrawals.confirmRefund', entity: 'withdrawal' };

describe('the audit in Chinese', () => {
  beforeAll(() => setDictionary('zh-CN', { ...zhPanel, ...zhResources }));

  it.each([
    [minedEntry, '铸造：已上链', '系统 · 铸造'],
    [readEntry, '积分：查看列表', 'a@b.c'],
    [{ ...readEntry, route: 'deposits.confirm', action: 'confirm' }, '确认存款', 'a@b.c'],
    [{ ...readEntry, route: 'deposits.confirm', action: 'sign' }, '确认存款：已签署', 'a@b.c'],
    [{ ...refundEntry, route: 'withdrawals.prepareConfirm', action: 'prepareConfirm' }, '确认退款：已准备钱包请求', 'a@b.c'],
    [{ ...refundEntry, route: 'withdrawals.confirmRefund', action: 'confirmRefund' }, '确认退款', 'a@b.c'],
    [{ ...readEntry, route: 'POST /public/feedback', actorEmail: '' }, '访客提交反馈', '访客'],
    [{ ...readEntry, route: 'GET /api/points/export/:id' }, '积分：下载导出文件', 'a@b.c'],
    [{ ...readEntry, route: 'session.signIn', actorEmail: '' }, '账户：登录', '（未登录）'],
    [{ ...minedEntry, command: 'points.import', action: 'done', entity: 'import' }, '导入积分：已完成', '系统 · 导入'],
  ])('says who did what: %o', (entry, expectedAction, expectedActor) => {
    expect([actionText(entry), actorText(entry)]).toEqual([expectedAction, expectedActor]);
  });

  it.each([
    ['a code by its word', choiceField('withdrawals.field.status', 'withdrawals.status'), 'doing', '冷却中'],
    ['nothing for a code without a word', choiceField('withdrawals.field.status', 'withdrawals.status'), 'other', null],
    ['a flag', { as: 'flag' }, true, '是'],
    ['a count in groups', { as: 'count' }, '-1234567', '−1,234,567'],
    ['nothing for a count that is none', { as: 'count' }, { n: 1 }, null],
    ['a size', { as: 'bytes' }, 12910, '12,910 B'],
    ['a screen by its title', { as: 'permission' }, '/news', '新闻管理'],
    ['a command by its name', { as: 'permission' }, 'news.add', '新增新闻'],
    ['a role that came with the panel', { as: 'role' }, { id: 'x', name: '内容编辑 Content editor' }, '内容编辑'],
    ['a statement by its number', { as: 'statement' }, 12, '#12'],
    ['a freeze of this server', { as: 'freeze' }, '01a21ccc-0000-7000-8000-000000000000', '资金操作暂停'],
    ['an accepted difference', { as: 'difference' }, 'supply 500000000000000000 ledger 0', '供应量 0.5 YBTC，账本 0 YBTC'],
  ] as const)('shows %s', (_, displayKind, value, expectedText) => {
    expect(fieldText(displayKind as never, value)).toBe(expectedText);
  });
});

describe('the audit in English', () => {
  beforeAll(() => setDictionary('en-US', { ...enPanel, ...enResources }));

  it('says who did what', () => {
    expect([actionText(minedEntry), actorText(minedEntry), actionText(readEntry)]).toEqual([
      'Mint: mined',
      'System · Mint',
      'Points: viewed list',
    ]);
  });

  it('describes a filter by field', () => {
    const filters = {
      source: { label: 'points.field.source', field: { kind: 'choice', values: ['import'] }, words: () => 'Import' },
    } as const;
    expect(recordedConditions(filters, { source: 'import', gone: 'x' })).toEqual(['Source: is Import']);
  });
});
