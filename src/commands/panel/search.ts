import type { Aliases } from '../engine/resource.ts';

export const aliases = {
  'palette.open': '搜索 找命令 查找 全局搜索 search find command',
  'keys.help': '帮助 键盘 热键 按键 help hotkey cheat-sheet',
  'keys.single': '禁用 热键 单键 关闭 hotkey disable letters',
  'history.repeat': '再来一次 再做一次 重做 again redo last',
  'history.undo': '撤消 还原 回退 后悔 revert back last',
  'language.switch': '英文 中文 切英文 切中文 简体中文 英语 汉语 English Chinese locale translate',
  'theme.set': '深色 浅色 深色模式 夜间模式 黑暗模式 皮肤 外观 dark light mode night contrast appearance',
  'density.set': '行高 紧凑 行距 宽松 compact comfortable rows height spacing',
  'sidebar.toggle': '菜单 导航 左侧 隐藏菜单 menu navigation hide show',
  'session.changePassword': '口令 改密码 密码 重设密码 update reset credentials',
  'session.leaveView': '视角 结束预览 退出预览 exit-preview view-as stop-viewing',
  'session.signOut': '登出 注销 退出 退出账号 log-out log-off logout exit',
  'panel.reload': '刷新 更新 新版本 重新加载 refresh page update newest version',
  'values.exact': '小数 全部数字 完整 原始值 decimal full precise raw',
  'page.print': '纸质 打印机 打出来 PDF paper printer hard-copy',
} as const satisfies Aliases;
