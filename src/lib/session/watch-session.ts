import { atom } from 'nanostores';
import type { TextKey } from '../i18n/i18n.ts';
import {
  $authorization,
  $expiry,
  accessKey,
  authorizationKey,
  clearSession,
  permittedRoutesKey,
  readSession,
  type SessionEnd,
} from './session.ts';
import { readStored } from '../prefs/storage.ts';

/** Why the person stands before the sign-in page, when it was not their own wish. */
export const $loginNotice = atom<TextKey | null>(null);

/** The stored session as text: what it was when last looked at tells whether somebody changed it. */
const stored = () => [authorizationKey, permittedRoutesKey, accessKey].map(readStored).join('\n');
let seen = stored();

/** Takes over a session that was cleared or changed in storage behind our back. */
export function syncSession(): void {
  const now = stored();
  if (now === seen) return;
  seen = now;
  readSession();
}

/** Follows sign-in and sign-out in other tabs at once, and changes in this one as soon as somebody looks. */
export function watchSession(): void {
  addEventListener('storage', () => {
    const wasSignedIn = $authorization.get() !== null;
    syncSession();
    if (wasSignedIn && $authorization.get() === null) $loginNotice.set('login.elsewhere');
  });
  for (const event of ['focus', 'pageshow'] as const) addEventListener(event, syncSession);
  document.addEventListener('visibilitychange', syncSession);
}

/** The session ended while somebody was at the page: it stays as it is, and they sign in again over it. */
export const $expired = atom(false);
// Signed in again, here or in another tab, or left for good.
$authorization.listen(() => $expired.set(false));

/**
 * The server says that the session has ended. Of one that was taken away nothing stays on screen, and a page that has not
 * stood with it yet leads to sign-in.
 */
export function endSession(how: SessionEnd): void {
  if (how === 'expired' && $expiry.get() !== null) return $expired.set(true);
  $loginNotice.set('errors.code.UNAUTHORIZED');
  clearSession();
}
