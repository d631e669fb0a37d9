import { builtInRoles, storedRole } from '../../../api/access/built-in-roles.ts';
import type { Name } from '../../../api/naming.ts';
import { inLocale } from './i18n.ts';

const texts = new Map<string, Name>(
  Object.values(builtInRoles).flatMap((role) => {
    const stored = storedRole(role);
    return [
      [stored.name, role.name],
      [stored.description, role.description],
    ] as const;
  }),
);

/** Translates built-in roles only. */
export function roleText(stored: string): string {
  const known = texts.get(stored);
  return known ? inLocale(known) : stored;
}
