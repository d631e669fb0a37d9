import type { Name } from '../naming.ts';

export const cliNames = {
  'cli.approve': { zh: '批准终端登录', en: 'Allow terminal sign-in' },
} as const satisfies Record<string, Name>;
