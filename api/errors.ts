import type { Rule } from './validation-rules.ts';

/** The closed catalogue of errors the API answers with. The browser renders its own text from `code`. */
export const errorStatus = {
  BAD_REQUEST: 400, // data.issues: [{ path, rule }]
  UNAUTHORIZED: 401, // no session, or it ended; data.revoked: it was taken away
  SIGN_IN_FAILED: 401, // wrong password, unknown or disabled account: one answer for all
  NO_ACCOUNT: 401, // the wallet has shown its address, which is no enabled administrator's
  CODE_WRONG: 401, // the verification code is wrong, used, or too old
  FACTOR_WRONG: 401, // the second factor is
  FORBIDDEN: 403,
  FACTOR_STALE: 403, // show the second factor again, or without one the password, then ask again
  PASSWORD_REQUIRED: 403, // a colleague chose the password: nothing but choosing one's own goes
  FACTOR_REQUIRED: 403, // a role needs a second factor: nothing but setting one up goes
  GRANT_BEYOND_OWN: 403, // nobody grants what they lack; data.identifiers
  OWN_ACCESS: 403, // nobody changes their own roles or status
  HOLDS_MORE: 403, // they hold what you lack; data.identifiers
  NOT_FOUND: 404,
  CONFLICT: 409, // data.current: the row as it is now
  IN_PROGRESS: 409, // the same Idempotency-Key is being worked on
  DRIFTED: 409, // what matches the filter is no longer what was seen; data.count: how many match now
  INCOMPLETE: 409, // the record lacks what this step needs; data.fields
  ADDRESS_TAKEN: 409, // the wallet address is another administrator's
  LAST_ACCESS: 409, // nobody would be left who can manage access
  BALANCE_TOO_LOW: 409, // a balance would be below zero; data.addresses
  NOT_REVERSIBLE: 409, // an entry is reversed already, or a reversal itself; data.ids
  MONEY_FROZEN: 409, // deposited, minted and supply disagree: no money command until somebody has said why
  IN_USE: 409, // data.by: names of what uses it
  ALREADY_IMPORTED: 409, // the same file, by somebody, before; data.by
  DEPOSIT_KNOWN: 409, // a deposit names the same Bitcoin output; data.ids
  MONEY_REFUSED: 409, // a rule of money says no; data.reason: api/deposits/contract.ts
  CRSM_REFUSED: 409, // the chain would refuse the call; data.reason: crsmRefusals in api/crsm/values.ts
  BUILT_ON: 409, // it cannot be taken back: something builds on it
  ATTEMPT_GONE: 410, // this sign-in took too long, or was begun in another browser
  LINK_GONE: 410, // a one-time link that was used, replaced, or is too old
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  PICTURE_REFUSED: 422, // data.reason: 'type' | 'size' | 'pixels' | 'broken'
  PICTURE_QUOTA: 429, // a person's pictures of 24 hours are used up; data.pictures, data.megabytes: the limits, 0 for none; data.retryAfter
  IDEMPOTENCY_MISMATCH: 422, // the same Idempotency-Key with another payload
  TOO_MANY_REQUESTS: 429, // data.retryAfter: seconds
  INTERNAL: 500,
  UNAVAILABLE: 503,
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
