import { api } from '../net/client.ts';
import { $authorization, setAccess } from './session.ts';

/** Ignores a response to a session that has ended since. */
export async function refreshAccess(): Promise<void> {
  const asked = $authorization.get();
  if (!asked) return;
  const access = await api.session.current();
  if ($authorization.get() === asked) setAccess(access);
}
