/** Who gave a role, or disabled an account. `idp`: the identity provider. */
export const grantSources = ['panel', 'idp'] as const;
export type GrantSource = (typeof grantSources)[number];

/** `claim`: groups or app roles of a sign-in. `scim`: groups that SCIM provisions. */
export const groupSources = ['claim', 'scim'] as const;
export type GroupSource = (typeof groupSources)[number];

/** `email`: an account that the provider doesn't manage has the email. `deleted`: a deleted account has the email or ID. */
export const provisioningConflictReasons = ['email', 'deleted'] as const;
export type ProvisioningConflictReason = (typeof provisioningConflictReasons)[number];

/** Where an account comes from. `provider`: SCIM or groups, no longer known which. */
export const accountOrigins = ['colleague', 'scim', 'groups', 'provider', 'server'] as const;
export type AccountOrigin = (typeof accountOrigins)[number];
