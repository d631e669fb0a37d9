import { isStopped } from '../device/device-request.ts';
import { EvmError, type EvmProblem } from '../evm/problem.ts';

/** Why nothing was signed. Words: `authority.problem.<code>`. */
export type AuthorityProblem =
  | 'differs' // what is to be signed is not what was shown: values.field
  | 'stopped' // the person closed the browser's question, or this device has no such passkey
  | 'algorithm' // a passkey of another curve
  | 'unsaid'; // the authenticator did not tell the passkey's public key

/** Of a wallet that did not sign: it is not there or cannot, shows another chain or account, or the person said no. */
const unsigned: ReadonlySet<EvmProblem> = new Set([
  'none',
  'gone',
  'silent',
  'unsupported',
  'rejected',
  'pending',
  'wrongChain',
  'wrongAccount',
]);

/** Whether nobody signed although all was in order: they stopped, or their wallet was not ready. What they asked for before stands. */
export const isUnsigned = (error: unknown): boolean =>
  error instanceof EvmError
    ? unsigned.has(error.code)
    : isStopped(error) || (error instanceof AuthorityError && error.code === 'stopped');

export class AuthorityError extends Error {
  override name = 'AuthorityError';
  readonly code: AuthorityProblem;
  readonly values: Readonly<Record<string, string>>;
  constructor(code: AuthorityProblem, values: Readonly<Record<string, string>> = {}, cause?: unknown) {
    super(code, { cause });
    this.code = code;
    this.values = values;
  }
}
