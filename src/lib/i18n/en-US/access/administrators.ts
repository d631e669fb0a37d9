import { createNouns } from '../../nouns.ts';
import { countText } from '../../plural.ts';

export const administrators = {
  ...createNouns('administrator'),
  title: 'Administrators',
  none: 'No administrators yet',
  empty: 'People who can sign in to the panel appear here. Add an administrator and assign roles.',
  search: 'Search email or description…',
  noRoles: 'No roles yet. Add a role first.',
  field: {
    email: 'Email',
    password: 'Password',
    passwordHint:
      'At least 15 characters. This temporary password works for 24 hours and only for setting a new password. The administrator also gets an email with a link to set a password.',
    roles: 'Role',
    description: 'Description',
    status: 'Status',
    factor: 'Second factor',
    wallet: 'Wallet',
    address: 'Taproot address',
    lastSeen: 'Last active',
    createdAt: 'Created',
    issuer: 'Identity provider',
    subject: 'Subject at the provider',
    origin: 'Linked by',
  },
  status: { enabled: 'Enabled', disabled: 'Disabled' },
  factor: { none: 'Off', totp: 'Authenticator app', passkey: 'Passkey' },
  origin: { self: 'The person', invitation: 'A mailed link', groups: 'Groups', scim: 'Provisioning' },
  never: 'Never',
  you: 'You',
  blocked: {
    own: 'You can’t edit your own record. Ask another administrator, or go to My account for your own settings.',
    beyond: 'This administrator has a role you can’t grant',
    roleBeyond: 'You can’t grant this role: it has permissions you don’t have',
    enabled: 'This administrator is already enabled',
    disabled: 'This administrator is disabled',
    noFactor: 'This administrator has no second factor',
    noWallet: 'This administrator has no linked wallet',
    notLinked: 'This administrator isn’t linked to single sign-on',
  },
  act: {
    resetPassword: 'Reset password',
    resetFactor: 'Reset second factor',
    bindWallet: 'Link wallet',
    unbindWallet: 'Unlink wallet',
    sendSsoLink: 'Send sign-in link',
    unlinkSso: 'Unlink single sign-on',
    endSessions: 'End all sessions',
  },
  effective: {
    title: 'Effective permissions',
    hint: 'Everything this administrator can see and do, and the role that grants it.',
    none: 'No permissions.',
    from: 'Granted by: ',
    count: ({ menus, functions }: { menus: number; functions: number }) =>
      `${countText(menus, 'screen')}, ${countText(functions, 'function')}`,
  },
  sessions: {
    title: 'Sessions',
    none: 'Not signed in anywhere.',
    count: ({ count }: { count: number }) => countText(count, 'session'),
    since: 'Signed in',
    seen: 'Last active',
  },
  kinds: {
    administrator: 'Administrator',
    identityLink: 'Single sign-on link',
  },
  ask: {
    enable: { body: 'Enabled administrators can sign in again, with the permissions of their roles.' },
    disable: { body: 'Disabled administrators are signed out everywhere and can’t sign in until someone enables them.' },
    resetPassword: {
      title: 'Reset this administrator’s password?',
      act: 'Send reset link',
      body: 'The administrator gets a one-time link by email, valid for 24 hours. Earlier links stop working.',
    },
    resetFactor: {
      title: 'Reset this administrator’s second factor?',
      act: 'Reset second factor',
      body: 'The administrator’s authenticator app, passkeys and recovery codes are removed, and all sessions end. This can’t be undone.',
    },
    unbindWallet: {
      title: 'Unlink this administrator’s wallet?',
      act: 'Unlink wallet',
      body: 'The administrator can no longer sign in with this wallet.',
    },
    sendSsoLink: {
      title: 'Send a single sign-on link to this administrator?',
      act: 'Send sign-in link',
      body: 'The administrator gets a one-time link by email, valid for 24 hours, and links this account to single sign-on. Earlier links stop working.',
    },
    unlinkSso: {
      title: 'Unlink this administrator from single sign-on?',
      act: 'Unlink single sign-on',
      body: 'The administrator’s single sign-on sessions end, and single sign-on no longer opens this account. Linking again needs a new link.',
    },
    endSessions: {
      title: 'End all sessions of {{these}}?',
      act: 'End all sessions',
      body: 'Administrators must sign in again in every browser.',
    },
    delete: {
      body: 'Deleted administrators are signed out everywhere, but their activity stays in the audit log. This can’t be undone.',
    },
  },
};
