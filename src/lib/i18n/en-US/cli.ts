import { countText } from '../plural.ts';

export const cli = {
  field: { challenge: 'Sign-in request' },
  challengeHint: 'Run panel login in your terminal to get a sign-in request.',
  machine: 'Machine',
  unverified: 'Chosen by the terminal and not verified.',
  terminalAddress: 'IP address of the terminal',
  browserAddress: 'IP address of this browser',
  otherNetwork:
    'The terminal and this browser have different IP addresses. Cancel unless you started panel login on that machine.',
  enter: 'Enter the sign-in request that panel login shows.',
  gone: 'The sign-in request has expired or was used. Run panel login again.',
  cannot: 'Not allowed in the terminal',
  limits: {
    guarded: 'Money, custody, CRSM, access and audit functions',
    factor: 'Anything that asks for a second factor, such as showing news',
    account: 'Changes to your password, second factor or wallet',
  },
  ends: ({ hours }: { hours: number }) =>
    `The terminal stays signed in for up to ${countText(hours, 'hour')}. You can end the session earlier in My account.`,
  loopback: 'After you allow the sign-in, your browser returns to the terminal on this machine.',
  paste: 'After you allow the sign-in, you get a code for the terminal. Never give the code to anyone.',
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
      body: 'The terminal can then run commands as you. Allow the sign-in only if you started panel login yourself.',
    },
  },
};
