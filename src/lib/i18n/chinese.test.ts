import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isButton, readLabel, oneWordButtons } from '../../testing/buttons.ts';
import {
  brokenRules,
  dictionaryTexts,
  helpTexts,
  nameTexts,
  pageTexts,
  serverTexts,
  type ReadText,
  type TextRule,
} from '../../testing/texts.ts';
import { tSpaced } from './cjk-spacing.ts';
import { setDictionary } from './i18n.ts';
import { zhSignIn } from './zh-CN/access/sign-in.ts';
import { form } from './zh-CN/frame/form.ts';
import { zhPanel } from './zh-CN/index.ts';
import { zhResources } from './zh-CN/resources.ts';

const hanPattern = String.raw`\p{Script=Han}`;
const number = '(?:count|n|most|days|hours|minutes|seconds|rows|pictures|megabytes)';

/** Typography rules, for each source line that contains Chinese. */
const printRules: readonly TextRule[] = [
  {
    fault: 'half-width punctuation beside a Chinese character',
    find: new RegExp(`${hanPattern}[,;:!?()]|[,;:!?(]${hanPattern}|${hanPattern}\\.(?![\\w.])`, 'u'),
    example: '删除,恢复',
  },
  {
    fault: 'no space between a Chinese character and a Latin letter or a digit',
    find: new RegExp(`${hanPattern}[a-z\\d]|[a-z\\d%]${hanPattern}`, 'iu'),
    example: '连接EVM 钱包',
  },
  {
    fault: 'no space between a Chinese character and a number',
    find: new RegExp(`${hanPattern}(?:\\$\\{|\\{\\{)${number}\\}|[{]${number}\\}\\}?${hanPattern}`, 'u'),
    example: '共{{n}} 条',
  },
  { fault: 'a space between Chinese characters', find: new RegExp(`${hanPattern} ${hanPattern}`, 'u'), example: '请 输入' },
  { fault: 'a space before a percent sign', find: /[\d}] %/, example: '抵押率 160.00 %' },
];

/** In characters. */
const longestButton = 16;

/** Wording rules, for each displayed text (docs/glossary.md). */
const wordRules: readonly TextRule[] = [
  { fault: '你，应为您', find: /你/, example: '你好' },
  { fault: '双重验证有别的叫法', find: /第二因素|二次验证|两步验证|双因素/, example: '第二因素' },
  { fault: '冲正，应为冲销', find: /冲正/, example: '冲正积分' },
  { fault: '应答，应为无响应', find: /应答/, example: '链没有应答' },
  { fault: '重新读取，应为已刷新；读取于，应为更新于', find: /重新读取|读取于|读到|读不到/, example: '已重新读取' },
  { fault: '面板，应为系统、管理后台或页面', find: /(?<!命令)面板/, example: '面板已更新' },
  { fault: '还没有，应为暂无', find: /还没有/, example: '还没有新闻' },
  { fault: '须，应为需（表单校验的“须为”“须晚于”除外）', find: /(?<!必)须(?![为晚])/, example: '须由其他人确认' },
  { fault: '文言', find: /据以|所依|不具|未予|若非|其后|末行|现行|早先|所致|之前将/, example: '不具规则所要求的角色' },
  { fault: '代词', find: /(?<!其)他人|他们|她|它|对方|人们|(?<![尤])其(?![他余中实])/u, example: '您登记或修改过它' },
  { fault: '同事，应为其他管理员', find: /同事/, example: '请由同事操作' },
  { fault: '被动句', find: /被(?:删除|销毁|花费|取消|修改|使用)/, example: 'YBTC 将被销毁' },
  { fault: '更改，应为修改', find: /更改/, example: '未做任何更改' },
  { fault: '会话，应为登录设备', find: /会话/, example: '结束所有会话' },
  { fault: '不再展示，应为隐藏', find: /不再展示|不展示 \d/, example: '确定不再展示这条新闻？' },
  { fault: '声明，应为授权单', find: /声明/, example: '签署声明' },
  { fault: '凭据，应为链上核验或凭证', find: /凭据/, example: '比特币凭据' },
  { fault: '签名进程，应为签名服务', find: /签名进程/, example: '签名进程没有运行' },
  { fault: '冻结资金，应为暂停资金操作', find: /冻结资金|资金冻结|资金已冻结|资金操作已冻结/, example: '冻结资金' },
  { fault: '请求退款，应为申请退款', find: /请求退款|待请求|请求提现/, example: '请求退款' },
  { fault: '链编号，应为链 ID', find: /链编号|桥上序号/, example: '链编号' },
  { fault: '清算价，应为清算价格', find: /清算价(?!格)/, example: '清算价' },
  { fault: '平仓，应为关闭', find: /平仓/, example: '未平仓' },
  { fault: '储备证明，应为储备金证明', find: /储备证明/, example: '储备证明' },
  { fault: '国家，应为国家/地区', find: /国家(?!\/地区)/, example: 'IP 国家' },
  { fault: '香港、澳门、台湾前没有“中国”', find: /(?<!中国)(?:香港|澳门|台湾)/, example: '香港' },
  {
    fault: '按钮没有宾语',
    find: ({ key, text }) => isButton(key) && text.replaceAll(/[^\p{Script=Han}\w]/gu, '').length < 3,
    example: { key: 'crsm.ask.repay.act', text: '偿还' },
    except: oneWordButtons,
  },
  {
    fault: '按钮过长',
    find: ({ key, text }) => isButton(key) && readLabel(text).length > longestButton,
    example: { key: 'news.ask.hide.act', text: '将这些新闻从列表和官网上全部隐藏起来' },
  },
  {
    fault: '按钮上的“取消”与关闭对话框的“取消”并排，应为作废或返回',
    find: ({ key, text }) => isButton(key) && /取消/.test(text),
    except: { 'common.cancel': 'closes the dialog' },
    example: { key: 'withdrawals.ask.cancel.act', text: '取消提现' },
  },
];

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => join(folder, file));

