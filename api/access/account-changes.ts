/** What of an account can be changed so that it could be another person's. */
export const accountChangeKinds = ['created', 'enabled', 'email', 'roles', 'rights', 'password', 'factor', 'wallet'] as const;
export type AccountChangeKind = (typeof accountChangeKinds)[number];
