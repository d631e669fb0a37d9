import type { Name } from './naming.ts';

export const names = {
  'palette.open': { zh: '打开命令面板', en: 'Open command palette' },
  'keys.help': { zh: '查看快捷键', en: 'Keyboard shortcuts' },
  'language.switch': { zh: '切换语言', en: 'Switch language' },
  'theme.set': { zh: '设置主题', en: 'Set theme' },
  'density.set': { zh: '设置列表密度', en: 'Set list density' },
  'session.changePassword': { zh: '修改密码', en: 'Change Password' },
  'session.signOut': { zh: '退出登录', en: 'Sign Out' },
} as const satisfies Record<string, Name>;
