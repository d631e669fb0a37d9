import { useQuery } from '@tanstack/react-query';
import { t } from '../../../lib/i18n/i18n.ts';
import { CommandTrigger } from '../../../commands/ui/controls/command-trigger.tsx';
import { permissions as permissionCommands } from '../../../commands/access/permissions.ts';
import { registry } from '../../../commands/app/registry.ts';
import { api } from '../../../lib/net/client.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { EmptyState } from '../../../lib/ui/empty.tsx';
import { LoadFailed } from '../../../lib/ui/list/table/states.tsx';
import { PageHeader } from '../../../lib/ui/page.tsx';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';
import { NodeTree } from './node-tree.tsx';

registry.add(permissionCommands);

export function Permissions() {
  const { data, error, refetch } = useQuery(
    { queryKey: ['permissions', 'tree'], queryFn: ({ signal }) => api.permissions.tree(undefined, { signal }) },
    queryClient,
  );
  const refresh = () => void refetch();
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader title={t('permissions.title')} note={data && t('permissions.count', { n: data.length })}>
        <CommandTrigger id="permissions.reset" />
        <CommandTrigger id="permissions.addMenu" />
        <CommandTrigger id="permissions.addSubmenu" />
        <CommandTrigger id="permissions.add" look="primary" />
      </PageHeader>
      {data && data.length > 0 ? (
        <NodeTree nodes={data} refresh={refresh} />
      ) : data ? (
        <EmptyState title={t('permissions.none')} action={<CommandTrigger id="permissions.reset" look="primary" />} />
      ) : error ? (
        <LoadFailed error={error} retry={refresh} />
      ) : (
        <Skeleton lines={10} />
      )}
    </div>
  );
}
