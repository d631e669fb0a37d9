import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { DepositTransaction } from '../../../api/deposits/contract.ts';
import { readCalls, holdResponses, mockRoutes } from '../../testing/api.ts';
import { press } from '../../testing/keys.ts';
import { adminScript, signIn } from '../../testing/panel.tsx';

const txid = 'ab'.repeat(32);
const custodyAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const alphaReceiver = { address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', institution: 'Alpha Bank' };
const betaReceiver = { address: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', institution: 'Beta Fund' };
const output = { vout: 1, amount: '150000001', address: custodyAddress, known: null, receivers: [alphaReceiver] };
const transaction: DepositTransaction = {
  txid,
  network: 'mainnet',
  verdict: 'found',
  silent: [],
  mined: true,
  outputs: 3,
  ours: [output],
};

let transactionResponse: DepositTransaction = transaction;
beforeEach(() => void (transactionResponse = transaction));

async function openForm(): Promise<void> {
  await signIn('operator', '/selfCustody/deposit', {
    deposits: {
      list: mockRoutes.deposits.list.handler(() => ({
        rows: [],
        nextCursor: null,
        prevCursor: null,
        count: { value: 0, kind: 'exact' },
      })),
      transaction: mockRoutes.deposits.transaction.handler(({ input }) => ({ ...transactionResponse, txid: input.txid })),
      add: mockRoutes.deposits.add.handler(({ input }) => {
        throw new Error(`not reached: ${JSON.stringify(input)}`);
      }),
    },
    authority: { names: mockRoutes.authority.names.handler(() => []) },
  });
  await press('c');
  await expect.element(field('存款哈希')).toHaveFocus();
}
const form = () => page.getByRole('dialog');
const field = (name: string) => form().getByLabelText(new RegExp(`^${name}`));
const fillBox = () => page.css('[data-fill]');
const pasteHash = (text: string) => field('存款哈希').fill(text);

test('a pasted link fills in the hash, output, amount, custody address and the only institution', async () => {
  await openForm();
  await pasteHash(`https://mempool.space/tx/${txid}`);
  await expect.element(fillBox()).toHaveAttribute('data-fill', 'filled');
  await expect.element(field('存款哈希')).toHaveValue(txid);
  await expect.element(field('输出序号')).toHaveValue('1');
  await expect.element(field('存款金额')).toHaveValue('1.50000001');
  await expect.element(field('Cobo 地址')).toHaveValue(custodyAddress);
  await expect.element(field('用户地址')).toHaveValue(alphaReceiver.address);
  await expect.element(fillBox()).toHaveTextContent('已按比特币交易填入输出序号 1 · 1.50000001 BTC');
});

test('with several institutions the person picks one by keyboard, one Tab from the hash', async () => {
  transactionResponse = { ...transaction, ours: [{ ...output, receivers: [alphaReceiver, betaReceiver] }] };
  await openForm();
  await pasteHash(txid);
  await expect.element(fillBox().getByText('选择机构')).toBeVisible();
  await expect.element(field('用户地址')).toHaveValue('');
  await press('Tab');
  await press('Space');
  await expect.element(field('用户地址')).toHaveValue(alphaReceiver.address);
  await press('ArrowDown');
  await expect.element(field('用户地址')).toHaveValue(betaReceiver.address);
});

test('with two outputs to us nothing is filled in before the person picks one, and a recorded one can’t be picked', async () => {
  transactionResponse = {
    ...transaction,
    ours: [
      { ...output, vout: 0, amount: '5', known: '01900000-0000-7000-8000-000000000001' },
      output,
      { ...output, vout: 2, amount: '200000000', receivers: [betaReceiver] },
    ],
  };
  await openForm();
  await pasteHash(txid);
  await expect.element(fillBox()).toHaveAttribute('data-fill', 'choosing');
  await expect.element(field('存款金额')).toHaveValue('');
  await expect.element(fillBox().getByRole('radio').first()).toBeDisabled();
  await expect.element(fillBox()).toHaveTextContent('已登记');
  await press('Tab');
  await press('Space');
  await expect.element(field('存款金额')).toHaveValue('1.50000001');
  await press('ArrowDown');
  await expect.element(field('存款金额')).toHaveValue('2');
  await expect.element(field('输出序号')).toHaveValue('2');
  await expect.element(field('用户地址')).toHaveValue(betaReceiver.address);
});

test('a link to one of several outputs picks that one', async () => {
  transactionResponse = { ...transaction, ours: [output, { ...output, vout: 2, amount: '200000000' }] };
  await openForm();
  await pasteHash(`https://mempool.space/tx/${txid}#vout=2`);
  await expect.element(field('输出序号')).toHaveValue('2');
  await expect.element(field('存款哈希')).toHaveValue(txid);
  await expect.element(fillBox()).toHaveAttribute('data-fill', 'filled');
});

test('typed values stay, and are replaced only when the person asks for it', async () => {
  await openForm();
  await field('存款金额').fill('2');
  await field('用户地址').fill(betaReceiver.address);
  await pasteHash(txid);
  await expect.element(fillBox()).toHaveTextContent('存款金额：您填写 2.00000000 BTC，链上为 1.50000001 BTC');
  await expect.element(field('存款金额')).toHaveValue('2');
  await expect.element(field('用户地址')).toHaveValue(betaReceiver.address);
  await expect.element(field('Cobo 地址')).toHaveValue(custodyAddress);
  await fillBox().getByRole('button', { name: '改用链上数据' }).click();
  await expect.element(field('存款金额')).toHaveValue('1.50000001');
  await expect.element(field('用户地址')).toHaveValue(alphaReceiver.address);
  await expect.element(page.css('[data-differs]')).not.toBeInTheDocument();
});

test('another transaction takes back what the first one filled in', async () => {
  await openForm();
  await pasteHash(txid);
  await expect.element(field('存款金额')).toHaveValue('1.50000001');
  transactionResponse = { ...transaction, verdict: 'missing', ours: [] };
  await pasteHash('cd'.repeat(32));
  await expect.element(fillBox()).toHaveTextContent('所有比特币数据源均未收录这笔交易');
  await expect.element(field('存款金额')).toHaveValue('');
  await expect.element(field('用户地址')).toHaveValue('');
  await expect.element(field('输出序号')).toHaveValue('0');
});

test('a slow source shows that it is loading, and text typed meanwhile stays', async () => {
  await openForm();
  const release = holdResponses('deposits/transaction');
  await pasteHash(txid);
  await expect.element(fillBox()).toHaveTextContent('正在读取交易…');
  await field('存款金额').fill('3');
  release();
  await expect.element(page.css('[data-differs]')).toHaveTextContent('存款金额：您填写 3.00000000 BTC');
  await expect.element(field('存款金额')).toHaveValue('3');
});

const withoutOutputs = { ours: [] };
test.each([
  ['the sources disagree', { verdict: 'disagree', ...withoutOutputs }, '各比特币数据源显示的输出不一致'],
  ['a source doesn’t know it yet', { verdict: 'partial', ...withoutOutputs }, '部分比特币数据源暂未收录这笔交易'],
  ['no source answers', { verdict: 'unreachable', ...withoutOutputs }, '比特币数据源无响应，请重试'],
  ['no output is ours', withoutOutputs, '这笔交易的 3 个输出都不属于我方托管地址'],
  ['its output is recorded', { ours: [{ ...output, known: '01900000-0000-7000-8000-000000000001' }] }, '该输出已登记为存款'],
  ['the panel uses another network', { network: 'regtest' }, '该链接属于比特币主网，而后台使用比特币 Regtest'],
] as const)('nothing is filled in and the form says why when %s', async (_when, change, expectedText) => {
  transactionResponse = { ...transaction, ...(change as Partial<DepositTransaction>) };
  await openForm();
  await pasteHash(`https://mempool.space/tx/${txid}`);
  await expect.element(fillBox()).toHaveTextContent(expectedText);
  await expect.element(field('存款金额')).toHaveValue('');
  await expect.element(field('用户地址')).toHaveValue('');
});

test('text that is not a transaction is refused without a request', async () => {
  await openForm();
  await field('存款哈希').fill('https://mempool.space/block/900000');
  await expect.element(fillBox()).toHaveTextContent('这不是交易哈希，也不是单笔交易的链接。');
  expect(readCalls('deposits/transaction')).toHaveLength(0);
});

test('a script that gives only a link sends the whole deposit or learns what to choose', async () => {
  await openForm();
  const runAdd = (params: object) => adminScript().run('deposits.add', { params: { ...params } });
  await runAdd({ txid: `https://mempool.space/tx/${txid}` }).catch(() => {});
  const sentFields = { txid, vout: 1, amount: '150000001', coboAddress: custodyAddress, userAddress: alphaReceiver.address };
  expect(readCalls('deposits/add').map(({ input }) => input)).toMatchObject([sentFields]);
  transactionResponse = { ...transaction, ours: [{ ...output, receivers: [alphaReceiver, betaReceiver] }] };
  await expect(runAdd({ txid })).rejects.toMatchObject({
    code: 'INVALID',
    message: expect.stringContaining('Beta Fund') as unknown,
  });
  await runAdd({ txid, userAddress: betaReceiver.address }).catch(() => {});
  expect(readCalls('deposits/add').at(-1)?.input).toMatchObject({ ...sentFields, userAddress: betaReceiver.address });
  transactionResponse = { ...transaction, ours: [output, { ...output, vout: 2 }] };
  await expect(runAdd({ txid })).rejects.toMatchObject({
    code: 'INVALID',
    message: expect.stringContaining('vout is one of 1') as unknown,
  });
  expect(readCalls('deposits/add')).toHaveLength(2);
});
