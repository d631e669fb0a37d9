/** Why nothing was signed. Words: `authority.problem.<code>`. */
export type AuthorityProblem =
  | 'differs' // what is to be signed is not what was shown: values.field
  | 'stopped' // the person closed the browser's question, or this device has no such passkey
  | 'algorithm' // a passkey of another curve
  | 'unsaid'; // the browser did not tell the passkey's public key

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
