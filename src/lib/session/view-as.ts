import type { ViewKind } from '../../../api/access/view-as.ts';
import { api, ApiError } from '../net/client.ts';
import { queryClient } from '../net/query.ts';
import { $viewAs, setViewAs, type ViewAs } from './session.ts';

const fetchAccess = async (kind: ViewKind, id: string) => (kind === 'role' ? api.roles : api.administrators).viewAs({ id });

/** Shows this tab's panel as a role or person sees it. `from`: where leaving leads to. */
export async function enterView(viewTarget: Omit<ViewAs, 'access'>): Promise<void> {
  const access = await fetchAccess(viewTarget.kind, viewTarget.id);
  setViewAs({ ...viewTarget, access });
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
  const viewTarget = $viewAs.get();
  if (!viewTarget) return;
  try {
    const access = await fetchAccess(viewTarget.kind, viewTarget.id);
    if ($viewAs.get()?.id === viewTarget.id) setViewAs({ ...viewTarget, access });
  } catch (error) {
    const isAccessRefused = error instanceof ApiError && (error.code === 'FORBIDDEN' || error.code === 'NOT_FOUND');
    if (isAccessRefused && $viewAs.get()?.id === viewTarget.id) leaveView();
  }
}
