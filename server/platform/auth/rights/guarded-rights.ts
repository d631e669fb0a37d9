import { functions } from '../../../../api/all-names.ts';
import { flatMenu, ownScreens } from '../../../../api/menu.ts';

const guardedSections = /^\/(selfCustody|CRSMTrove|permissions|audit)(\/|$)/;

const unguardedPermissions: ReadonlySet<string> = new Set([
  ...[...flatMenu(), ...ownScreens].map(({ path }) => path).filter((path) => !guardedSections.test(path)),
  ...Object.entries(functions).flatMap(([screen, rights]) => (guardedSections.test(screen) ? [] : rights)),
]);

/** Money, custody, CRSM, permissions and the audit log, and every identifier that this build doesn't know. */
export const isGuarded = (identifier: string): boolean => !unguardedPermissions.has(identifier);
