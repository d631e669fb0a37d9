import { countText } from '../plural.ts';

export const cli = {
  field: { challenge: 'Sign-in request' },
  challengeHint: 'The command panel login prints this in your terminal.',
  machine: 'Machine',
  unverified: 'The terminal chose this name.',
  terminalAddress: 'IP address of the terminal',
  browserAddress: 'IP address of this browser',
  otherNetwork: 'The terminal has another IP address than this browser. Cancel unless you started panel login on that machine.',
  enter: 'Enter the request that panel login prints.',
  gone: 'The request has expired or was used. Run panel login again.',
  cannot: 'The terminal can’t do this',
  limits: {
    guarded: 'Money, custody, CRSM, access and audit functions',
    factor: 'Anything that asks for a second factor, such as showing news',
    account: 'Changes of your password, second factor or wallet',
  },
  ends: ({ hours }: { hours: number }) =>
    `You’re signed in there for up to ${countText(hours, 'hour')}. You can end the session in My account.`,
  loopback: 'Your browser then returns to the terminal on this machine.',
  paste: 'You then get a code for the terminal. Never give the code to anyone.',
  code: {
    enter: 'Enter this code in your terminal',
    returned: 'Return to your terminal',
    intro: 'The code works once within two minutes. Never give the code to anyone.',
    fallback: 'If the terminal isn’t signed in, run panel login --paste.',
    close: 'Close code',
  },
  ask: {
    approve: {
      title: 'Allow this terminal to sign in?',
      act: 'Allow sign-in',
      body: 'The terminal can then work as you. Allow this only if you started panel login yourself.',
    },
  },
};
