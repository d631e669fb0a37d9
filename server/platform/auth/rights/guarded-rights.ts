import { functions } from '../../../../api/all-names.ts';
import { flattenMenu, ownScreens } from '../../../../api/menu.ts';

const guardedSections = /^\/(selfCustody|CRSMTrove|permissions|audit)(\/|$)/;

const unguardedPermissions: ReadonlySet<string> = new Set([
  ...[...flattenMenu(), ...ownScreens].map(({ path }) => path).filter((path) => !guardedSections.test(path)),
  ...Object.entries(functions).flatMap(([screen, permissions]) => (guardedSections.test(screen) ? [] : permissions)),
]);

/** Money, custody, CRSM, permissions and the audit log, and every identifier that this build doesn't know. */
export const isGuarded = (identifier: string): boolean => !unguardedPermissions.has(identifier);
