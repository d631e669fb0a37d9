import type { ValidationRule } from './validation-rules.ts';

export const errorStatus = {
  BAD_REQUEST: 400, // data.issues: [{ path, rule }]
  UNAUTHORIZED: 401, // data.revoked: the session was ended by someone; data.token: why a service token is refused
  SIGN_IN_FAILED: 401,
  NO_ACCOUNT: 401, // the signed wallet address belongs to no enabled administrator
  SSO_FAILED: 401, // data.reason: api/access/sign-in-values.ts; data.name: the provider's; data.seconds
  CODE_WRONG: 401,
  FACTOR_WRONG: 401,
  FORBIDDEN: 403,
  FACTOR_STALE: 403,
  PASSWORD_REQUIRED: 403,
  FACTOR_REQUIRED: 403, // data.reason: 'VOUCH' for a factor that no one vouched for
  GRANT_BEYOND_OWN: 403, // data.identifiers: permissions that the caller lacks
  OWN_ACCESS: 403,
  HOLDS_MORE: 403, // data.identifiers: permissions that only the other has
  NETWORK: 403, // data.inactiveRoles: names of own roles that would allow it from one of their networks
  NOT_FOR_SERVICES: 403, // a service token called what only a person may do
  NOT_HERE: 403, // a CLI session called what only a browser may do
  VIEW_ONLY: 403, // sent by a page that views the panel as a role or a person (x-view-as)
  NOT_FOUND: 404,
  CONFLICT: 409, // data.current: the current row
  IN_PROGRESS: 409, // the same Idempotency-Key is running
  DRIFTED: 409, // data.count: rows that match now
  INCOMPLETE: 409, // data.fields
  ADDRESS_TAKEN: 409,
  LAST_ACCESS: 409,
  GUARDED_ROLE: 409, // data.identifiers: permissions that the identity provider may not give; data.name: the provider
  IDP_MANAGED: 409, // data.name: the identity provider
  PROVIDER_REQUIRED: 409, // data.name: the identity provider, which SSO_REQUIRED makes the only way in
  LAST_SIGN_IN_METHOD: 409, // unlinking would leave no way to sign in
  BALANCE_TOO_LOW: 409, // data.addresses
  NOT_REVERSIBLE: 409, // data.ids: reversed entries or reversals
  MONEY_FROZEN: 409, // difference, or frozen by a person
  JOIN_REFUSED: 409, // data.reason: api/news/join.ts
  IN_USE: 409, // data.by: names of records
  ALREADY_IMPORTED: 409, // data.by
  DEPOSIT_KNOWN: 409, // data.ids: deposits with the same output
  MONEY_REFUSED: 409, // data.reason: api/deposits/contract.ts
  CRSM_REFUSED: 409, // data.reason: api/crsm/values.ts
  BUILT_ON: 409,
  ATTEMPT_GONE: 410,
  LINK_GONE: 410,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  PICTURE_REFUSED: 422, // data.reason: 'type' | 'size' | 'pixels' | 'broken'
  PICTURE_QUOTA: 429, // data.pictures, data.megabytes: limits, 0 for none; data.retryAfter
  IDEMPOTENCY_MISMATCH: 422,
  TOO_MANY_REQUESTS: 429, // data.retryAfter: seconds
  EXPORT_FAILED: 409, // data.problem: api/exports/contract.ts
  EXPORT_LIMIT: 429, // data.limit: exports that one person may run
  INTERNAL: 500,
  UNAVAILABLE: 503,
  SSO_OFF: 503, // no identity provider is configured
  MAIL_FAILED: 503,
  MAIL_OFF: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export interface FieldIssue {
  path: string;
  rule: ValidationRule;
  limit?: number;
}
