import type { AdministratorRow } from '../../../api/access/administrators.ts';
import type { NodeRow } from '../../../api/access/permissions.ts';
import type { RoleRow } from '../../../api/access/roles.ts';
import { roleText } from '../../lib/i18n/role-text.ts';
import { queryClient } from '../../lib/net/query.ts';
import { newest, type RecordKinds, type Aliases } from '../engine/resource.ts';
import { administratorTarget } from './administrators.ts';
import { roleTarget } from './roles.ts';
import { nodeTarget } from './permissions.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    administrators: AdministratorRow;
    permissions: NodeRow;
    roles: RoleRow;
  }
}

export const records = {
  administrators: {
    target: administratorTarget,
    place: '/permissions/administrator',
    read: ({ administrators }, ids) => administrators.many({ ids }),
    open: 'administrators.open',
    by: ['words', 'email', 'id'],
    find: async ({ administrators }, q) => (await administrators.list({ ...newest, filter: { q } })).rows,
    note: ({ description }) => description,
  },
  roles: {
    target: roleTarget,
    place: '/permissions/role',
    read: ({ roles }, ids) => roles.many({ ids }),
    open: 'roles.open',
    by: ['words', 'id'],
    find: async ({ roles }, q) => (await roles.list({ ...newest, filter: { q } })).rows,
    note: ({ description }) => roleText(description),
  },
  permissions: {
    target: nodeTarget,
    place: '/permissions/permission',
    read: ({ permissions }, ids) => permissions.many({ ids }),
    by: ['words', 'id'],
    find: async ({ permissions }, text) => {
      const q = text.toLowerCase();
      // With the signal of the cache: the screen may come to wait for the same answer.
      const queryFn = ({ signal }: { signal: AbortSignal }) => permissions.tree(undefined, { signal });
      const nodes = await queryClient.fetchQuery({ queryKey: ['permissions', 'tree'], queryFn });
      const fits = ({ zh, en, identifier }: NodeRow) => [zh, en, identifier].some((name) => name.toLowerCase().includes(q));
      return nodes.filter(fits).slice(0, newest.limit);
    },
    note: ({ identifier }) => identifier,
  },
} as const satisfies RecordKinds;

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
