export const administrators = {
  count: ({ count }: { count: number }) => (count === 1 ? '1 administrator' : `${count} administrators`),
  title: 'Administrators',
  none: 'No administrators yet',
  empty: 'People who can sign in to the panel appear here. Add an administrator and assign roles.',
  search: 'Search email or description…',
  noRoles: 'No roles yet. Add a role first.',
  field: {
    email: 'Email',
    password: 'Password',
    passwordHint:
      'At least 15 characters. This temporary password works for 24 hours, only to let them choose their own. They also get a link by email.',
    roles: 'Role',
    description: 'Description',
    status: 'Status',
    factor: 'Second factor',
    wallet: 'Wallet',
    address: 'Taproot address',
    lastSeen: 'Last seen',
    createdAt: 'Created',
  },
  status: { enabled: 'Enabled', disabled: 'Disabled' },
  factor: { none: 'Off', totp: 'Authenticator app', passkey: 'Passkey' },
  never: 'Never',
  you: 'You',
  blocked: {
    own: 'You can’t edit your own record. Ask a colleague, or go to My account for your own settings.',
    beyond: 'Has permissions you don’t have',
    roleBeyond: 'Grants permissions you don’t have',
    enabled: 'Already enabled',
    disabled: 'This administrator is disabled',
    noFactor: 'No second factor set up',
    noWallet: 'No wallet linked',
  },
  effective: {
    title: 'Effective permissions',
    hint: 'What this administrator can see and do, and which role grants it.',
    none: 'No permissions.',
    from: 'from {{roles}}',
    count: ({ menus, functions }: { menus: number; functions: number }) =>
      `${menus} ${menus === 1 ? 'screen' : 'screens'}, ${functions} ${functions === 1 ? 'function' : 'functions'}`,
  },
  sessions: {
    title: 'Sessions',
    none: 'Not signed in anywhere.',
    count: ({ count }: { count: number }) => (count === 1 ? 'One session' : `${count} sessions`),
    since: 'Signed in',
    seen: 'Last active',
  },
  kinds: {
    administrator: 'Administrator',
  },
  ask: {
    enable: {
      title: ({ count }: { count: number }) =>
        count === 1 ? 'Enable this administrator?' : `Enable these ${count} administrators?`,
      act: ({ count }: { count: number }) => `Enable ${count === 1 ? 'administrator' : `${count} administrators`}`,
      body: 'They can sign in again, with the permissions of their roles.',
    },
    disable: {
      title: ({ count }: { count: number }) =>
        count === 1 ? 'Disable this administrator?' : `Disable these ${count} administrators?`,
      act: ({ count }: { count: number }) => `Disable ${count === 1 ? 'administrator' : `${count} administrators`}`,
      body: 'They are signed out everywhere and can’t sign in again until you enable them.',
    },
    resetPassword: {
      title: "Reset this administrator's password?",
      act: 'Send reset link',
      body: 'They get a one-time link by email. It works for 24 hours. Earlier links stop working.',
    },
    resetFactor: {
      title: "Reset this administrator's second factor?",
      act: 'Reset second factor',
      body: 'Their authenticator app, passkeys and recovery codes are removed and all their sessions end. This cannot be undone.',
    },
    unbindWallet: {
      title: "Unbind this administrator's wallet?",
      act: 'Unbind wallet',
      body: 'They can no longer sign in with it.',
    },
    endSessions: {
      title: ({ count }: { count: number }) =>
        count === 1 ? 'End all sessions of this administrator?' : `End all sessions of these ${count} administrators?`,
      act: 'End all sessions',
      body: 'They must sign in again in every browser.',
    },
    delete: {
      title: ({ count }: { count: number }) =>
        count === 1 ? 'Delete this administrator?' : `Delete these ${count} administrators?`,
      act: ({ count }: { count: number }) => `Delete ${count === 1 ? 'administrator' : `${count} administrators`}`,
      body: 'They are signed out everywhere. Their activity stays in the audit log. This can’t be undone.',
    },
  },
};
