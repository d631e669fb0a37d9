import type { ViewKind } from '../../../api/access/view-as.ts';
import { api } from '../net/client.ts';
import { queryClient } from '../net/query.ts';
import { $viewAs, setViewAs, type ViewAs } from './session.ts';

const read = async (kind: ViewKind, id: string) => (kind === 'role' ? api.roles : api.administrators).viewAs({ id });

/** Shows this tab's panel as a role or person sees it. `from`: where leaving leads to. */
export async function enterView(viewed: Omit<ViewAs, 'access'>): Promise<void> {
  const access = await read(viewed.kind, viewed.id);
  setViewAs({ ...viewed, access });
  queryClient.clear();
}

/** Returns where the view began. */
export function leaveView(): string {
  const from = $viewAs.get()?.from ?? '/';
  setViewAs(null);
  queryClient.clear();
  return from;
}

/** After a change of permissions. Leaves the view if the role or person is gone, or the viewer may no longer see it. */
export async function refreshView(): Promise<void> {
  const viewed = $viewAs.get();
  if (!viewed) return;
  const access = await read(viewed.kind, viewed.id).catch(() => null);
  if ($viewAs.get()?.id !== viewed.id) return;
  if (access) setViewAs({ ...viewed, access });
  else leaveView();
}
