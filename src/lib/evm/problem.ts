/** What went wrong between the panel, a wallet and a contract. Words: `evm.problem.<code>`. */
export type EvmProblem =
  | 'none' // no wallet is connected
  | 'gone' // the connection dropped
  | 'noWallet' // none is installed under this id
  | 'rejected' // the person said no
  | 'pending' // the wallet has a question open already
  | 'wrongChain'
  | 'wrongAccount'
  | 'unknownChain' // the wallet does not know the chain and could not be told of it
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

/** A wallet's error as one of ours, by the codes of EIP-1193 wherever it is wrapped. */
export function toEvmError(error: unknown): EvmError {
  for (let at: unknown = error, deep = 0; at && deep < 8; at = (at as { cause?: unknown }).cause, deep++) {
    if (at instanceof EvmError) return at;
    const { code } = at as { code?: unknown };
    if (code === 4001) return new EvmError('rejected', {}, error);
    if (code === -32002) return new EvmError('pending', {}, error);
    if (code === 4900 || code === 4901) return new EvmError('gone', {}, error);
    if (code === 4100) return new EvmError('none', {}, error);
  }
  return new EvmError('failed', {}, error);
}
