import { readWalletRefusal, type WalletRefusal } from '../device/refusal.ts';

/** Texts: `evm.problem.<code>`. */
export type EvmProblem =
  | 'none'
  | 'gone'
  | 'noWallet' // no wallet installed with this id
  | 'rejected' // rejected by the person
  | 'pending' // the wallet already shows a request
  | 'unsupported' // method not supported
  | 'silent' // no response to a request that needs no person
  | 'wrongChain'
  | 'wrongAccount'
  | 'unknownChain' // the wallet does not know the chain and did not add it
  | 'notSwitched' // the wallet reported a switch but is on another chain
  | 'inFlight' // a transaction of the account is pending
  | 'tooLittle' // not enough tokens
  | 'reverted' // simulation failed, nothing was sent
  | 'undone' // mined, but reverted
  | 'canceled' // replaced by an empty transaction in the wallet
  | 'replaced' // replaced by another transaction in the wallet
  | 'failed';

export class EvmError extends Error {
  override name = 'EvmError';
  readonly code: EvmProblem;
  readonly values: Readonly<Record<string, string>>;
  constructor(code: EvmProblem, values: Readonly<Record<string, string>> = {}, cause?: unknown) {
    super(code, { cause });
    this.code = code;
    this.values = values;
  }
}

const problemsByRefusal = {
  rejected: 'rejected',
  pending: 'pending',
  unsupported: 'unsupported',
  disconnected: 'gone',
  unauthorized: 'none',
} as const satisfies Record<WalletRefusal, EvmProblem>;

export function toEvmError(error: unknown): EvmError {
  for (let cause: unknown = error, depth = 0; cause && depth < 8; cause = (cause as { cause?: unknown }).cause, depth++)
    if (cause instanceof EvmError) return cause;
  const refusal = readWalletRefusal(error);
  return new EvmError(refusal === null ? 'failed' : problemsByRefusal[refusal], {}, error);
}
