import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem';
import { describeError } from '../core/log.ts';
import { redactShort } from '../core/redact.ts';

export type RpcProblem =
  | 'timeout'
  | 'unreachable'
  | 'rateLimited'
  | 'tooMuch' // blocks, results or bytes
  | 'batchRefused'
  | 'outOfGas'
  | 'reverted'
  | 'missing' // a block or its state
  | 'alreadyKnown'
  | 'nonceTooLow'
  | 'underpriced'
  | 'other';

/**
 * Wordings of geth, Erigon, Nethermind, Besu, Reth, OpenEthereum, anvil and providers. Order matters: a revert carries the
 * contract's words, and a missing block is often "out of range".
 */
const problemPatterns: readonly (readonly [RpcProblem, RegExp])[] = [
  ['reverted', /revert|invalid opcode|vm execution error/i],
  ['alreadyKnown', /already ?known|already_exists|already imported|known transaction|already (exists|in (the )?(mem)?pool)/i],
  [
    'nonceTooLow',
    /nonce[ _]?(is )?too[ _]?low|oldnonce|(lower|less) than the (current|account) nonce|nonce (has )?already (been )?used|nonce_expired|ownnoncealreadyused/i,
  ],
  [
    'underpriced',
    /underpriced|replacementnotallowed|fee ?too ?low|gas price (supplied )?(is )?too low|fee per gas less than block base fee|maxfeepergas too low/i,
  ],
  [
    'missing',
    /header (for hash )?not found|(unknown|missing) (block|header)|block[^,.]{0,80}(not found|not available|unavailable|out of range)|blockoutofrange|missing trie node|no state available|state[^,.]{0,80}(not available|unavailable|pruned)|\bpruned\b|(beyond|after) (the )?(current |last )?(head|accepted)|unfinalized data|future block|resource not found/i,
  ],
  [
    'outOfGas',
    /out of gas|gas (uint64 )?overflow|gas required exceeds|exceeds (the )?(block |rpc )?gas (limit|cap|allowance)|gas cap/i,
  ],
  ['batchRefused', /batch/i],
  [
    'tooMuch',
    /block range|blocks? distance|range (limit|is too|too)|ranges? (over|greater|larger)|limited to (a |an |0 ?- ?)?[\d,.]+k?|more than [\d,.]+k? (results|logs|blocks)|too many (blocks|results|logs|events)|requested too many|response (size|is too|too)|result (set )?(is )?too (large|big)|too large|query (timeout|exceeds|returned)|timed? ?out|took too long|execution aborted|max(imum)? (allowed )?(block )?range/i,
  ],
  [
    'rateLimited',
    /rate.?limit|too many requests|limit (exceeded|reached)|request limit|exceeded .{0,40}(limit|quota|capacity)|quota|throttl|compute units|capacity/i,
  ],
];

const limitCodes: ReadonlySet<number> = new Set([-32005, -32007, -32029, 429]);

function readErrorDetails(error: unknown): { code: number | undefined; status: number | undefined; words: string } {
  const requestError = findCause(error, (cause) => cause instanceof RpcRequestError);
  if (requestError instanceof RpcRequestError) return { code: requestError.code, status: undefined, words: requestError.details };
  const httpError = findCause(error, (cause) => cause instanceof HttpRequestError);
  if (httpError instanceof HttpRequestError) return { code: undefined, status: httpError.status, words: httpError.details };
  return { code: undefined, status: undefined, words: error instanceof Error ? error.message : '' };
}

const findCause = (error: unknown, isMatch: (cause: unknown) => boolean): unknown =>
  error instanceof BaseError ? error.walk(isMatch) : isMatch(error) ? error : null;

export function classifyRpcError(error: unknown): RpcProblem {
  if (findCause(error, (cause) => cause instanceof TimeoutError) instanceof TimeoutError) return 'timeout';
  const { code, status, words: messageText } = readErrorDetails(error);
  if (code === 3) return 'reverted';
  if (status === 429) return 'rateLimited';
  const matchingProblem = problemPatterns.find(([, pattern]) => pattern.test(messageText))?.[0];
  if (matchingProblem) return matchingProblem;
  if (code !== undefined) return limitCodes.has(code) ? 'rateLimited' : 'other';
  if (status === 413) return 'tooMuch';
  return findCause(error, (cause) => cause instanceof HttpRequestError) instanceof HttpRequestError ? 'unreachable' : 'other';
}

/** A smaller or different request may work. */
export const isRefused = (error: unknown): boolean => {
  const httpError = findCause(error, (cause) => cause instanceof HttpRequestError);
  if (httpError instanceof HttpRequestError) return httpError.status !== undefined;
  return error instanceof BaseError && classifyRpcError(error) !== 'timeout';
};

/** Reverted, or returned data outside its ABI. */
export function isContractFault(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const nodeProblems = error.walk(
    (cause) => cause instanceof RpcRequestError || cause instanceof HttpRequestError || cause instanceof TimeoutError,
  );
  return nodeProblems === null ? !isAborted(error) : classifyRpcError(error) === 'reverted';
}

const isAborted = (error: BaseError): boolean => error.walk((cause) => cause instanceof DOMException) !== null;

const maxMessageLength = 200;

export function describeRpcError(error: unknown): string {
  const knownCause = findCause(
    error,
    (cause) => cause instanceof TimeoutError || cause instanceof RpcRequestError || cause instanceof HttpRequestError,
  );
  if (knownCause instanceof TimeoutError) return `${knownCause.url}: no complete response in time`;
  if (knownCause instanceof RpcRequestError) return `${knownCause.url}: ${toOneLine(knownCause.details)}`;
  if (knownCause instanceof HttpRequestError)
    return `${knownCause.url}: ${knownCause.status === undefined ? 'unreachable' : `HTTP status ${knownCause.status}`}${knownCause.details ? `, ${toOneLine(knownCause.details)}` : ''}`;
  return error instanceof BaseError ? toOneLine(error.shortMessage) : toOneLine(describeError(error).message);
}

const toOneLine = (text: string): string => redactShort(text, maxMessageLength).replaceAll(/\s+/g, ' ').trim();
