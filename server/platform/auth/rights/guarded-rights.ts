import { contract } from '../../../../api/contract.ts';
import { listContractRoutes } from '../../../../api/route.ts';
import { functions } from '../../../../api/all-names.ts';
import { flattenMenu, ownScreens } from '../../../../api/menu.ts';

const guardedSections = /^\/(selfCustody|CRSMTrove|permissions|audit)(\/|$)/;

const unguardedPermissions: ReadonlySet<string> = new Set([
  ...[...flattenMenu(), ...ownScreens].map(({ path }) => path).filter((path) => !guardedSections.test(path)),
  ...Object.entries(functions).flatMap(([screen, permissions]) => (guardedSections.test(screen) ? [] : permissions)),
]);

/** Money, custody, CRSM, permissions and the audit log, and every identifier that this build doesn't know. */
export const isGuarded = (identifier: string): boolean => !unguardedPermissions.has(identifier);

const freshPermissions: ReadonlySet<string> = new Set(
  listContractRoutes(contract).flatMap(({ meta }) => (meta.permission && meta.fresh ? [meta.permission] : [])),
);

/** Whether one of its routes asks for a fresh second factor. */
export const isFreshPermission = (identifier: string): boolean => freshPermissions.has(identifier);

/** A function that is guarded or needs a fresh second factor. Screens only read. */
export const isBrowserOnly = (identifier: string): boolean =>
  !identifier.startsWith('/') && (isGuarded(identifier) || isFreshPermission(identifier));
