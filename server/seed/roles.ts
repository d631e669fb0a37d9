import { functions } from '../../api/all-names.ts';
import type { builtInRoles } from '../../api/access/built-in-roles.ts';
import type { Permission } from '../../api/names.ts';
import { qaEmail } from '../platform/auth/qa.ts';
import { flatMenu, type RoutePath } from '../../api/menu.ts';

/** What a seeded role is given: everything, or these screens and functions. A group's path stands for all below it. */
interface SeededRole {
  readonly menus: 'all' | readonly RoutePath[];
  readonly functions: 'all' | readonly Permission[];
}

/**
 * The roles a new installation starts with. Seeding only ever adds: a role that people changed stays as they made it,
 * and what is new in the product goes to whoever is listed with 'all'.
 */
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
      ...functions['/audit'],
    ],
  },
  analyst: {
    menus: 'all',
    functions: [],
  },
} as const satisfies Record<keyof typeof builtInRoles, SeededRole>;

export type RoleName = keyof typeof seededRoles;

/** Every path and command id a seeded role is given. */
export function grantsOf(role: RoleName): Set<string> {
  const seeded: SeededRole = seededRoles[role];
  const { menus, functions: codes } = seeded;
  const paths = flatMenu().map(({ path }) => path);
  const isMenu = (path: string) =>
    menus === 'all' || menus.some((given) => path === given || (given !== '/' && path.startsWith(`${given}/`)));
  const ids = Object.values(functions).flat();
  return new Set([...paths.filter(isMenu), ...(codes === 'all' ? ids : codes)]);
}

/** One demo account for each role, in development only. */
export const demoAccounts = [
  { email: 'admin@demo.local', role: 'all' },
  { email: 'editor@demo.local', role: 'editor' },
  { email: 'operator@demo.local', role: 'operator' },
  { email: 'approver@demo.local', role: 'approver' },
  { email: 'access@demo.local', role: 'access' },
  { email: 'analyst@demo.local', role: 'analyst' },
] as const satisfies readonly { email: string; role: RoleName }[];

/** Beside them where there is demo data: whoever tests finds what is for QA and experts shown. */
export const qaAccount = { email: qaEmail, role: 'all' } as const;

/** Of every demo account; printed at the start of a development server. */
export const demoPassword = 'demo-keys-open-doors';
