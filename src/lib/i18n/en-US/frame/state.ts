export const state = {
  offline: 'Can’t reach the server. You can’t make changes until the connection is back.',
  asOf: 'Showing data as of {{time}} ({{ago}}).',
  asOfNow: 'Showing data as of {{time}}.',
  again: 'Try again',
  back: 'Back online. Everything is up to date.',
  newer: 'A new version of the panel is available. Reload to get the new version.',
  reload: 'Reload page',
  inactiveRoles: ({ roles, count }: { roles: string; count: number }) =>
    `${count === 1 ? 'This role isn’t' : 'These roles aren’t'} active on your current network: ${roles}`,
  networkRoles: 'This applies only on the networks of {{roles}}.',
};
