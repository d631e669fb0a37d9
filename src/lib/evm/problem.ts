import { refusalOf, type Refusal } from '../device/refusal.ts';

/** What went wrong between the panel, a wallet and a contract. Words: `evm.problem.<code>`. */
export type EvmProblem =
  | 'none' // no wallet is connected
  | 'gone' // the connection dropped
  | 'noWallet' // none is installed under this id
  | 'rejected' // the person said no
  | 'pending' // the wallet has a question open already
  | 'unsupported' // the wallet has no such method
  | 'silent' // the wallet does not answer what needs no person
  | 'wrongChain'
  | 'wrongAccount'
  | 'unknownChain' // the wallet does not know the chain and could not be told of it
  | 'notSwitched' // the wallet says that it switched, and is on another chain
  | 'inFlight' // a transaction of the account is on its way
  | 'tooLittle' // not enough tokens
  | 'reverted' // the contract refuses, and nothing was sent
  | 'undone' // it was mined, and the chain undid it
  | 'canceled' // replaced by nothing, in the wallet
  | 'replaced' // replaced by something else, in the wallet
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

const problems = {
  rejected: 'rejected',
  pending: 'pending',
  unsupported: 'unsupported',
  disconnected: 'gone',
  unauthorized: 'none',
} as const satisfies Record<Refusal, EvmProblem>;

/** A wallet's error as one of ours. */
export function toEvmError(error: unknown): EvmError {
  for (let at: unknown = error, deep = 0; at && deep < 8; at = (at as { cause?: unknown }).cause, deep++)
    if (at instanceof EvmError) return at;
  const refusal = refusalOf(error);
  return new EvmError(refusal === null ? 'failed' : problems[refusal], {}, error);
}
