/** `sso`: through the company's identity provider. */
export const signInMethods = ['password', 'wallet', 'sso'] as const;

/** How an account was linked to a person of the identity provider. */
export const linkOrigins = ['self', 'invitation', 'groups', 'scim'] as const;
