/** `sso`: through the company's identity provider. `cli`: by `panel login`. */
export const signInMethods = ['password', 'wallet', 'sso', 'cli'] as const;
export type SessionMethod = (typeof signInMethods)[number];

/** How an account was linked to a person of the identity provider. */
export const linkOrigins = ['self', 'invitation', 'groups', 'scim'] as const;

/** Who gets an account: SSO_JOIN. */
export const ssoJoinModes = ['invited', 'groups', 'scim'] as const;

/** SSO_EMAIL. */
export const ssoEmailModes = ['verified', 'trusted'] as const;

/** `data.reason` of SSO_FAILED. */
export const ssoFailures = [
  'DENIED', // by the provider or the person
  'NO_ANSWER', // the provider is down or too slow
  'BAD_ANSWER', // not verifiable, the audit has the cause
  'CLOCK', // data.seconds: how far the clocks differ
  'NOT_INVITED', // no account is linked
  'EMAIL_TAKEN', // an unlinked account has the email
  'EMAIL', // no verified email, or one of another domain
  'NO_ROLE', // no group has a role
  'TOO_MANY_GROUPS', // the provider left the groups out
  'DISABLED', // the linked account is disabled or deleted
  'OTHER_PERSON', // than the one of the session that asked for proof
  'LINKED_ELSEWHERE', // the person or the account is linked already
] as const;
export type SsoFailure = (typeof ssoFailures)[number];

/** Why the provider can't be used now. */
export const providerProblems = [
  'TIMEOUT',
  'DNS', // its name has no address
  'CONNECTION', // refused or interrupted
  'TLS', // its certificate isn't accepted
  'STATUS', // it answers with an error
  'ANSWER', // no discovery document
  'ISSUER', // the document names another issuer
] as const;
export type ProviderProblem = (typeof providerProblems)[number];
