import { expect, test } from 'vitest';
import { transactionOf } from './transaction-text.ts';

const txid = 'ab'.repeat(32);
const plain = { txid, vout: null, network: null };

test.each([
  ['a txid', txid, plain],
  ['a txid in capitals with spaces around', `  ${txid.toUpperCase()}\n`, plain],
  ['a txid with 0x', `0x${txid}`, plain],
  ['an output', `${txid}:1`, { ...plain, vout: 1 }],
  ['a link of mempool.space', `https://mempool.space/tx/${txid}`, { ...plain, network: 'mainnet' }],
  ['a link to an output', `https://mempool.space/tx/${txid}#vout=2`, { txid, vout: 2, network: 'mainnet' }],
  ['a link in a language', `https://mempool.space/zh/tx/${txid}:3`, { txid, vout: 3, network: 'mainnet' }],
  ['a link without its scheme', `blockstream.info/tx/${txid}?output:4`, { txid, vout: 4, network: 'mainnet' }],
  ['a link of testnet 4', `https://mempool.space/testnet4/tx/${txid}`, { ...plain, network: 'testnet' }],
  ['a link of signet', `https://mempool.space/signet/tx/${txid}`, { ...plain, network: 'signet' }],
  ['a host named for its network', `https://testnet.example.org/tx/${txid}`, { ...plain, network: 'testnet' }],
  ['a link of an explorer of our own', `http://explorer.local:3000/tx/${txid}`, plain],
])('reads the transaction from %s', (_what, typed, expected) => {
  expect(transactionOf(typed)).toEqual(expected);
});

test.each([
  ['nothing', ''],
  ['half a txid', txid.slice(2)],
  ['a longer hash', `${txid}ab`],
  ['two transactions', `${txid} ${'cd'.repeat(32)}`],
  ['a sentence', `paid with ${txid}`],
  ['a txid with text after it', `${txid} and more`],
  ['a link to a block', 'https://mempool.space/block/900000'],
])('reads no transaction from %s', (_what, typed) => {
  expect(transactionOf(typed)).toBeNull();
});
