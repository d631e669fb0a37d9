import type { Name } from '../names.ts';

/** The commands of administrators, roles, the permission tree, the audit log and one's own account. */
export const accessNames = {
  // Administrators
  'administrators.add': { zh: '新增管理员', en: 'Add administrator' },
  'administrators.edit': { zh: '编辑管理员', en: 'Edit administrator' },
  'administrators.enable': { zh: '启用管理员', en: 'Enable administrator' },
  'administrators.disable': { zh: '停用管理员', en: 'Disable administrator' },
  'administrators.resetPassword': { zh: '重置管理员密码', en: "Reset an administrator's password" },
  'administrators.resetFactor': { zh: '重置管理员第二因素', en: "Reset an administrator's second factor" },
  'administrators.bindWallet': { zh: '绑定管理员钱包', en: "Bind an administrator's wallet" },
  'administrators.unbindWallet': { zh: '解绑管理员钱包', en: "Unbind an administrator's wallet" },
  'administrators.endSessions': { zh: '结束管理员的所有会话', en: "End an administrator's sessions" },
  'administrators.delete': { zh: '删除管理员', en: 'Delete administrator' },
  'administrators.open': { zh: '查看管理员', en: 'Open administrator' },

  // Roles
  'roles.add': { zh: '新增角色', en: 'Add role' },
  'roles.edit': { zh: '编辑角色', en: 'Edit role' },
  'roles.copy': { zh: '复制角色', en: 'Copy role' },
  'roles.delete': { zh: '删除角色', en: 'Delete role' },
  'roles.open': { zh: '查看角色', en: 'Open role' },

  // The permission tree
  'permissions.add': { zh: '新增权限节点', en: 'Add permission node' },
  'permissions.edit': { zh: '编辑权限节点', en: 'Edit permission node' },
  'permissions.move': { zh: '移动权限节点', en: 'Move permission node' },
  'permissions.delete': { zh: '删除权限节点', en: 'Delete permission node' },
  'permissions.reset': { zh: '恢复内置权限树', en: 'Reset to the built-in tree' },

  // The audit log
  'audit.open': { zh: '查看日志详情', en: 'Open audit entry' },
  'audit.export': { zh: '导出操作日志', en: 'Export the audit log' },

  // One's own account
  'account.addTotp': { zh: '启用动态验证码', en: 'Set up an authenticator app' },
  'account.removeTotp': { zh: '停用动态验证码', en: 'Remove the authenticator app' },
  'account.newRecoveryCodes': { zh: '更换恢复码', en: 'Make new recovery codes' },
  'account.addPasskey': { zh: '添加通行密钥', en: 'Add a passkey' },
  'account.removePasskey': { zh: '移除通行密钥', en: 'Remove a passkey' },
  'account.bindWallet': { zh: '绑定我的钱包', en: 'Bind my wallet' },
  'account.unbindWallet': { zh: '解绑我的钱包', en: 'Unbind my wallet' },
  'account.endSession': { zh: '结束一个会话', en: 'End a session' },
  'account.endOtherSessions': { zh: '结束其他会话', en: 'End my other sessions' },
} as const satisfies Record<string, Name>;
