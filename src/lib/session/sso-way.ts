/** Single sign-on as the server writes it into the page. */
export interface SsoWay {
  /** The provider's display name. */
  name: string;
  /** Linked accounts sign in this way only. */
  required: boolean;
}

/** Null without a provider. */
export function readSsoWay(): SsoWay | null {
  const content = document.querySelector<HTMLMetaElement>('meta[name=sso]')?.content;
  return content ? (JSON.parse(content) as SsoWay) : null;
}

/** Fragment of the emailed link that links an account, and the tab's storage key of its token. */
export const invitationStart = '#link-sso=';

/** Fragment that starts a sign-in at the provider, from a page whose session is over. */
export const ssoStartHash = '#sso';

/** Fragment that proves at the provider who is there, from a page that asks for it. Also the tab's storage key on the way. */
export const proofStartHash = '#prove-sso';

/** Tells the page that asked. Its next request shows whether the server agrees. */
export const proofChannel = 'sso.proven';

/** The tab's storage key of the address that signs out at the provider too. */
export const providerSignOutKey = 'sso.signOut';
