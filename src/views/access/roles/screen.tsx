import { roleFilters } from '../../../../api/access/filters.ts';
import type { RoleRow, RoleSort } from '../../../../api/access/roles.ts';
import { runCommand } from '../../../commands/app/app.ts';
import { registry } from '../../../commands/app/registry.ts';
import { roles as roleCommands, roleTarget } from '../../../commands/access/roles.ts';
import { RowMenu, CommandTrigger } from '../../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../../lib/net/client.ts';
import { copyText } from '../../../lib/clipboard.ts';
import { roleText } from '../../../lib/i18n/role-text.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import type { Target } from '../../../lib/scope.ts';
import { RecordSlot, recordChunk } from '../../../lib/ui/record/record-slot.tsx';
import { Chip } from '../../../lib/ui/value/chip.tsx';
import { Empty } from '../../../lib/ui/empty.tsx';
import type { Column } from '../../../lib/ui/list/table/columns.ts';
import { filtersOf } from '../../../lib/ui/list/filter/filters.ts';
import { ListTable } from '../../../lib/ui/list/table/list-table.tsx';
import { useList } from '../../../lib/ui/list/use-list.ts';
import { PageHeader } from '../../../lib/ui/page.tsx';
import { Time } from '../../../lib/ui/value/time.tsx';

registry.add(roleCommands);

const list = {
  resource: 'roles',
  sorts: ['name', 'createdAt'] satisfies RoleSort[],
  defaultSort: { by: 'createdAt', direction: 'asc' },
  filters: filtersOf(roleFilters, {
    q: { label: 'list.search', placeholder: 'roles.search' },
    createdAt: { label: 'roles.field.createdAt' },
  }),
  load: (input: Parameters<typeof api.roles.list>[0], signal: AbortSignal) => api.roles.list(input, { signal }),
  toTarget: roleTarget,
  onOpen: (target: Target) => runCommand({ id: 'roles.open' }, 'row', [target]),
  onCopy: (target: Target) => void copyText(target.name),
} as const;

const record = recordChunk(() => import('./record.tsx').then(({ RoleRecord }) => RoleRecord));

const columns: readonly Column<RoleRow>[] = [
  { id: 'name', header: 'roles.field.name', width: 200, grow: 2, fixed: true, sort: 'name', cell: (row) => roleText(row.name) },
  {
    id: 'description',
    card: 'state',
    header: 'roles.field.description',
    width: 200,
    grow: 3,
    cell: (row) => <span className="text-2">{roleText(row.description)}</span>,
  },
  {
    id: 'administrators',
    card: 'worth',
    header: 'roles.field.administrators',
    width: 120,
    align: 'end',
    cell: (row) => row.administrators,
  },
  { id: 'permissions', header: 'roles.field.permissions', width: 130, align: 'end', cell: (row) => row.grants.length },
  {
    id: 'needsFactor',
    header: 'roles.field.needsFactor',
    width: 130,
    cell: (row) => (
      <Chip state={row.needsFactor ? 'done' : 'off'}>{t(row.needsFactor ? 'roles.factor.needed' : 'roles.factor.free')}</Chip>
    ),
  },
  {
    id: 'createdAt',
    header: 'roles.field.createdAt',
    width: 152,
    sort: 'createdAt',
    hidden: true,
    cell: (row) => <Time iso={row.createdAt} />,
  },
];

const rowMenu = (row: RoleRow) => <RowMenu target={roleTarget(row)} />;

export function Roles() {
  const roles = useList(list);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader title={t('roles.title')}>
        <CommandTrigger id="roles.add" look="primary" />
      </PageHeader>
      <div className="min-h-0 flex-1">
        <ListTable
          list={roles}
          columns={columns}
          label={t('roles.title')}
          rowMenu={rowMenu}
          bulk={<CommandTrigger id="roles.delete" />}
          empty={
            <Empty title={t('roles.none')} action={<CommandTrigger id="roles.add" look="primary" />}>
              {t('roles.empty')}
            </Empty>
          }
        />
      </div>
      <RecordSlot record={record} />
    </div>
  );
}
