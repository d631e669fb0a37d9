/** Who gave a role, or disabled an account. `idp`: the identity provider. */
export const grantSources = ['panel', 'idp'] as const;
export type GrantSource = (typeof grantSources)[number];

/** `claim`: groups or app roles of a sign-in. `scim`: groups that the provider keeps here. */
export const groupSources = ['claim', 'scim'] as const;
export type GroupSource = (typeof groupSources)[number];

/** `email`: an account that the provider doesn't manage has it. `deleted`: it is of a deleted account. */
export const provisioningConflictReasons = ['email', 'deleted'] as const;
export type ProvisioningConflictReason = (typeof provisioningConflictReasons)[number];
