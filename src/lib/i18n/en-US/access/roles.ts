import { countText } from '../../plural.ts';
import { createNouns } from '../../nouns.ts';

export const roles = {
  ...createNouns('role'),
  title: 'Role management',
  none: 'No roles yet',
  empty: 'A role defines what administrators can see and do. Add a role, then assign it to administrators.',
  search: 'Search name or description…',
  field: {
    name: 'Role name',
    description: 'Description',
    needsFactor: 'Second factor',
    grants: 'Permissions',
    mayGrant: 'May grant',
    networks: 'Networks',
    idleMinutes: 'Idle limit (minutes)',
    sessionHours: 'Session limit (hours)',
    administrators: 'Administrators',
    permissions: 'Permissions',
    createdAt: 'Created',
  },
  needsFactor: 'Require a second factor for this role',
  factor: { needed: 'Required', free: 'Not required' },
  copyName: 'Copy of {{name}}',
  noEffect: 'No effect: no screen or command uses this identifier',
  mayGrantNone: 'This role can’t grant other roles',
  noneToGrant: 'No roles yet. Add a role first.',
  mayGrantHint: 'People with this role can give these roles to others without having the permissions themselves.',
  blocked: {
    notHeld: 'You can’t grant a permission you don’t have',
    guarded: 'Only people with its custody, CRSM, access or audit permissions can grant this role',
    beyond: 'You can’t grant this role yourself',
    assigned: 'Administrators still have this role',
  },
  limits: {
    group: 'Networks and sessions',
    networksHint:
      'Elsewhere, this role grants nothing. Separate networks with commas, such as 203.0.113.0/24, 2001:db8::/32. Leave blank to allow every network.',
    address: 'The server sees your address as {{address}}.',
    unknown: 'The server can’t see your address.',
    addAddress: 'Add my address',
    addressListed: 'Your address is listed',
    ipv6: 'Only IPv4 networks are listed. People who connect over IPv6 can’t use this role.',
    proxy:
      'This address is private, and every visitor may appear to have it. Ask your system administrator to set TRUST_PROXY on the server.',
    off: 'The server ignores the networks of roles because ROLE_NETWORKS is off.',
    server: ({ minutes, hours }: { minutes: number; hours: number }) =>
      `People are signed out after this time. The shortest limit of all their roles counts. The server’s limits are ${countText(minutes, 'minute')} idle and ${countText(hours, 'hour')} in total.`,
    everyNetwork: 'Every network',
    asServer: 'Same as the server',
    minutes: ({ count }: { count: number }) => countText(count, 'minute'),
    hours: ({ count }: { count: number }) => countText(count, 'hour'),
  },
  holders: 'Administrators with this role',
  holdersNone: 'No administrator has this role yet',
  disabled: 'Disabled',
  grantsNone: 'No permissions',
  kinds: {
    role: 'Role',
  },
  ask: {
    delete: { body: 'This can’t be undone.' },
  },
};
