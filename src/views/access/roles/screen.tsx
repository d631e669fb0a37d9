import { roleFilters } from '../../../../api/access/filters.ts';
import type { RoleRow } from '../../../../api/access/roles.ts';
import { registry } from '../../../commands/app/registry.ts';
import { roles as roleCommands, roleTarget } from '../../../commands/access/roles.ts';
import { api } from '../../../lib/net/client.ts';
import { roleText } from '../../../lib/i18n/role-text.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { recordChunk } from '../../../lib/ui/record/record-slot.tsx';
import { Chip } from '../../../lib/ui/value/chip.tsx';
import type { Column } from '../../../lib/ui/list/table/columns.ts';
import { createFilters } from '../../../lib/ui/list/filter/filters.ts';
import { useList } from '../../../lib/ui/list/use-list.ts';
import { defineList, ListScreen, timeColumn } from '../../layout/list-screen.tsx';

registry.add(roleCommands);

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
  timeColumn('createdAt', 'roles.field.createdAt', { sort: 'createdAt', hidden: true }),
];

const roles = defineList({
  resource: 'roles',
  words: { title: 'roles.title', none: 'roles.none', empty: 'roles.empty' },
  sorts: ['name', 'createdAt'],
  defaultSort: { by: 'createdAt', direction: 'asc' },
  filters: createFilters(roleFilters, {
    q: { label: 'list.search', placeholder: 'roles.search' },
    createdAt: { label: 'roles.field.createdAt' },
  }),
  list: api.roles.list,
  columns,
  toTarget: roleTarget,
  open: 'roles.open',
  bulk: ['roles.delete'],
  fill: 'roles.add',
});

export const Roles = () => <ListScreen of={roles} list={useList(roles.options)} record={record} primary="roles.add" />;
