import { isAbortError } from '../device/device-request.ts';
import { EvmError, type EvmProblem } from '../evm/problem.ts';

/** Why nothing was signed. Texts: `authority.problem.<code>`. */
export type AuthorityProblem =
  | 'differs' // the statement differs from what was shown: values.field
  | 'stopped' // the person canceled, or this device has no such passkey
  | 'algorithm'
  | 'unsaid'; // the authenticator did not return the public key

/** The wallet is missing, lacks the method, has another chain or account, or the person rejected. */
const problemsBeforeSigning: ReadonlySet<EvmProblem> = new Set([
  'none',
  'gone',
  'silent',
  'unsupported',
  'rejected',
  'pending',
  'wrongChain',
  'wrongAccount',
]);

/** True if the person canceled or the wallet was not ready, so that the proposed statement stays open. */
export const isSigningDeclined = (error: unknown): boolean =>
  error instanceof EvmError
    ? problemsBeforeSigning.has(error.code)
    : isAbortError(error) || (error instanceof AuthorityError && error.code === 'stopped');

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
