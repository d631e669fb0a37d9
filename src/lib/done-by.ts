import { names, type CommandId } from '../../api/names.ts';
import { tMaybe } from './i18n/i18n.ts';
import { nameOf } from './i18n/name-of.ts';

/** What an audit entry did, in words: its command's name, else its route's, else the route itself. */
export function doneBy({ command, route }: { command: string | null; route: string }): string {
  if (command !== null && isCommand(command)) return nameOf(command);
  const word: unknown = tMaybe(`audit.route.${route}`);
  if (typeof word === 'string') return word;
  return isCommand(route) ? nameOf(route) : (command ?? route);
}

const isCommand = (id: string): id is CommandId => Object.hasOwn(names, id);
