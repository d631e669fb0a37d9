import { flatMenu } from '../../../api/routes.ts';
import { linkPrefix } from '../../lib/guard.ts';
import { registry } from '../registry.ts';
import type { Invocation } from '../core/define.ts';

/**
 * A link to a command: `/~news.edit?id=…&title=…`. It opens the command's screen and there asks before anything runs;
 * `id` names the targets (more than once for several), anything else is a parameter.
 */
export async function parseLink(path: string, search: string): Promise<Invocation | null> {
  await import('../all.ts'); // the linked command may be any
  const command = path.startsWith(linkPrefix) ? registry.get(path.slice(linkPrefix.length)) : undefined;
  if (!command) return null;
  const query = new URLSearchParams(search);
  const targets = query.getAll('id');
  query.delete('id');
  const known = Object.keys(command.params?.fields ?? {});
  const params = Object.fromEntries([...query].filter(([name]) => known.includes(name)));
  return { id: command.id, ...(targets.length > 0 ? { targets } : {}), ...(Object.keys(params).length > 0 ? { params } : {}) };
}

/** The screen a linked command stands on. */
export function screenOf({ id }: Invocation): string {
  const place = registry.get(id)?.place;
  return flatMenu().find(({ path }) => path === place)?.path ?? '/';
}
