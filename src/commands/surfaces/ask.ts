import { tMaybe } from '../../lib/i18n/i18n.ts';
import { nameOf } from '../../lib/i18n/name-of.ts';
import type { OpenConfirm } from './questions.ts';

/** What a command asks before it runs: the dictionary's `ask.<id>`, else its name. */
export function askOf({ command, targets }: Pick<OpenConfirm, 'command' | 'targets'>): {
  title: string;
  act: string;
  body: string | null;
  grave: boolean;
} {
  const values = { count: targets.length };
  const name = nameOf(command.id);
  return {
    title: tMaybe(`ask.${command.id}.title`, values) ?? name,
    act: tMaybe(`ask.${command.id}.act`, values) ?? name,
    body: tMaybe(`ask.${command.id}.body`, values),
    grave: command.danger === 'irreversible' || command.danger === 'money',
  };
}
