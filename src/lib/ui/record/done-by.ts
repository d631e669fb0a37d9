import { allNames } from '../../../../api/all-names.ts';
import { inLocale, tMaybe } from '../../i18n/i18n.ts';

/** What an audit entry did, in words: its command's name, else its route's, else the route itself. */
export function doneBy({ command, route }: { command: string | null; route: string }): string {
  const named = nameOf(command ?? '');
  if (named) return named;
  const word: unknown = tMaybe(`record.route.${route}`);
  return typeof word === 'string' ? word : (nameOf(route) ?? command ?? route);
}

const byId = new Map(Object.entries(allNames));

function nameOf(id: string): string | null {
  const name = byId.get(id);
  return name ? inLocale(name) : null;
}
