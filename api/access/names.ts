import type { Functions, Name } from '../naming.ts';

export const accessNames = {
  'administrators.add': { zh: '新增管理员', en: 'Add administrator' },
  'administrators.edit': { zh: '编辑管理员', en: 'Edit administrator' },
  'administrators.enable': { zh: '启用管理员', en: 'Enable administrator' },
  'administrators.disable': { zh: '停用管理员', en: 'Disable administrator' },
  'administrators.resetPassword': { zh: '重置管理员密码', en: 'Reset administrator password' },
  'administrators.resetFactor': { zh: '重置管理员双重验证', en: 'Reset administrator second factor' },
  'administrators.bindWallet': { zh: '绑定管理员钱包', en: 'Link administrator wallet' },
  'administrators.unbindWallet': { zh: '解绑管理员钱包', en: 'Unlink administrator wallet' },
  'administrators.endSessions': { zh: '退出管理员的所有设备', en: 'End administrator sessions' },
  'administrators.delete': { zh: '删除管理员', en: 'Delete administrator' },
  'administrators.open': { zh: '查看管理员', en: 'Open administrator' },
  'administrators.viewAs': { zh: '以该管理员视角查看', en: 'View as administrator' },

  'roles.add': { zh: '新增角色', en: 'Add role' },
  'roles.edit': { zh: '编辑角色', en: 'Edit role' },
  'roles.copy': { zh: '复制角色', en: 'Copy role' },
  'roles.delete': { zh: '删除角色', en: 'Delete role' },
  'roles.open': { zh: '查看角色', en: 'Open role' },
  'roles.viewAs': { zh: '以该角色视角查看', en: 'View as role' },

  'permissions.add': { zh: '新增权限', en: 'Add permission' },
  'permissions.addMenu': { zh: '新增菜单', en: 'Add menu' },
  'permissions.addSubmenu': { zh: '新增子菜单', en: 'Add submenu' },
  'permissions.edit': { zh: '编辑权限节点', en: 'Edit permission node' },
  'permissions.move': { zh: '移动权限节点', en: 'Move permission node' },
  'permissions.delete': { zh: '删除权限节点', en: 'Delete permission node' },
  'permissions.reset': { zh: '恢复内置权限树', en: 'Reset permission tree' },
} as const satisfies Record<string, Name>;

export const accessFunctions = {
  '/permissions/administrator': [
    'administrators.add',
    'administrators.edit',
    'administrators.enable',
    'administrators.disable',
    'administrators.resetPassword',
    'administrators.resetFactor',
    'administrators.bindWallet',
    'administrators.unbindWallet',
    'administrators.endSessions',
    'administrators.delete',
  ],
  '/permissions/role': ['roles.add', 'roles.edit', 'roles.copy', 'roles.delete'],
  '/permissions/permission': [
    'permissions.add',
    'permissions.edit',
    'permissions.move',
    'permissions.delete',
    'permissions.reset',
  ],
} as const satisfies Functions<typeof accessNames>;
