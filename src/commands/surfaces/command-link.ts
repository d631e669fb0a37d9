import { linkPrefix } from '../../lib/guard.ts';
import type { Invocation } from '../core/define.ts';

/** A link to a command on these records: whoever follows it is asked before anything runs (link.ts reads it). */
export function linkTo({ id, targets = [] }: Invocation): string {
  const query = new URLSearchParams(targets.map((target) => ['id', typeof target === 'string' ? target : target.id]));
  return `${location.origin}${linkPrefix}${id}${query.size > 0 ? `?${query}` : ''}`;
}
