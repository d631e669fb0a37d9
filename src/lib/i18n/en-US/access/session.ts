export const session = {
  kinds: {
    session: 'Session',
  },
  ask: {
    signOut: { title: 'Confirm the exit login', act: 'Sign Out' },
  },
};
