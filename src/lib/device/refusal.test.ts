import { describe, expect, test } from 'vitest';
import { hasCode, walletRefusalOf } from './refusal.ts';

const error = (message: string, rest: object = {}) => Object.assign(new Error(message), rest);

describe('a rejection by the person', () => {
  test.each([
    ['EIP-1193', { code: 4001, message: 'x' }],
    ['a code that is text', { code: '4001' }],
    ['an internal error around it', { code: -32603, message: 'Internal error', data: { code: 4001 } }],
    ['MetaMask mobile', { code: -32603, data: { originalError: { code: 4001, message: 'x' } } }],
    ['ethers', error('user rejected action', { code: 'ACTION_REJECTED', info: { error: { code: 4001 } } })],
    ['viem', error('RPC error', { cause: error('x', { cause: { code: 4001 } }) })],
    ['WalletConnect', { code: 5000, message: 'x' }],
    ['Leather', { error: { code: 4001, message: 'x' } }],
    ['no code, English', error('User rejected the request.')],
    ['no code, denied', error('MetaMask Tx Signature: User denied transaction signature.')],
    ['no code, cancelled', error('User cancelled the request')],
    ['no code, closed', error('User closed modal')],
    ['no code, by user', error('Transaction was rejected by user')],
    ['no code, Chinese', error('用户拒绝了请求')],
    ['plain text', 'cancelled'],
    ['words inside another error', { code: -32603, data: { message: 'User rejected the request' } }],
  ])('is recognized in the spelling of %s', (_, thrown) => {
    expect(walletRefusalOf(thrown)).toBe('rejected');
  });

  test.each([
    ['a revert with such words', error('execution reverted: rejected by user list')],
    ['a node that refuses', { code: -32000, message: 'transaction rejected: nonce too low' }],
    ['an internal error', { code: -32603, message: 'Internal JSON-RPC error.' }],
    ['nothing', undefined],
    ['null', null],
    ['a number', 4001],
  ])('is not found in %s', (_, thrown) => {
    expect(walletRefusalOf(thrown)).toBeNull();
  });
});

test.each([
  [{ code: -32002 }, 'pending'],
  [{ code: 4200 }, 'unsupported'],
  [{ code: -32601, message: 'x' }, 'unsupported'],
  [error('Method not implemented'), 'unsupported'],
  [error('The method "wallet_switchEthereumChain" does not exist / is not available.'), 'unsupported'],
  [{ code: 4900 }, 'disconnected'],
  [{ code: 4100 }, 'unauthorized'],
  [{ code: -32603, cause: { code: -32002 } }, 'pending'],
])('the error %o means %s', (thrown, meaning) => {
  expect(walletRefusalOf(thrown)).toBe(meaning);
});

test('an error that contains itself ends the search', () => {
  const round: { code: number; cause?: unknown } = { code: -32603 };
  round.cause = round;
  expect(walletRefusalOf(round)).toBeNull();
  expect(hasCode(round, -32603)).toBe(true);
});

test('an error code is found at any depth', () => {
  expect(hasCode({ code: -32603, data: { originalError: { code: 4902 } } }, 4902)).toBe(true);
  expect(hasCode({ code: -32603 }, 4902)).toBe(false);
});
