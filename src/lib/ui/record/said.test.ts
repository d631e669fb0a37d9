import { beforeAll, describe, expect, it } from 'vitest';
import { enPanel } from '../../i18n/en-US/index.ts';
import { enResources } from '../../i18n/en-US/resources.ts';
import { setDictionary } from '../../i18n/i18n.ts';
import { zhPanel } from '../../i18n/zh-CN/index.ts';
import { zhResources } from '../../i18n/zh-CN/resources.ts';
import { doneBy, doneByWhom } from './done-by.ts';
import { isOurs, saidOf } from './said.ts';

const mined = { command: null, route: 'server', action: 'mined', entity: 'mint', actorEmail: '' };
const read = { command: null, route: 'points.list', action: 'list', entity: 'points', actorEmail: 'a@b.c' };

describe('the audit in Chinese', () => {
  beforeAll(() => setDictionary('zh-CN', { ...zhPanel, ...zhResources }));

  it.each([
    [mined, '铸造：已上链', '系统 · 铸造'],
    [read, '积分：查看列表', 'a@b.c'],
    [{ ...read, route: 'deposits.confirm' }, '确认存款', 'a@b.c'],
    [{ ...read, route: 'POST /public/feedback', actorEmail: '' }, '访客提交反馈', '访客'],
    [{ ...read, route: 'session.signIn', actorEmail: '' }, '账户：登录', '（未登录）'],
  ])('says what was done and by whom', (entry, what, who) => {
    expect([doneBy(entry), doneByWhom(entry)]).toEqual([what, who]);
  });

  it.each([
    ['withdrawal', 'status', 'doing', '冷却中'],
    ['withdrawal', 'amount', '75000000', '0.75 BTC'],
    ['freeze', 'supplyOff', '-500000000000000000', '−0.5 YBTC'],
    ['deposit', 'mintStatus', 'done', '已铸造'],
    ['mint', 'state', 'final', '已最终确认'],
    ['news', 'title', 'doing', 'doing'],
    ['points', 'balance', null, '—'],
  ])('%s.%s %s is said as %s', (entity, field, value, words) => {
    expect(saidOf(entity, field, value)).toBe(words);
  });

  it('an id of ours is nothing that people can read, an address is', () => {
    expect(isOurs('01a201f0-809d-7288-876a-a0e6b9e04000')).toBe(true);
    expect(isOurs('0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC')).toBe(false);
  });
});

it('the audit in English', () => {
  setDictionary('en-US', { ...enPanel, ...enResources });
  expect([doneBy(mined), doneByWhom(mined), doneBy(read)]).toEqual(['Mint: mined', 'System · Mint', 'Points: viewed list']);
  expect(saidOf('withdrawal', 'amount', '75000000')).toBe('0.75 BTC');
});
