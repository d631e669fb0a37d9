import { expect, test } from 'vitest';
import { parseTransactionText } from './transaction-text.ts';

const txid = 'ab'.repeat(32);
const txidOnly = { txid, vout: null, network: null };

test.each([
  ['a txid', txid, txidOnly],
  ['a txid in capitals with spaces around', `  ${txid.toUpperCase()}\n`, txidOnly],
  ['a txid with 0x', `0x${txid}`, txidOnly],
  ['an output', `${txid}:1`, { ...txidOnly, vout: 1 }],
  ['a link of mempool.space', `https://mempool.space/tx/${txid}`, { ...txidOnly, network: 'mainnet' }],
  ['a link to an output', `https://mempool.space/tx/${txid}#vout=2`, { txid, vout: 2, network: 'mainnet' }],
  ['a link in a language', `https://mempool.space/zh/tx/${txid}:3`, { txid, vout: 3, network: 'mainnet' }],
  ['a link without its scheme', `blockstream.info/tx/${txid}?output:4`, { txid, vout: 4, network: 'mainnet' }],
  ['a link of testnet 4', `https://mempool.space/testnet4/tx/${txid}`, { ...txidOnly, network: 'testnet' }],
  ['a link of signet', `https://mempool.space/signet/tx/${txid}`, { ...txidOnly, network: 'signet' }],
  ['a host named for its network', `https://testnet.example.org/tx/${txid}`, { ...txidOnly, network: 'testnet' }],
  ['a link of an explorer of our own', `http://explorer.local:3000/tx/${txid}`, txidOnly],
])('reads the transaction from %s', (_what, input, expected) => {
  expect(parseTransactionText(input)).toEqual(expected);
});

test.each([
  ['nothing', ''],
  ['half a txid', txid.slice(2)],
  ['a longer hash', `${txid}ab`],
  ['two transactions', `${txid} ${'cd'.repeat(32)}`],
  ['a sentence', `paid with ${txid}`],
  ['a txid with text after it', `${txid} and more`],
  ['a link to a block', 'https://mempool.space/block/900000'],
])('reads no transaction from %s', (_what, input) => {
  expect(parseTransactionText(input)).toBeNull();
});
