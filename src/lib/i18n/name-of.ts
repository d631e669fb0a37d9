import { names } from '../../../api/first-names.ts';
import type { CommandId } from '../../../api/names.ts';
import type { Name } from '../../../api/naming.ts';
import { inLocale } from './i18n.ts';

const known: Record<string, Name> = { ...names };

/** The command's name in the page's language. Apart from `t`, so that the sign-in page does not load every name. */
export function nameOf(id: CommandId): string {
  const name = known[id];
  return name ? inLocale(name) : id;
}

/** Names that come with the commands of a screen. */
export const addNames = (more: Readonly<Record<string, Name>>): void => void Object.assign(known, more);
