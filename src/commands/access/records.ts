import type { AdministratorRow } from '../../../api/access/administrators.ts';
import type { NodeRow } from '../../../api/access/permissions.ts';
import type { RoleRow } from '../../../api/access/roles.ts';
import { inLocale } from '../../lib/i18n/i18n.ts';
import { queryClient } from '../../lib/net/query.ts';
import { newest, targetOf, type RecordKinds } from '../engine/resource.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    administrators: AdministratorRow;
    permissions: NodeRow;
    roles: RoleRow;
  }
}

export const administratorTarget = targetOf('administrators', ({ email }) => email);
export const roleTarget = targetOf('roles', ({ name }) => name);
export const nodeTarget = targetOf('permissions', inLocale);

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
    note: ({ description }) => description,
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
