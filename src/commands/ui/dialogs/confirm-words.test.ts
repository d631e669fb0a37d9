import { afterEach, describe, expect, test } from 'vitest';
import type { AuthoritySummary, StatementRow } from '../../../../api/authority/contract.ts';
import type { Statement } from '../../../../api/authority/statements.ts';
import type { OpenFreeze } from '../../../../api/custody/contract.ts';
import type { DepositRow } from '../../../../api/deposits/contract.ts';
import type { CommandId } from '../../../../api/names.ts';
import { enPanel } from '../../../lib/i18n/en-US/index.ts';
import { enResources } from '../../../lib/i18n/en-US/resources.ts';
import { setDictionary } from '../../../lib/i18n/i18n.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import { zhPanel } from '../../../lib/i18n/zh-CN/index.ts';
import { zhResources } from '../../../lib/i18n/zh-CN/resources.ts';
import type { Target } from '../../../lib/scope.ts';
import { $loginEmail } from '../../../lib/session/session.ts';
import { registry } from '../../app/all.ts';
import { $authority } from '../../authority/state.ts';
import { statementTarget } from '../../authority/search.ts';
import { $freeze } from '../../custody/shared/freeze.ts';
import { depositTarget } from '../../deposits/commands.ts';
import { confirmTextsOf } from './confirm-words.ts';

const ownEmail = 'me@demo.local';
const dictionaries = {
  'zh-CN': { ...zhPanel, ...zhResources },
  'en-US': { ...enPanel, ...enResources },
} as const;

afterEach(() => {
  $authority.set(null);
  $freeze.set(undefined);
});

function confirmTextsByLocale(id: CommandId, targets: readonly Target[] = []) {
  const command = registry.get(id);
  if (!command) throw new Error(`there is no ${id}`);
  $loginEmail.set(ownEmail);
  return Object.fromEntries(
    Object.entries(dictionaries).map(([locale, words]) => {
      setDictionary(locale as 'zh-CN' | 'en-US', words);
      const { title, lead, act, back } = confirmTextsOf({ command, targets });
      return [locale, { title, lead, act, back }];
    }),
  );
}

describe('a question that all kinds of records share', () => {
  const records = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `${index}`, version: 1, name: '' }) as Target);
  const confirmTitlesOf = (id: CommandId, count: number) =>
    Object.values(confirmTextsByLocale(id, records(count))).map(({ title, act }) => `${title} ${act}`);

  test.each([
    ['news.show', 1, '确定展示该新闻？ 展示新闻', 'Show this news item? Show news item'],
    ['news.hide', 3, '确定隐藏这 3 条新闻？ 隐藏 3 条新闻', 'Hide these 3 news items? Hide 3 news items'],
    ['notices.delete', 1, '确定删除该公告？ 删除公告', 'Delete this notice? Delete notice'],
    ['airdrops.delete', 200, '确定删除这 200 条空投？ 删除 200 条空投', 'Delete these 200 airdrops? Delete 200 airdrops'],
    [
      'administrators.enable',
      2,
      '确定启用这 2 位管理员？ 启用 2 位管理员',
      'Enable these 2 administrators? Enable 2 administrators',
    ],
    ['administrators.disable', 1, '确定停用该管理员？ 停用管理员', 'Disable this administrator? Disable administrator'],
    ['roles.delete', 2, '确定删除这 2 个角色？ 删除 2 个角色', 'Delete these 2 roles? Delete 2 roles'],
    ['deposits.delete', 1, '确定删除该存款？ 删除存款', 'Delete this deposit? Delete deposit'],
    [
      'feedback.delete',
      3,
      '确定删除这 3 条反馈？ 删除 3 条反馈',
      'Delete these 3 pieces of feedback? Delete 3 pieces of feedback',
    ],
    [
      'feedback.process',
      1,
      '确定将该反馈标记为已处理？ 标记反馈为已处理',
      'Mark this feedback as processed? Mark feedback as processed',
    ],
    ['points.reverse', 2, '确定冲销这 2 条明细？ 冲销 2 条明细', 'Reverse these 2 entries? Reverse 2 entries'],
    ['permissions.delete', 1, '确定删除该节点及所有下级节点？ 删除节点', 'Delete this node and everything below it? Delete node'],
    ['airdrops.undoImport', 1, '确定撤销本次导入？ 撤销导入', 'Undo this entire import? Undo import'],
  ] as const)('asks %s about %i records', (id, count, zh, en) => {
    expect(confirmTitlesOf(id, count)).toEqual([zh, en]);
  });

  test('names one CRSM or several in the question to claim yield', () => {
    const titles = (count: number) =>
      Object.values(confirmTextsByLocale('crsm.claimYield', records(count))).map(({ title }) => title);
    expect(titles(1)).toEqual(['确定领取该 CRSM 的收益？', 'Claim the yield of this CRSM?']);
    expect(titles(2)).toEqual(['确定领取这 2 个 CRSM 的收益？', 'Claim the yield of these 2 CRSMs?']);
  });

  test('groups the digits of a whole list', () => {
    expect(confirmTitlesOf('news.delete', 1200)).toEqual([
      '确定删除这 1,200 条新闻？ 删除 1,200 条新闻',
      'Delete these 1,200 news items? Delete 1,200 news items',
    ]);
  });
});

