/** `svc`: of a service account. `scim`: of the identity provider. */
export const tokenKinds = ['svc', 'scim'] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** Why a token was revoked. `deleted`: with its account. */
export const revocationReasons = ['person', 'leaked', 'idle', 'deleted'] as const;

/** `replaced`: rotated, and works until its end. */
export const tokenStates = ['live', 'replaced', 'expired', 'revoked'] as const;
export type TokenState = (typeof tokenStates)[number];

/** Why a token that exists is refused. `disabled`: its account is, or has no enabled owner. */
export const tokenProblems = ['expired', 'revoked', 'disabled', 'network'] as const;
export type TokenProblem = (typeof tokenProblems)[number];

/** The only guarded permissions that a token can have. They stop or refresh, and move nothing. */
export const serviceMoneyRights = ['dataPanel.freezeMoney', 'crsm.updateData', 'alarms.test'] as const;

/** How long a rotated token keeps working. */
export const gracePeriods = ['none', 'hour', 'day', 'week'] as const;
export type GracePeriod = (typeof gracePeriods)[number];
