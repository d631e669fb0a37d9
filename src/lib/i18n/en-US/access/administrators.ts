export const administrators = {
  count: ({ count }: { count: number }) => (count === 1 ? '1 administrator' : `${count} administrators`),
  title: 'Administrators',
  none: 'No administrators yet',
  empty: 'Whoever may sign in to this panel is kept here. Add somebody and choose their roles.',
  search: 'Search email or description…',
  noRoles: 'There are no roles yet: add one first',
  field: {
    email: 'Email',
    password: 'Password',
    passwordHint: 'At least 15 characters. It lets them in for a day, to choose their own; a link goes by mail too.',
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
    own: 'Nobody changes their own record: ask a colleague. Your own settings are under My account',
    beyond: 'Holds rights that you do not',
    roleBeyond: 'Grants rights that you do not hold',
    enabled: 'Already enabled',
    disabled: 'Is disabled',
    noFactor: 'Has no second factor',
    noWallet: 'Has no wallet bound',
  },
  effective: {
    title: 'Effective rights',
    hint: 'What this administrator sees and may do, and which role gives it.',
    none: 'No rights at all.',
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
      body: 'They can sign in again, with the rights of their roles.',
    },
    disable: {
      title: ({ count }: { count: number }) =>
        count === 1 ? 'Disable this administrator?' : `Disable these ${count} administrators?`,
      act: ({ count }: { count: number }) => `Disable ${count === 1 ? 'administrator' : `${count} administrators`}`,
      body: 'All their sessions end at once, and they cannot sign in.',
    },
    resetPassword: {
      title: "Reset this administrator's password?",
      act: 'Send the link',
      body: 'A one-time link goes to their mailbox, good for 24 hours. Earlier links stop working.',
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
      body: 'Their sessions end at once; the record of what they did is kept. This cannot be undone.',
    },
  },
};