describe('a deposit question', () => {
  const row = (missing: number, delaySeconds: number, isSigned = false) =>
    depositTarget({
      id: 'd',
      version: 1,
      amount: '1200000001',
      txid: 'a'.repeat(64),
      vout: 0,
      missing,
      rule: { approvals: 2, role: null, perDay: null, delaySeconds },
      approvals: isSigned ? [{ email: ownEmail, at: '', own: true }] : [],
    } as unknown as DepositRow);

  test('only signs while signatures of others are missing', () => {
    expect(confirmTextsByLocale('deposits.confirm', [row(2, 0)])).toEqual({
      'zh-CN': {
        title: '确定签署这笔存款？',
        lead: ['您签署后，还需 1 人签署才会铸造 YBTC。'],
        act: '签署存款',
        back: '取消',
      },
      'en-US': {
        title: 'Sign this deposit?',
        lead: ['1 more person must sign before YBTC is minted.'],
        act: 'Sign deposit',
        back: 'Cancel',
      },
    });
    expect(confirmTextsByLocale('deposits.confirm', [row(3, 0)])['en-US']?.lead).toEqual([
      '2 more people must sign before YBTC is minted.',
    ]);
  });

  test('mints with the last signature and warns that this can’t be undone', () => {
    expect(confirmTextsByLocale('deposits.confirm', [row(1, 0)])).toMatchObject({
      'zh-CN': { act: '签署并铸造', lead: ['您签署后立即铸造 YBTC，无法撤销。'] },
      'en-US': { act: 'Sign and mint', lead: ['YBTC is minted as soon as you sign. This can’t be undone.'] },
    });
  });

  test('mints after the delay of its rule and says until when the mint can be voided', () => {
    expect(confirmTextsByLocale('deposits.confirm', [row(1, 900)])).toMatchObject({
      'zh-CN': { lead: ['您签署后，将在 15 分钟后铸造 YBTC。在此之前可作废这笔铸造。'] },
      'en-US': { lead: ['YBTC is minted 15 minutes after you sign. Until then, the mint can be voided.'] },
    });
    const { lead } = confirmTextsByLocale('deposits.retryMint', [row(0, 900)])['en-US'] ?? {};
    expect(lead).toEqual(['YBTC is minted 15 minutes after you retry. Until then, the mint can be voided.']);
  });

  test('says Confirm to a person who has signed once no other signature is missing', () => {
    expect(confirmTextsByLocale('deposits.confirm', [row(0, 0, true)])).toMatchObject({
      'zh-CN': { act: '确认并铸造' },
      'en-US': { act: 'Confirm and mint', title: 'Confirm this deposit and mint YBTC?' },
    });
  });
});

