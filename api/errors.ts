import type { Rule } from './validation-rules.ts';

/** The closed catalog of API errors. The browser renders its own text from `code`. */
export const errorStatus = {
  BAD_REQUEST: 400, // data.issues: [{ path, rule }]
  UNAUTHORIZED: 401, // no session, or it ended; data.revoked: it was taken away
  SIGN_IN_FAILED: 401, // wrong password, unknown or disabled account: one answer for all
  NO_ACCOUNT: 401, // the wallet has shown its address, which is no enabled administrator's
  CODE_WRONG: 401, // the verification code is wrong, used or expired
  FACTOR_WRONG: 401, // the second factor is wrong
  FORBIDDEN: 403,
  FACTOR_STALE: 403, // confirm the second factor, or the password without one, and repeat the request
  PASSWORD_REQUIRED: 403, // a colleague chose the password: only choosing one's own is allowed
  FACTOR_REQUIRED: 403, // a role needs a second factor: only setting one up is allowed
  GRANT_BEYOND_OWN: 403, // a permission that the actor lacks; data.identifiers
  OWN_ACCESS: 403, // one's own roles or status
  HOLDS_MORE: 403, // the administrator has permissions that the actor lacks; data.identifiers
  NOT_FOUND: 404,
  CONFLICT: 409, // data.current: the row as it is now
  IN_PROGRESS: 409, // a request with the same Idempotency-Key is running
  DRIFTED: 409, // the records that match the filter have changed; data.count: how many match now
  INCOMPLETE: 409, // the record lacks what this step needs; data.fields
  ADDRESS_TAKEN: 409, // the wallet address is another administrator's
  LAST_ACCESS: 409, // no one would be left who can manage access
  BALANCE_TOO_LOW: 409, // a balance would be below zero; data.addresses
  NOT_REVERSIBLE: 409, // an entry that was reversed, or a reversal; data.ids
  MONEY_FROZEN: 409, // deposits, mints and supply differ, or someone froze money
  IN_USE: 409, // data.by: names of the records that use it
  ALREADY_IMPORTED: 409, // data.by: who imported the same file
  DEPOSIT_KNOWN: 409, // a deposit names the same Bitcoin output; data.ids
  MONEY_REFUSED: 409, // a money rule forbids it; data.reason: api/deposits/contract.ts
  CRSM_REFUSED: 409, // the call would fail on chain; data.reason: crsmRefusals in api/crsm/values.ts
  BUILT_ON: 409, // it can't be undone: later changes depend on it
  ATTEMPT_GONE: 410, // this sign-in took too long or began in another browser
  LINK_GONE: 410, // a one-time link that was used, replaced or has expired
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  PICTURE_REFUSED: 422, // data.reason: 'type' | 'size' | 'pixels' | 'broken'
  PICTURE_QUOTA: 429, // the limit of pictures for 24 hours; data.pictures, data.megabytes: the limits, 0 for none; data.retryAfter
  IDEMPOTENCY_MISMATCH: 422, // the same Idempotency-Key with another payload
  TOO_MANY_REQUESTS: 429, // data.retryAfter: seconds
  INTERNAL: 500,
  UNAVAILABLE: 503,
  MAIL_FAILED: 503, // the mail server did not accept the email with a code
  MAIL_OFF: 503, // no mail server is configured: codes cannot be sent
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** One broken rule of one field. `rule` is the name of a text in the dictionaries (`form.rule.*`). */
export interface FieldIssue {
  path: string;
  rule: Rule;
  /** Number of characters that `tooLong` or `tooShort` allows, where the schema states one. */
  limit?: number;
}
