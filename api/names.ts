import type { allNames, functions } from './all-names.ts';
import type { MenuPath } from './menu.ts';

/**
 * The names that the first load shows, in both languages. All others come with their feature (<feature>/names.ts), which says as well
 * what of it is a right of its own; `allNames` and `functions` (all-names.ts) have each. A command without a name does not compile.
 */
export const names = {
  'palette.open': { zh: '打开命令面板', en: 'Open the command palette' },
  'keys.help': { zh: '查看快捷键', en: 'Keyboard shortcuts' },
  'language.switch': { zh: '切换语言', en: 'Switch language' },
  'theme.set': { zh: '设置主题', en: 'Set theme' },
  'density.set': { zh: '设置列表密度', en: 'Set density' },
  'session.changePassword': { zh: '修改密码', en: 'Change Password' },
  'session.signOut': { zh: '退出登录', en: 'Sign Out' },
} as const satisfies Record<string, Name>;

export interface Name {
  zh: string;
  en: string;
}

/** Of every command: what has a name in all-names.ts. */
export type CommandId = keyof typeof allNames;

/** The commands that need a right of their own: function nodes of the permission tree, by the screen they stand under. */
export type Functions<Names> = { readonly [P in MenuPath]?: readonly (keyof Names)[] };

/** One word for one right: a command's id, the code on a role, and the permission of the route it calls. */
export type Permission = (typeof functions)[keyof typeof functions][number];