describe('a question to lift a money freeze', () => {
  const freeze = (lifting: OpenFreeze['lifting'], otherFreezes: OpenFreeze['others'] = { ledger: 0, log: 0 }) =>
    $freeze.set({ id: 'f', kind: 'manual', by: 'other@demo.local', reason: 'x', at: '', lifting, others: otherFreezes });
  const signedByOther = { signed: ['other@demo.local'], needed: 2, missing: 1, own: false };

  test('only signs for the first of two people', () => {
    freeze({ signed: [], needed: 2, missing: 2, own: false });
    expect(confirmTextsByLocale('dataPanel.resolve')).toMatchObject({
      'zh-CN': { act: '签署恢复', lead: ['本次仅签署。您签署后，还需 1 人签署才会恢复。'] },
      'en-US': {
        act: 'Sign to lift freeze',
        lead: ['You only sign. After you, 1 more person must sign before the freeze is lifted.'],
      },
    });
  });

  test('lifts with the second signature, or with one press without an authority log', () => {
    for (const lifting of [signedByOther, null]) {
      freeze(lifting);
      expect(confirmTextsByLocale('dataPanel.resolve')).toMatchObject({
        'zh-CN': { act: '恢复资金操作' },
        'en-US': { act: 'Lift freeze', lead: ['The freeze is lifted immediately. Deposits, mints and refunds resume.'] },
      });
    }
  });
});

describe('a question to lift one of two money freezes', () => {
  const missingLift = { signed: ['other@demo.local'], needed: 2, missing: 1, own: false };
  const withOtherFreezes = (otherFreezes: OpenFreeze['others']) => {
    $freeze.set({ id: 'f', kind: 'difference', by: null, reason: null, at: '', lifting: missingLift, others: otherFreezes });
    return confirmTextsByLocale('dataPanel.resolve');
  };

  test('lifts it alone and promises no resumption', () => {
    expect(withOtherFreezes({ ledger: 1, log: 1 })).toMatchObject({
      'zh-CN': {
        title: '确定解除本次暂停？',
        act: '解除本次暂停',
        lead: ['立即解除本次暂停。另有一项暂停未解除，存款确认、铸造和退款仍暂停。'],
      },
      'en-US': {
        title: 'Lift this money freeze?',
        act: 'Lift this freeze',
        lead: ['This freeze is lifted immediately. Another freeze is open, so deposits, mints and refunds stay paused.'],
      },
    });
  });

  test('resumes no mints and refunds while the authority log is frozen', () => {
    expect(withOtherFreezes({ ledger: 0, log: 1 })['en-US']?.lead).toEqual([
      'This freeze is lifted immediately. Mints and refunds stay paused until the freeze in the authority log is lifted.',
    ]);
  });
});

describe('a question for a proposal in the authority log', () => {
  const log = (people: AuthoritySummary['people'], needed: number, coolingSeconds: number) =>
    $authority.set({
      development: false,
      people,
      needed: { 'policy.set': needed, freeze: 1, 'approver.remove': needed },
      rules: [{ inForce: true, policy: { coolingSeconds } }],
    } as unknown as AuthoritySummary);
  const key = (isCoolingDown: boolean) =>
    ({
      person: 'p',
      name: ownEmail,
      roles: [],
      keys: [{ key: {}, from: null, cooling: isCoolingDown }],
    }) as unknown as AuthoritySummary['people'][0];

  test('only proposes for a person without an active key', () => {
    for (const people of [[], [key(true)]]) {
      log(people, 2, 86_400);
      expect(confirmTextsByLocale('authority.setRules')).toMatchObject({
        'zh-CN': { act: '提议变更规则', lead: ['您仅提议，需 2 人签署。', '最后一位签署后 1 天生效。'] },
        'en-US': {
          act: 'Propose rules',
          lead: ['You only propose this. 2 people must sign.', 'Takes effect 1 day after the last signature.'],
        },
      });
    }
  });

  test('signs with the same press of an approver, and names other signers and the start', () => {
    log([key(false)], 2, 86_400);
    expect(confirmTextsByLocale('authority.setRules')).toMatchObject({
      'zh-CN': { act: '提议并签署', lead: ['您提议并签署，还需 1 人签署。', '最后一位签署后 1 天生效。'] },
      'en-US': {
        act: 'Propose and sign',
        lead: ['You propose and sign this. 1 more person must sign.', 'Takes effect 1 day after the last signature.'],
      },
    });
  });

  test('takes effect with the press where one signature is enough', () => {
    log([key(false)], 1, 0);
    for (const id of ['authority.setRules', 'authority.removeApprover', 'authority.freeze'] as const)
      expect(confirmTextsByLocale(id)['en-US']?.lead, id).toEqual([
        'You propose and sign this. No one else has to sign.',
        'Takes effect as soon as you sign.',
      ]);
    expect(confirmTextsByLocale('authority.freeze')).toMatchObject({
      'zh-CN': { act: '暂停铸造' },
      'en-US': { act: 'Freeze minting' },
    });
  });

  test('names the waiting time after the last signature', () => {
    log([key(false)], 1, 3600);
    expect(confirmTextsByLocale('authority.setRules')['en-US']?.lead).toEqual([
      'You propose and sign this. No one else has to sign.',
      'Takes effect 1 hour after you sign.',
    ]);
    expect(confirmTextsByLocale('authority.removeApprover')['en-US']?.lead.at(-1)).toBe('Takes effect as soon as you sign.');
  });
});

