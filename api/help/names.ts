import type { Name } from '../naming.ts';

export const helpNames = {
  'go.help': { zh: '打开帮助', en: 'Open help' },
} as const satisfies Record<string, Name>;
