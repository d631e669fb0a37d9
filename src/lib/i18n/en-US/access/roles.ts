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
  },
  holders: 'Administrators with this role',
  holdersNone: 'No administrator has this role yet',
  disabled: 'Disabled',
  grantsNone: 'No permissions',
  kinds: {
    role: 'Role',
  },
  ask: {
    delete: { body: 'Roles that are still assigned won’t be deleted. This can’t be undone.' },
  },
};
