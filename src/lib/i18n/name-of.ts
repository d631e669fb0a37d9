import { names } from '../../../api/first-names.ts';
import type { CommandId } from '../../../api/names.ts';
import type { Name } from '../../../api/naming.ts';
import { pickLocaleName } from './i18n.ts';

const knownNames: Record<string, Name> = { ...names };

/** Separate from `t`, so that the sign-in page does not load every command name. */
export function bilingualName(id: CommandId): string {
  const name = knownNames[id];
  return name ? pickLocaleName(name) : id;
}

export const addNames = (names: Readonly<Record<string, Name>>): void => void Object.assign(knownNames, names);
