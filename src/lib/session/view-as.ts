import type { ViewKind } from '../../../api/access/view-as.ts';
import { api, ApiError } from '../net/client.ts';
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

/**
 * After a change of permissions. Leaves the view if the role or person is gone, or the viewer may no longer see it. Keeps the view
 * when the server gives no answer, as while the page is left.
 */
export async function refreshView(): Promise<void> {
  const viewed = $viewAs.get();
  if (!viewed) return;
  try {
    const access = await read(viewed.kind, viewed.id);
    if ($viewAs.get()?.id === viewed.id) setViewAs({ ...viewed, access });
  } catch (error) {
    const isRefused = error instanceof ApiError && (error.code === 'FORBIDDEN' || error.code === 'NOT_FOUND');
    if (isRefused && $viewAs.get()?.id === viewed.id) leaveView();
  }
}