describe('a question for a signature in the authority log', () => {
  const logLine = { number: 7, previous: '', at: '', expires: '', by: { person: 'p', name: 'a' } };
  const statement = (kind: string, content: object, needed: number) =>
    statementTarget({
      id: 'h',
      number: 7,
      state: 'open',
      needed,
      missing: needed,
      signed: [],
      statement: { ...logLine, kind, content } as unknown as Statement,
    } as unknown as StatementRow);
  const leadOf = (target: Target) => confirmTextsByLocale('authority.sign', [target])['en-US']?.lead;

  test.each([
    ['more signatures are missing', 'custody.remove', { address: '1A', reason: 'r' }, 3, 'After you, 2 more people must sign.'],
    ['it is the last one', 'custody.remove', { address: '1A', reason: 'r' }, 1, 'Takes effect as soon as you sign.'],
    [
      'it voids a mint',
      'mint.cancel',
      { txid: 'aa', vout: 0, reason: 'r' },
      1,
      'The mint is voided as soon as you sign. This can’t be undone.',
    ],
    [
      'a deposit still has to be confirmed',
      'mint.approve',
      { satoshi: '1', receiver: '0x', custody: '1A' },
      1,
      'Yours is the last signature needed. YBTC is minted only after someone confirms the deposit.',
    ],
    [
      'a freeze of the ledger still has to be lifted',
      'unfreeze',
      { freeze: '01a21ccc-0000-4000-8000-000000000000', difference: '', reason: 'r' },
      1,
      'Yours is the last signature needed. Someone must then lift the freeze in the data display.',
    ],
  ] as const)('says what follows when %s', (_when, kind, content, needed, expectedKey) => {
    expect(leadOf(statement(kind, content, needed))?.[0]).toBe(expectedKey);
  });

  test('says that signing your own new key approves nothing, and who must approve', () => {
    const ownSigner = { name: ownEmail, person: 'p', roles: [], key: { type: 'passkey' } };
    expect(leadOf(statement('approver.add', ownSigner, 3))?.[0]).toBe(
      'Your signature proves that you hold this key. After you, 2 approvers must sign.',
    );
    expect(leadOf(statement('approver.add', ownSigner, 1))).toEqual([
      'Your signature proves that you hold this key. No one else has to sign.',
      'Takes effect as soon as you sign.',
    ]);
  });

  test('still waits for the owner of the key after the last approver', () => {
    const otherSigner = { name: 'new@demo.local', person: 'q', roles: [], key: { type: 'passkey' } };
    expect(leadOf(statement('approver.add', otherSigner, 2))).toEqual([
      'After you, 1 more person must sign.',
      'Takes effect with the last signature.',
    ]);
  });
});

describe('a question for a command that gives something up', () => {
  /** Selecting rows is no cancellation. */
  const isCancellationText = (text: string) => /\b(cancel|void)/i.test(text) || /取消|作废/.test(text);

  test('never has a button called Cancel beside the action', () => {
    const voidingCommands = registry.all.filter(({ voids }) => voids).map(({ id }) => id);
    expect(voidingCommands).toEqual(expect.arrayContaining(['deposits.cancelMint', 'withdrawals.cancel', 'points.cancelImport']));
    for (const [locale, words] of Object.entries(dictionaries)) {
      setDictionary(locale as 'zh-CN' | 'en-US', words);
      for (const command of registry.all.filter(({ excludeFromHistory }) => !excludeFromHistory)) {
        const { act, title, back } = confirmTextsOf({ command: { ...command, confirmWording: () => ({}) }, targets: [] });
        if (isCancellationText(bilingualName(command.id)) || isCancellationText(act) || isCancellationText(title))
          expect(back, `${command.id} in ${locale}`).toBe(locale === 'zh-CN' ? '返回' : 'Go back');
      }
    }
  });
});
