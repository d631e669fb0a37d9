import { api } from '../net/client.ts';
import { $authorization, setAccess } from './session.ts';

/** Asks the server what the person signed in may do now. An answer to a session that has ended meanwhile counts for nothing. */
export async function refreshAccess(): Promise<void> {
  const asked = $authorization.get();
  if (!asked) return;
  const access = await api.session.current();
  if ($authorization.get() === asked) setAccess(access);
}
