import { HttpRequestError, RpcRequestError, TimeoutError } from 'viem';
import { describe, expect, test } from 'vitest';
import { describeRpcError, classifyRpcError, type RpcProblem } from './rpc-problem.ts';

const createRpcError = (message: string, code = -32_000) =>
  new RpcRequestError({ body: {}, url: 'node.example', error: { code, message } });
const createHttpError = (status?: number, details = '') =>
  new HttpRequestError({ body: {}, url: 'node.example', details, ...(status && { status }) });

const messagesByProblem: readonly [RpcProblem, readonly (string | [message: string, code: number])[]][] = [
  [
    'alreadyKnown',
    [
      'already known',
      'AlreadyKnown',
      'ALREADY_EXISTS: already known',
      'Known transaction',
      'known transaction: 0xab',
      'Transaction with the same hash was already imported.',
      'transaction already imported',
      'tx already exists in cache',
      'transaction is already in pool',
    ],
  ],
  [
    'nonceTooLow',
    [
      'nonce too low',
      'nonce too low: next nonce 5, tx nonce 4',
      'Nonce too low',
      'NONCE_TOO_LOW',
      'OldNonce, Current nonce: 5, nonce of rejected tx: 4',
      'OwnNonceAlreadyUsed',
      'Transaction nonce is too low. Try incrementing the nonce.',
      'nonce has already been used',
      'the nonce of the transaction is lower than the current nonce of the account',
    ],
  ],
  [
    'underpriced',
    [
      'replacement transaction underpriced',
      'transaction underpriced',
      'TRANSACTION_REPLACEMENT_UNDERPRICED',
      'ReplacementNotAllowed',
      'FeeTooLowToCompete',
      'FeeTooLow, EffectivePriorityFeePerGas too low',
      'Transaction gas price supplied is too low. There is another transaction with same nonce in the queue.',
      'max fee per gas less than block base fee: address 0xab, maxFeePerGas: 1, baseFee: 2',
    ],
  ],
  [
    'tooMuch',
    [
      ['up to a 500 block range', -32_600],
      ['query returned more than 10000 results', -32_005],
      ['eth_getLogs is limited to a 10,000 range', -32_614],
      'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range.',
      'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range.',
      'block range is too wide',
      'exceed maximum block range: 5000',
      'ranges over 10000 blocks are not supported on freetier',
      'eth_getLogs is limited to 0 - 10000 blocks range',
      'requested too many blocks from 0 to 5000, maximum is set to 2048',
      'Block range limit exceeded.',
      'backend response too large',
      'Response is too big',
      'query timeout exceeded',
    ],
  ],
  [
    'rateLimited',
    [
      ['limit exceeded', -32_005],
      ['request rate limited', -32_005],
      ['Too many requests', 429],
      ['40/second request limit reached - reduce calls per second', -32_007],
      'Your app has exceeded its compute units per second capacity.',
      ['daily request count exceeded, request rate limited', -32_005],
      'project ID request rate exceeded quota',
    ],
  ],
  ['batchRefused', ['batch limit 3 exceeded', 'batch too large', 'Batch requests are not supported']],
  [
    'reverted',
    ['execution reverted', ['execution reverted: rate limit exceeded', 3], ['Reverted 0x', -32_015], 'VM execution error.'],
  ],
  [
    'missing',
    [
      'header not found',
      'header for hash not found',
      'unknown block',
      'block not found',
      'missing trie node 0xab (path ) state 0xcd is not available',
      'block range extends beyond current head block',
      'required historical state unavailable (reexec=128)',
      'State already pruned, cannot be loaded',
      'cannot query unfinalized data',
      'requested block is not available',
    ],
  ],
  [
    'outOfGas',
    ['out of gas', 'gas required exceeds allowance (50000000)', 'err: exceeds block gas limit', 'rpc gas cap reached'],
  ],
  ['other', ['something new', ['internal error', -32_603]]],
];

describe('recognizes node errors', () => {
  test.each(messagesByProblem)('%s', (problem, messages) => {
    for (const sample of messages) {
      const [message, code] = typeof sample === 'string' ? [sample, -32_000] : sample;
      expect(classifyRpcError(createRpcError(message, code)), message).toBe(problem);
    }
  });

  test('recognizes an HTTP status, a time-out and a refused connection', () => {
    expect(classifyRpcError(createHttpError(429, '<html>Too Many Requests</html>'))).toBe('rateLimited');
    expect(classifyRpcError(createHttpError(413))).toBe('tooMuch');
    expect(classifyRpcError(createHttpError(503, 'upstream down'))).toBe('unreachable');
    expect(classifyRpcError(createHttpError(undefined, 'connect ECONNREFUSED 127.0.0.1:9'))).toBe('unreachable');
    expect(classifyRpcError(new TimeoutError({ body: {}, url: 'node.example' }))).toBe('timeout');
  });
});

test('describes an error in one line with the node and without secrets', () => {
  expect(describeRpcError(createRpcError('see https://node.example/v2/SECRETKEY123\nfor more'))).toBe(
    'node.example: see https://node.example/… for more',
  );
  expect(describeRpcError(createHttpError(429, 'slow down'))).toBe('node.example: HTTP status 429, slow down');
  expect(describeRpcError(new TimeoutError({ body: {}, url: 'node.example' }))).toBe(
    'node.example: no complete response in time',
  );
});
