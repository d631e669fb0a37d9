import { builtInRoles, toStoredRole } from '../../../api/access/built-in-roles.ts';
import type { Name } from '../../../api/naming.ts';
import { pickLocaleName } from './i18n.ts';

const namesByRole = new Map<string, Name>(
  Object.values(builtInRoles).flatMap((role) => {
    const storedName = toStoredRole(role);
    return [
      [storedName.name, role.name],
      [storedName.description, role.description],
    ] as const;
  }),
);

/** Translates built-in roles only. */
export function roleText(storedName: string): string {
  const roleName = namesByRole.get(storedName);
  return roleName ? pickLocaleName(roleName) : storedName;
}
