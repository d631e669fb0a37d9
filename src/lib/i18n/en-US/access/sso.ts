import { countText } from '../../plural.ts';

export const sso = {
  opening: 'Opening {{name}}…',
  checking: 'Signing in with {{name}}…',
  back: 'Back to sign in',
  account: 'Back to My account',
  invitation: {
    title: 'Link {{name}}',
    intro: 'Sign in with {{name}} first. Then compare both accounts before you link them.',
  },
  link: {
    title: 'Link these two accounts?',
    intro: 'You can then sign in to the Admin Panel with {{name}}. Check that both accounts are yours.',
    provider: '{{name}} account',
    panel: 'Admin Panel account',
    act: 'Link accounts',
    linked: '{{name}} linked',
  },
  proven: {
    title: 'Identity confirmed',
    intro: 'Close this tab, and continue in the tab that you came from.',
  },
  gone: 'This sign-in was used, has expired or began in another browser. Start again.',
  failed: {
    DENIED: '{{name}} didn’t allow the sign-in. Try again, or ask the administrator of {{name}}.',
    NO_ANSWER: '{{name}} isn’t responding. Try again in a minute.',
    BAD_ANSWER: 'The answer from {{name}} couldn’t be verified. Try again.',
    CLOCK: ({ name, seconds }: { name: string; seconds: number }) =>
      `The clocks of ${name} and this server differ by ${countText(seconds, 'second')}. Tell an administrator.`,
    NOT_INVITED: 'No account is linked to this sign-in. Ask an access administrator for an invitation.',
    EMAIL_TAKEN: 'An account with this email exists. Sign in to it, then link {{name}} in My account.',
    EMAIL: '{{name}} didn’t send a verified email address that is allowed here. Ask the administrator of {{name}}.',
    NO_ROLE: 'None of your groups has a role here. Ask an access administrator.',
    TOO_MANY_GROUPS:
      '{{name}} sent no group list because you’re in too many groups. Ask the administrator of {{name}} to send app roles instead.',
    DISABLED: 'Your account is disabled. Ask an access administrator.',
    OTHER_PERSON: 'You signed in with {{name}} as another person. Sign out there, then use the account that is linked here.',
    LINKED_ELSEWHERE: 'One of these accounts is already linked to another account. Remove the old link first.',
  },
};
