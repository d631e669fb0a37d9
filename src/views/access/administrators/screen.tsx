import Link from 'lucide-react/icons/link';
import ShieldOff from 'lucide-react/icons/shield-off';
import Unlink from 'lucide-react/icons/unlink';
import UserCheck from 'lucide-react/icons/user-check';
import UserX from 'lucide-react/icons/user-x';
import { administratorFilters } from '../../../../api/access/filters.ts';
import type { AdministratorRow, AdministratorSort } from '../../../../api/access/administrators.ts';
import { administrators as commands, administratorTarget } from '../../../commands/access/administrators.ts';
import { runCommand } from '../../../commands/app/app.ts';
import { registry } from '../../../commands/app/registry.ts';
import { RowMenu, CommandTrigger } from '../../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../../lib/net/client.ts';
import { copyText } from '../../../lib/clipboard.ts';
import { roleText } from '../../../lib/i18n/role-text.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import type { Target } from '../../../lib/scope.ts';
import { Address } from '../../../lib/ui/value/address.tsx';
import { Empty } from '../../../lib/ui/empty.tsx';
import { addIcons } from '../../../lib/ui/icon.tsx';
import type { Column } from '../../../lib/ui/list/table/columns.ts';
import { filtersOf } from '../../../lib/ui/list/filter/filters.ts';
import { ListTable } from '../../../lib/ui/list/table/list-table.tsx';
import { useList } from '../../../lib/ui/list/use-list.ts';
import { PageHeader } from '../../../lib/ui/page.tsx';
import { Time } from '../../../lib/ui/value/time.tsx';
import { RecordSlot, recordChunk } from '../../../lib/ui/record/record-slot.tsx';
import { AdministratorStatus, EmailCell, FactorCell, RolesCell } from './parts.tsx';

registry.add(commands);
addIcons({ link: Link, 'shield-off': ShieldOff, unlink: Unlink, 'user-check': UserCheck, 'user-x': UserX });

const list = {
  resource: 'administrators',
  sorts: ['createdAt', 'email'] satisfies AdministratorSort[],
  defaultSort: { by: 'createdAt', direction: 'desc' },
  filters: filtersOf(administratorFilters, {
    q: { label: 'list.search', placeholder: 'administrators.search' },
    role: {
      label: 'administrators.field.roles',
      of: (row: AdministratorRow) => row.roles.map(({ id }) => id),
      names: async (signal) =>
        new Map((await api.administrators.roles(undefined, { signal })).map(({ id, name }) => [id, roleText(name)] as const)),
    },
    enabled: {
      label: 'administrators.field.status',
      words: (enabled) => t(enabled === 'true' ? 'administrators.status.enabled' : 'administrators.status.disabled'),
    },
    createdAt: { label: 'administrators.field.createdAt' },
  }),
  load: (input: Parameters<typeof api.administrators.list>[0], signal: AbortSignal) => api.administrators.list(input, { signal }),
  values: api.administrators.values,
  toTarget: administratorTarget,
  onOpen: (target: Target) => runCommand({ id: 'administrators.open' }, 'row', [target]),
  onCopy: (target: Target) => void copyText(target.name),
} as const;

const sheet = recordChunk(() => import('./record.tsx').then(({ AdministratorRecord }) => AdministratorRecord));

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
      row.lastSeenAt === null ? <span className="text-2">{t('administrators.never')}</span> : <Time iso={row.lastSeenAt} />,
  },
  {
    id: 'description',
    header: 'administrators.field.description',
    width: 160,
    grow: 2,
    cell: (row) => <span className="text-2">{roleText(row.description)}</span>,
  },
  {
    id: 'createdAt',
    header: 'administrators.field.createdAt',
    width: 152,
    sort: 'createdAt',
    hidden: true,
    cell: (row) => <Time iso={row.createdAt} />,
  },
];

const rowMenu = (row: AdministratorRow) => <RowMenu target={administratorTarget(row)} />;

export function Administrators() {
  const administrators = useList(list);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader title={t('administrators.title')}>
        <CommandTrigger id="administrators.add" look="primary" />
      </PageHeader>
      <div className="min-h-0 flex-1">
        <ListTable
          list={administrators}
          columns={columns}
          label={t('administrators.title')}
          rowMenu={rowMenu}
          bulk={
            <>
              <CommandTrigger id="administrators.enable" />
              <CommandTrigger id="administrators.disable" />
              <CommandTrigger id="administrators.endSessions" />
              <CommandTrigger id="administrators.delete" />
            </>
          }
          empty={
            <Empty title={t('administrators.none')} action={<CommandTrigger id="administrators.add" look="primary" />}>
              {t('administrators.empty')}
            </Empty>
          }
        />
      </div>
      <RecordSlot record={sheet} />
    </div>
  );
}