/** Without comments and regular expressions. */
const readLines = (file: string): ReadText[] =>
  readFileSync(file, 'utf8')
    .replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*/gm, '')
    .split('\n')
    .filter((line) => /\p{Script=Han}/u.test(line))
    .map((line) => ({ key: file, text: line.trim().replaceAll('\\n', '\n') }));

/** Search words, pinyin and demo content. */
const isDataFile = (file: string): boolean =>
  /(?:\/(?:dev|seed|testing|suites|pinyin|search)\/|\/dev-|\/(?:search|common-aliases)\.ts$|\/help\/pages\.ts$|\/filter\/(?:rows|typed-time)\.ts$|\/device\/refusal\.ts$|^src\/lib\/i18n\/en-US)/.test(
    file,
  );

const lines = ['src', 'api', 'server']
  .flatMap(listFiles)
  .filter((file) => !isDataFile(file))
  .flatMap(readLines);
const texts = [
  ...dictionaryTexts({ ...zhPanel, ...zhResources }),
  ...dictionaryTexts(zhSignIn, 'signIn'),
  ...nameTexts('zh'),
  ...serverTexts('zh'),
  ...pageTexts('zh'),
  ...helpTexts('zh-CN'),
];

describe('Chinese texts', () => {
  test('have full-width punctuation and spaces around Latin letters', () => {
    expect(lines.length).toBeGreaterThan(1500);
    expect(brokenRules(printRules, [...lines, ...pageTexts('zh'), ...helpTexts('zh-CN')])).toEqual([]);
  });

  test('break no rule of voice.md and the glossary', () => {
    expect(texts.length).toBeGreaterThan(2500);
    expect(brokenRules(wordRules, texts)).toEqual([]);
  });

  test.each([...printRules, ...wordRules])('that break the rule "$fault" are found', ({ fault, example }) => {
    const ruleText = typeof example === 'string' ? { key: 'example', text: example } : example;
    expect(brokenRules([...printRules, ...wordRules], [ruleText]).some((brokenRule) => brokenRule.startsWith(`${fault}: `))).toBe(
      true,
    );
  });

  test('that are correct break no rule', () => {
    const acceptedTexts = [
      '删除，恢复',
      '（共 ${count} 条）',
      '连接 EVM 钱包',
      '已删除{{of}}',
      '100%',
      '您好',
      '是 a.b',
      '须为整数',
      '必须启用',
    ];
    expect(
      brokenRules(
        [...printRules, ...wordRules],
        acceptedTexts.map((text) => ({ key: 'right', text })),
      ),
    ).toEqual([]);
  });
});

test('Latin words are separated by spaces from the Chinese around them', () => {
  setDictionary('zh-CN', { form });
  expect(tSpaced('form.rule.required', 'label', 'NFT 数量')).toBe('请输入 NFT 数量');
  expect(tSpaced('form.rule.required', 'label', '标题')).toBe('请输入标题');
  expect(tSpaced('form.rule.tooLong', 'label', 'TRGCR(%)')).toBe('TRGCR(%) 过长');
  expect(tSpaced('form.rule.tooLong', 'label', 'TRGCR(%)', { limit: 9 })).toBe('TRGCR(%) 最多 9 个字符');
});
