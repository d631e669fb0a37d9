import { api } from '../net/client.ts';
import { $authorization, $viewAs, setAccess } from './session.ts';

/** Ignores a response to a session that has ended since. */
export async function refreshAccess(): Promise<void> {
  const authorization = $authorization.get();
  if (!authorization) return;
  const access = await api.session.current();
  if ($authorization.get() !== authorization) return;
  setAccess(access);
  if ($viewAs.get()) await (await import('./view-as.ts')).refreshView();
}
