import type { AdministratorRow } from '../../../api/access/administrators.ts';
import type { NodeRow } from '../../../api/access/permissions.ts';
import type { RoleRow } from '../../../api/access/roles.ts';
import type { ServiceRow } from '../../../api/access/services.ts';
import type { MappingRow } from '../../../api/access/identity.ts';
import { foldText } from '../../lib/fold-text.ts';
import { roleText } from '../../lib/i18n/role-text.ts';
import { queryClient } from '../../lib/net/query.ts';
import { commonAliases } from '../engine/common-aliases.ts';
import { newestFirst, type RecordKinds, type Aliases } from '../engine/resource.ts';
import { administratorTarget } from './administrators.ts';
import { roleTarget } from './roles.ts';
import { nodeTarget } from './permissions.ts';
import { mappingTarget } from './identity.ts';
import { serviceTarget } from './services.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    administrators: AdministratorRow;
    permissions: NodeRow;
    roles: RoleRow;
    services: ServiceRow;
    groupMappings: MappingRow;
  }
}

export const records = {
  administrators: {
    target: administratorTarget,
    place: '/permissions/administrator',
    read: ({ administrators }, ids) => administrators.many({ ids }),
    open: 'administrators.open',
    by: ['words', 'email', 'id'],
    find: async ({ administrators }, q) => (await administrators.list({ ...newestFirst, filter: { q } })).rows,
    note: ({ description }) => description,
  },
  roles: {
    target: roleTarget,
    place: '/permissions/role',
    read: ({ roles }, ids) => roles.many({ ids }),
    open: 'roles.open',
    by: ['words', 'id'],
    find: async ({ roles }, q) => (await roles.list({ ...newestFirst, filter: { q } })).rows,
    note: ({ description }) => roleText(description),
  },
  permissions: {
    target: nodeTarget,
    place: '/permissions/permission',
    read: ({ permissions }, ids) => permissions.many({ ids }),
    by: ['words', 'id'],
    find: async ({ permissions }, text) => {
      const q = foldText(text);
      // Uses the cache's signal, because the screen may wait for the same answer.
      const queryFn = ({ signal }: { signal: AbortSignal }) => permissions.tree(undefined, { signal });
      const nodes = await queryClient.fetchQuery({ queryKey: ['permissions', 'tree'], queryFn });
      const isMatch = ({ zh, en, identifier }: NodeRow) => [zh, en, identifier].some((name) => foldText(name).includes(q));
      return nodes.filter(isMatch).slice(0, newestFirst.limit);
    },
    note: ({ identifier }) => identifier,
  },
  services: {
    target: serviceTarget,
    place: '/permissions/service',
    read: ({ services }, ids) => services.many({ ids }),
    open: 'services.open',
    by: ['words', 'id'],
    find: async ({ services }, q) => (await services.list({ ...newestFirst, filter: { q } })).rows,
    note: ({ description }) => description,
  },
  groupMappings: {
    target: mappingTarget,
    place: '/permissions/identity',
    read: async ({ identity }, ids) => (await identity.mappings()).filter(({ id }) => ids.includes(id)),
  },
} as const satisfies RecordKinds;

const resourceAliases = '账号 账户 员工 staff user account';
const role = '岗位 权限组 group';
const token = '访问令牌 接口密钥 api-key access-token';
const node = '权限 菜单 功能 menu function';

