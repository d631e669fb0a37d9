import { functions } from '../../api/all-names.ts';
import type { builtInRoles } from '../../api/access/built-in-roles.ts';
import type { Permission } from '../../api/names.ts';
import { qaEmail } from '../platform/auth/qa.ts';
import { flattenMenu, type RoutePath } from '../../api/menu.ts';

/** A group's path grants everything below it. */
interface SeededRole {
  readonly menus: 'all' | readonly RoutePath[];
  readonly functions: 'all' | readonly Permission[];
}

/** Exports for every list the analyst sees, except the audit log: that export is a guarded right. */
export const analystExports = [
  'visits.export',
  'vaults.export',
  'walletConnections.export',
  'positionStats.export',
  'teams.export',
  'draws.export',
  'overview.export',
  'points.export',
  'airdrops.export',
] as const satisfies readonly Permission[];

/** Seeding only adds: edited roles stay edited. New permissions go to roles listed with 'all'. */
export const seededRoles = {
  all: { menus: 'all', functions: 'all' },
  editor: {
    menus: ['/', '/news', '/feedback', '/notices'],
    functions: [...functions['/news'], ...functions['/feedback'], ...functions['/notices']],
  },
  operator: {
    menus: ['/', '/overview', '/selfCustody', '/CRSMTrove'],
    functions: [
      'deposits.add',
      'deposits.edit',
      'deposits.delete',
      'deposits.cancelMint',
      'dataPanel.rename',
      'dataPanel.freezeMoney',
      'withdrawals.add',
      'withdrawals.requestRefund',
      'withdrawals.confirmRefund',
      'withdrawals.offerAgain',
      'withdrawals.cancel',
      ...functions['/CRSMTrove/CRSMList'],
      ...functions['/CRSMTrove/positionList'],
    ],
  },
  approver: {
    menus: ['/', '/overview', '/selfCustody'],
    functions: [
      'deposits.confirm',
      'deposits.retryMint',
      'deposits.cancelMint',
      'deposits.closeFailed',
      'deposits.unblock',
      'withdrawals.signRefund',
      'withdrawals.cancel',
      'dataPanel.freezeMoney',
      'dataPanel.resolve',
      ...functions['/selfCustody/authority'],
    ],
  },
  access: {
    menus: ['/', '/permissions', '/audit', '/selfCustody/authority'],
    functions: [
      ...functions['/permissions/administrator'],
      ...functions['/permissions/role'],
      ...functions['/permissions/permission'],
      ...functions['/permissions/service'],
      ...functions['/permissions/identity'],
      ...functions['/audit'],
    ],
  },
  analyst: {
    menus: 'all',
    functions: analystExports,
  },
} as const satisfies Record<keyof typeof builtInRoles, SeededRole>;

/** Roles that holders may give without holding their permissions. */
export const seededGrantableRoles = { access: ['editor'] } as const satisfies Partial<
  Record<keyof typeof seededRoles, readonly (keyof typeof seededRoles)[]>
>;

/** Permissions that an upgrade grants once to roles that were never edited. */
export const grantsAddedLater = { analyst: analystExports } as const satisfies Partial<
  Record<keyof typeof seededRoles, readonly Permission[]>
>;

export type RoleName = keyof typeof seededRoles;

export function readSeededGrants(role: RoleName): Set<string> {
  const seededRole: SeededRole = seededRoles[role];
  const { menus, functions: codes } = seededRole;
  const paths = flattenMenu().map(({ path }) => path);
  const isMenu = (path: string) =>
    menus === 'all' ||
    menus.some((allowedMenu) => path === allowedMenu || (allowedMenu !== '/' && path.startsWith(`${allowedMenu}/`)));
  const ids = Object.values(functions).flat();
  return new Set([...paths.filter(isMenu), ...(codes === 'all' ? ids : codes)]);
}

/** Development only. */
export const demoAccounts = [
  { email: 'admin@demo.local', role: 'all' },
  { email: 'editor@demo.local', role: 'editor' },
  { email: 'operator@demo.local', role: 'operator' },
  { email: 'approver@demo.local', role: 'approver' },
  { email: 'access@demo.local', role: 'access' },
  { email: 'analyst@demo.local', role: 'analyst' },
] as const satisfies readonly { email: string; role: RoleName }[];

/** Shows QA and expert features. */
export const qaAccount = { email: qaEmail, role: 'all' } as const;

/** Printed at the start of a development server. */
export const demoPassword = 'demo-keys-open-doors';
