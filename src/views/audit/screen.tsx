import type { AuditRow } from '../../../api/audit/contract.ts';
import { audit as auditCommands, auditTarget } from '../../commands/audit/commands.ts';
import { registry } from '../../commands/app/registry.ts';
import { auditListFilters, auditSort } from '../../commands/audit/filters.ts';
import { api } from '../../lib/net/client.ts';
import { actionText, actorText } from '../../lib/ui/record/action-text.ts';
import { recordChunk } from '../../lib/ui/record/record-slot.tsx';
import type { Column } from '../../lib/ui/list/table/columns.ts';
import { useList } from '../../lib/ui/list/use-list.ts';
import { TimeText } from '../../lib/ui/value/time.tsx';
import { defineList, ListScreen } from '../layout/list-screen.tsx';
import { AuditResult, RecordName } from './parts.tsx';

registry.add(auditCommands);

const record = recordChunk(() => import('./record.tsx').then(({ AuditRecord }) => AuditRecord));

const columns: readonly Column<AuditRow>[] = [
  {
    id: 'time',
    card: 'note',
    header: 'audit.field.time',
    width: 152,
    sort: 'time',
    fixed: true,
    cell: (row) => <TimeText iso={row.at} />,
  },
  { id: 'result', card: 'worth', header: 'audit.field.result', width: 96, cell: (row) => <AuditResult result={row.result} /> },
  {
    id: 'actor',
    card: 'state',
    header: 'audit.field.actor',
    width: 180,
    grow: 1,
    cell: (row) => (row.actorEmail ? row.actorEmail : <span className="text-2">{actorText(row)}</span>),
  },
  { id: 'what', card: 'title', header: 'audit.field.what', width: 200, grow: 1, cell: (row) => actionText(row) },
  { id: 'record', header: 'audit.field.record', width: 220, grow: 2, cell: (row) => <RecordName row={row} /> },
  { id: 'ip', header: 'audit.field.ip', width: 120, cell: (row) => <span className="font-mono tabular-nums">{row.ip}</span> },
  {
    id: 'seq',
    header: 'audit.field.seq',
    width: 88,
    align: 'end',
    hidden: true,
    cell: (row) => <span className="tabular-nums">{row.seq}</span>,
  },
];

const audit = defineList({
  resource: 'audit',
  words: { title: 'audit.title', none: 'audit.none', empty: 'audit.empty' },
  sorts: ['time'],
  defaultSort: auditSort,
  filters: auditListFilters,
  list: api.audit.list,
  values: api.audit.values,
  columns,
  toTarget: auditTarget,
  open: 'audit.open',
  copies: ({ row }) => JSON.stringify(row),
});

/** Read-only. */
export const Audit = () => <ListScreen of={audit} list={useList(audit.options)} record={record} commands={['audit.export']} />;