export const aliases = {
  'go.administrator': '员工 账号 账户 用户 人员 同事 成员 离职 封号 staff user account member people colleague ban offboard',
  'go.role': '岗位 权限组 职位 分组 group access position',
  'go.permission': '权限 权限树 菜单 功能 授权 功能权限 添加权限 添加菜单 tree right menu function access',
  'go.service': '令牌 接口密钥 机器账号 接口账号 token api-key machine-account api-account',
  'go.identity': 'sso 单点登录 身份提供商 企业登录 账号同步 scim okta entra keycloak provider provisioning',
  'administrators.add': `${resourceAliases} ${commonAliases.add} 加人 加 邀请 开账号 入职 invite onboard hire`,
  'administrators.invite': '单点登录邀请 企业账号邀请 邀请加入 sso-invite invitation company-account',
  'administrators.sendSsoLink': '单点登录链接 关联企业账号 重发邀请 sso-link connect-company resend-invitation',
  'administrators.unlinkSso': '单点登录 取消单点登录 取消企业账号 sso single-sign-on revoke-company-account',
  'administrators.letIdpManage': '同步管理 移交 自动停用 离职同步 scim provisioning hand-over okta entra',
  'administrators.stopIdpManaging': '取消同步 收回管理 本地管理 scim provisioning take-back local',
  'administrators.acceptIdpEmail': '同步邮箱 更新邮箱 新邮箱 scim email new-email provider',
  'administrators.edit': `${resourceAliases} ${commonAliases.edit} 角色 分配角色 修改角色 分配权限 邮箱 改邮箱 role email assign grant`,
  'administrators.enable': `${resourceAliases} 激活 解冻 解封 恢复 启用账号 activate unfreeze unban reactivate`,
  'administrators.disable': `${resourceAliases} 禁用 冻结 封号 离职 封禁 注销 suspend ban block deactivate offboard leaver`,
  'administrators.resetPassword': `${resourceAliases} 忘记密码 找回密码 重设 forgot reset link`,
  'administrators.resetFactor': `${resourceAliases} 两步验证 二次验证 谷歌验证 谷歌验证器 验证器 换手机 totp 2fa authenticator lost-phone`,
  'administrators.giveEnrollmentCode': `${resourceAliases} 登记码 担保 确认身份 双重验证 首次登记 enrollment-code vouch onboard second-factor confirm-identity`,
  'administrators.bindWallet': `${resourceAliases} 换绑 关联钱包 换钱包 link connect taproot`,
  'administrators.unbindWallet': `${resourceAliases} 取消绑定 移除钱包 换钱包 unlink disconnect remove`,
  'administrators.endSessions': `${resourceAliases} 下线 踢出 踢人 踢下线 强制下线 kick-out kick force-sign-out revoke`,
  'administrators.delete': `${resourceAliases} ${commonAliases.delete} 离职 offboard leaver`,
  'administrators.viewAs': `${resourceAliases} 视角 预览 模拟 切换身份 view-as preview simulate impersonate`,
  'administrators.open': `${resourceAliases} ${commonAliases.open} 有效权限 effective permission`,
  'roles.add': `${role} ${commonAliases.add}`,
  'roles.edit': `${role} ${commonAliases.edit} 授权 权限 分配 分配权限 grant permission assign`,
  'roles.copy': `${role} 克隆 拷贝 另存 duplicate clone based`,
  'roles.delete': `${role} ${commonAliases.delete}`,
  'roles.viewAs': `${role} 视角 预览 模拟 切换身份 view-as preview simulate impersonate`,
  'roles.open': `${role} ${commonAliases.open} 谁有 成员 who-has member`,
  'permissions.add': `${node} ${commonAliases.add}`,
  'permissions.addMenu': '一级菜单 顶级菜单 菜单分组 top-level-menu menu-group root-menu',
  'permissions.addSubmenu': '下级菜单 二级菜单 子级 child-menu nested-menu second-level',
  'permissions.edit': `${node} ${commonAliases.edit} 改名 重命名 rename`,
  'permissions.move': `${node} 排序 调整顺序 拖动 上移 order sort drag`,
  'permissions.delete': `${node} ${commonAliases.delete}`,
  'services.add': `机器账号 接口账号 machine-account api-account ${commonAliases.add}`,
  'services.edit': `${commonAliases.edit} 负责人 换负责人 owner`,
  'services.enable': '激活 恢复脚本 重新启用 activate reactivate resume-script',
  'services.disable': '停掉 停脚本 暂停脚本 suspend stop-script pause-script',
  'services.delete': commonAliases.delete,
  'services.open': commonAliases.open,
  'services.addToken': `${token} 生成令牌 创建令牌 generate create`,
  'services.rotateToken': `${token} 更换令牌 令牌续期 renew replace`,
  'services.revokeToken': `${token} 令牌泄露 leak invalidate`,
  'identity.addMapping': `用户组 部门 group-role sso ${commonAliases.add}`,
  'identity.editMapping': `用户组 部门 group-role sso ${commonAliases.edit}`,
  'identity.deleteMapping': `用户组 部门 group-role sso ${commonAliases.delete}`,
  'identity.addScimToken': 'scim 账号同步 生成令牌 签发令牌 generate create issue',
  'identity.revokeScimToken': 'scim 账号同步 令牌泄露 作废令牌 leak invalidate cancel',
  'permissions.reset': '重建 默认 还原 初始化 rebuild default restore',
} as const satisfies Aliases;
