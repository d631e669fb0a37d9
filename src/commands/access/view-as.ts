import type { ViewKind } from '../../../api/access/view-as.ts';
import { startPath } from '../../lib/session/guard.ts';
import { $openRoutes } from '../../lib/session/session.ts';
import { enterView } from '../../lib/session/view-as.ts';
import type { Ui } from '../engine/ui.ts';

/** Leads to the first screen of the role or person. */
export async function viewPanel(
  ui: Pick<Ui, 'here' | 'navigate'>,
  kind: ViewKind,
  { id, name }: { id: string; name: string },
): Promise<void> {
  await enterView({ kind, id, name, from: ui.here() });
  ui.navigate(startPath($openRoutes.get()));
}
