import Link from 'lucide-react/icons/link';
import ShieldOff from 'lucide-react/icons/shield-off';
import Unlink from 'lucide-react/icons/unlink';
import UserCheck from 'lucide-react/icons/user-check';
import UserX from 'lucide-react/icons/user-x';
import { administratorFilters } from '../../../../api/access/filters.ts';
import type { AdministratorRow } from '../../../../api/access/administrators.ts';
import { administrators as administratorCommands, administratorTarget } from '../../../commands/access/administrators.ts';
import { registry } from '../../../commands/app/registry.ts';
import { api } from '../../../lib/net/client.ts';
import { roleText } from '../../../lib/i18n/role-text.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Address } from '../../../lib/ui/value/address.tsx';
import { readSsoWay } from '../../../lib/session/sso-way.ts';
import { addIcons } from '../../../lib/ui/icon.tsx';
import type { Column } from '../../../lib/ui/list/table/columns.ts';
import { createFilters } from '../../../lib/ui/list/filter/filters.ts';
import { useList } from '../../../lib/ui/list/use-list.ts';
import { TimeText } from '../../../lib/ui/value/time.tsx';
import { recordChunk } from '../../../lib/ui/record/record-slot.tsx';
import { defineList, flagWords, ListScreen, timeColumn } from '../../layout/list-screen.tsx';
import { AdministratorStatus, EmailCell, FactorCell, RolesCell } from './parts.tsx';

registry.add(administratorCommands);
addIcons({ link: Link, 'shield-off': ShieldOff, unlink: Unlink, 'user-check': UserCheck, 'user-x': UserX });

const record = recordChunk(() => import('./record.tsx').then(({ AdministratorRecord }) => AdministratorRecord));

const columns: readonly Column<AdministratorRow>[] = [
  {
    id: 'email',
    header: 'administrators.field.email',
    width: 220,
    grow: 2,
    fixed: true,
    sort: 'email',
    cell: (row) => <EmailCell row={row} />,
  },
  {
    id: 'roles',
    card: 'note',
    header: 'administrators.field.roles',
    width: 200,
    grow: 2,
    cell: (row) => <RolesCell row={row} />,
  },
  {
    id: 'status',
    card: 'state',
    header: 'administrators.field.status',
    width: 104,
    cell: (row) => <AdministratorStatus row={row} />,
  },
  { id: 'factor', header: 'administrators.field.factor', width: 136, cell: (row) => <FactorCell row={row} /> },
  {
    id: 'wallet',
    header: 'administrators.field.wallet',
    width: 136,
    cell: (row) => (row.walletAddress === null ? <span className="text-2">—</span> : <Address value={row.walletAddress} />),
  },
  {
    id: 'lastSeen',
    header: 'administrators.field.lastSeen',
    width: 152,
    cell: (row) =>
      row.lastSeenAt === null ? <span className="text-2">{t('administrators.never')}</span> : <TimeText iso={row.lastSeenAt} />,
  },
  {
    id: 'description',
    header: 'administrators.field.description',
    width: 160,
    grow: 2,
    cell: (row) => <span className="text-2">{roleText(row.description)}</span>,
  },
  timeColumn('createdAt', 'administrators.field.createdAt', { sort: 'createdAt', hidden: true }),
];

const administrators = defineList({
  resource: 'administrators',
  words: { title: 'administrators.title', none: 'administrators.none', empty: 'administrators.empty' },
  sorts: ['createdAt', 'email'],
  defaultSort: { by: 'createdAt', direction: 'desc' },
  filters: createFilters(administratorFilters, {
    q: { label: 'list.search', placeholder: 'administrators.search' },
    role: {
      label: 'administrators.field.roles',
      of: (row: AdministratorRow) => row.roles.map(({ id }) => id),
      names: async (signal) =>
        new Map((await api.administrators.roles(undefined, { signal })).map(({ id, name }) => [id, roleText(name)] as const)),
    },
    enabled: {
      label: 'administrators.field.status',
      words: flagWords('administrators.status.enabled', 'administrators.status.disabled'),
    },
    createdAt: { label: 'administrators.field.createdAt' },
  }),
  list: api.administrators.list,
  values: api.administrators.values,
  columns,
  toTarget: administratorTarget,
  open: 'administrators.open',
  bulk: ['administrators.enable', 'administrators.disable', 'administrators.endSessions', 'administrators.delete'],
  fill: 'administrators.add',
});

export const Administrators = () => (
  <ListScreen
    of={administrators}
    list={useList(administrators.options)}
    record={record}
    commands={readSsoWay() ? ['administrators.invite'] : []}
    primary="administrators.add"
  />
);
