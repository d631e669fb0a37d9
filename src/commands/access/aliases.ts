import type { Aliases } from '../engine/resource.ts';

/** Other words people search its commands by, in both languages. */
export const aliases = {
  'go.administrator': '员工 staff users accounts',
  'go.role': 'roles',
  'go.permission': '权限树 permission tree rights',
  'administrators.add': '邀请 创建 invite create staff user',
  'administrators.edit': '修改 角色 change roles',
  'administrators.enable': '激活 activate',
  'administrators.disable': '禁用 冻结 suspend',
  'administrators.resetPassword': '忘记密码 password link',
  'administrators.resetFactor': '两步验证 totp 2fa',
  'administrators.bindWallet': '地址 address taproot',
  'administrators.unbindWallet': '地址 address remove',
  'administrators.endSessions': '下线 踢出 sign out kick',
  'administrators.delete': '移除 remove',
  'administrators.open': '详情 details effective',
  'roles.add': '创建 create new',
  'roles.edit': '授权 权限 grant permissions',
  'roles.copy': '克隆 duplicate clone',
  'roles.delete': '移除 remove',
  'roles.open': '详情 who has',
  'permissions.add': '菜单 子菜单 功能 create menu function',
  'permissions.edit': '改名 rename',
  'permissions.move': '排序 order',
  'permissions.delete': '移除 remove',
  'permissions.reset': '重建 rebuild default',
} as const satisfies Aliases;
