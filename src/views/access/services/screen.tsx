import RefreshCw from 'lucide-react/icons/refresh-cw';
import ShieldOff from 'lucide-react/icons/shield-off';
import UserCheck from 'lucide-react/icons/user-check';
import UserX from 'lucide-react/icons/user-x';
import { serviceFilters } from '../../../../api/access/filters.ts';
import type { ServiceRow } from '../../../../api/access/services.ts';
import { services as serviceCommands, serviceTarget } from '../../../commands/access/services.ts';
import { registry } from '../../../commands/app/registry.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { api } from '../../../lib/net/client.ts';
import { addIcons } from '../../../lib/ui/icon.tsx';
import { createFilters } from '../../../lib/ui/list/filter/filters.ts';
import type { Column } from '../../../lib/ui/list/table/columns.ts';
import { useList } from '../../../lib/ui/list/use-list.ts';
import { recordChunk } from '../../../lib/ui/record/record-slot.tsx';
import { TimeText } from '../../../lib/ui/value/time.tsx';
import { defineList, flagWords, ListScreen, timeColumn } from '../../layout/list-screen.tsx';
import { ServiceStatus } from './parts.tsx';

registry.add(serviceCommands);
addIcons({ 'refresh-cw': RefreshCw, 'shield-off': ShieldOff, 'user-check': UserCheck, 'user-x': UserX });

const record = recordChunk(() => import('./record.tsx').then(({ ServiceRecord }) => ServiceRecord));

const timeOr = (iso: string | null, none: string) =>
  iso === null ? <span className="text-2">{none}</span> : <TimeText iso={iso} />;

const columns: readonly Column<ServiceRow>[] = [
  { id: 'name', header: 'services.field.name', width: 180, grow: 2, fixed: true, sort: 'name', cell: (row) => row.name },
  { id: 'status', card: 'state', header: 'services.field.status', width: 136, cell: (row) => <ServiceStatus row={row} /> },
  {
    id: 'owners',
    card: 'note',
    header: 'services.field.owners',
    width: 200,
    grow: 2,
    cell: (row) => row.owners.map(({ email }) => email).join(' · '),
  },
  { id: 'tokens', card: 'worth', header: 'services.field.tokens', width: 96, align: 'end', cell: (row) => row.tokens },
  { id: 'expiresAt', header: 'services.field.nextEnd', width: 152, cell: (row) => timeOr(row.expiresAt, '—') },
  { id: 'lastUsedAt', header: 'services.field.lastUsed', width: 152, cell: (row) => timeOr(row.lastUsedAt, t('services.never')) },
  {
    id: 'description',
    header: 'services.field.description',
    width: 160,
    grow: 2,
    cell: (row) => <span className="text-2">{row.description}</span>,
  },
  timeColumn('createdAt', 'services.field.createdAt', { sort: 'createdAt', hidden: true }),
];

const services = defineList({
  resource: 'services',
  words: { title: 'services.title', none: 'services.none', empty: 'services.empty' },
  sorts: ['createdAt', 'name'],
  defaultSort: { by: 'createdAt', direction: 'desc' },
  filters: createFilters(serviceFilters, {
    q: { label: 'list.search', placeholder: 'services.search' },
    enabled: {
      label: 'services.field.status',
      words: flagWords('services.status.enabled', 'services.status.disabled'),
    },
    createdAt: { label: 'services.field.createdAt' },
  }),
  list: api.services.list,
  values: api.services.values,
  columns,
  toTarget: serviceTarget,
  open: 'services.open',
  bulk: ['services.enable', 'services.disable', 'services.delete'],
  fill: 'services.add',
});

export const ServiceAccounts = () => (
  <ListScreen of={services} list={useList(services.options)} record={record} primary="services.add" />
);
