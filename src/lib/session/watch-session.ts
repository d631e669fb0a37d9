import { atom } from 'nanostores';
import type { TextKey } from '../i18n/i18n.ts';
import {
  $authorization,
  $expiry,
  $loginEmail,
  accessKey,
  authorizationKey,
  clearSession,
  permittedRoutesKey,
  loadSession,
  type SessionEnd,
} from './session.ts';
import { readStored } from '../prefs/storage.ts';
import { storeReturnEmail, storeReturnForm } from './return-to.ts';

/** Why the person was signed out, if not by themselves. */
export const $loginNotice = atom<TextKey | null>(null);

/** To detect changes since the last check. */
const storedSession = () => [authorizationKey, permittedRoutesKey, accessKey].map(readStored).join('\n');
let lastSeenSession = storedSession();

/** Adopts a session that was changed in storage without an event. */
export function syncSession(): void {
  const currentSession = storedSession();
  if (currentSession === lastSeenSession) return;
  lastSeenSession = currentSession;
  loadSession();
}

/** Follows other tabs immediately, and changes in this tab when it becomes visible. */
export function watchSession(): void {
  addEventListener('storage', () => {
    const wasSignedIn = $authorization.get() !== null;
    if (wasSignedIn && !readStored(authorizationKey)) storeReturnForm();
    syncSession();
    if (wasSignedIn && $authorization.get() === null) $loginNotice.set('login.elsewhere');
  });
  for (const event of ['focus', 'pageshow'] as const) addEventListener(event, syncSession);
  document.addEventListener('visibilitychange', syncSession);
}

/** The session expired while in use: keep the page and sign in again above it. */
export const $expired = atom(false);
$authorization.listen(() => $expired.set(false));

/** After a revocation, or before the page has loaded the session, go to sign-in so that nothing stays on screen. */
export function expireSession(sessionEnd: SessionEnd): void {
  if (sessionEnd === 'expired' && $expiry.get() !== null) return $expired.set(true);
  $loginNotice.set(sessionEnd === 'revoked' ? 'login.revoked' : 'errors.code.UNAUTHORIZED');
  storeReturnForm();
  storeReturnEmail($loginEmail.get());
  clearSession();
}
