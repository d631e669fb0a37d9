export const roles = {
  title: 'Role management',
  none: 'No roles yet',
  empty: 'A role says what its administrators see and may do. Add one, then give it to administrators.',
  search: 'Search names and descriptions…',
  field: {
    name: 'Role name',
    description: 'Description',
    needsFactor: 'Second factor',
    grants: 'Permissions',
    administrators: 'Administrators',
    permissions: 'Permissions held',
    createdAt: 'Created',
  },
  needsFactor: 'Whoever has this role must have a second factor',
  factor: { needed: 'Required', free: 'Not required' },
  copyName: 'Copy of {{name}}',
  noEffect: 'No screen or command has this identifier: no effect',
  blocked: { notHeld: 'You do not hold this yourself, so you cannot grant it' },
  holders: 'Administrators with this role',
  holdersNone: 'Nobody has this role yet',
  disabled: 'Disabled',
  grantsNone: 'Grants nothing',
  kinds: {
    role: 'Role',
  },
  ask: {
    delete: {
      title: ({ count }: { count: number }) => (count === 1 ? 'Delete this role?' : `Delete these ${count} roles?`),
      act: ({ count }: { count: number }) => (count === 1 ? 'Delete role' : `Delete ${count} roles`),
      body: 'A role that somebody still has is not deleted. This cannot be undone.',
    },
  },
};
