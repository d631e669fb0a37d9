import { describe, expect, test } from 'vitest';
import { hasCode, readWalletRefusal } from './refusal.ts';

const createError = (message: string, properties: object = {}) => Object.assign(new Error(message), properties);

describe('a rejection by the person', () => {
  test.each([
    ['EIP-1193', { code: 4001, message: 'x' }],
    ['a code that is text', { code: '4001' }],
    ['an internal error around it', { code: -32603, message: 'Internal error', data: { code: 4001 } }],
    ['MetaMask mobile', { code: -32603, data: { originalError: { code: 4001, message: 'x' } } }],
    ['ethers', createError('user rejected action', { code: 'ACTION_REJECTED', info: { error: { code: 4001 } } })],
    ['viem', createError('RPC error', { cause: createError('x', { cause: { code: 4001 } }) })],
    ['WalletConnect', { code: 5000, message: 'x' }],
    ['Leather', { error: { code: 4001, message: 'x' } }],
    ['no code, English', createError('User rejected the request.')],
    ['no code, denied', createError('MetaMask Tx Signature: User denied transaction signature.')],
    ['no code, cancelled', createError('User cancelled the request')],
    ['no code, closed', createError('User closed modal')],
    ['no code, by user', createError('Transaction was rejected by user')],
    ['no code, Chinese', createError('用户拒绝了请求')],
    ['plain text', 'cancelled'],
    ['words inside another error', { code: -32603, data: { message: 'User rejected the request' } }],
  ])('is recognized in the spelling of %s', (_, error) => {
    expect(readWalletRefusal(error)).toBe('rejected');
  });

  test.each([
    ['a revert with such words', createError('execution reverted: rejected by user list')],
    ['a node that refuses', { code: -32000, message: 'transaction rejected: nonce too low' }],
    ['an internal error', { code: -32603, message: 'Internal JSON-RPC error.' }],
    ['nothing', undefined],
    ['null', null],
    ['a number', 4001],
  ])('is not found in %s', (_, error) => {
    expect(readWalletRefusal(error)).toBeNull();
  });
});

test.each([
  [{ code: -32002 }, 'pending'],
  [{ code: 4200 }, 'unsupported'],
  [{ code: -32601, message: 'x' }, 'unsupported'],
  [createError('Method not implemented'), 'unsupported'],
  [createError('The method "wallet_switchEthereumChain" does not exist / is not available.'), 'unsupported'],
  [{ code: 4900 }, 'disconnected'],
  [{ code: 4100 }, 'unauthorized'],
  [{ code: -32603, cause: { code: -32002 } }, 'pending'],
])('the error %o means %s', (error, refusal) => {
  expect(readWalletRefusal(error)).toBe(refusal);
});

test('an error that contains itself ends the search', () => {
  const circularError: { code: number; cause?: unknown } = { code: -32603 };
  circularError.cause = circularError;
  expect(readWalletRefusal(circularError)).toBeNull();
  expect(hasCode(circularError, -32603)).toBe(true);
});

test('an error code is found at any depth', () => {
  expect(hasCode({ code: -32603, data: { originalError: { code: 4902 } } }, 4902)).toBe(true);
  expect(hasCode({ code: -32603 }, 4902)).toBe(false);
});
