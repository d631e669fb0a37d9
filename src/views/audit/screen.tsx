import type { AuditRow, AuditSort } from '../../../api/audit/contract.ts';
import { runCommand } from '../../commands/app/app.ts';
import { audit as auditCommands, auditTarget } from '../../commands/audit/commands.ts';
import { registry } from '../../commands/app/registry.ts';
import { RowMenu, CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { auditFilters, auditSort } from '../../commands/audit/filters.ts';
import { api } from '../../lib/net/client.ts';
import { copyText } from '../../lib/clipboard.ts';
import { actionText, actorText } from '../../lib/ui/record/action-text.ts';
import { t } from '../../lib/i18n/i18n.ts';
import type { Target } from '../../lib/scope.ts';
import { RecordSlot, recordChunk } from '../../lib/ui/record/record-slot.tsx';
import { Empty } from '../../lib/ui/empty.tsx';
import { ExportProgress } from '../../lib/ui/list/export-progress.tsx';
import type { Column } from '../../lib/ui/list/table/columns.ts';
import { ListTable } from '../../lib/ui/list/table/list-table.tsx';
import { useList } from '../../lib/ui/list/use-list.ts';
import { PageHeader } from '../../lib/ui/page.tsx';
import { Time } from '../../lib/ui/value/time.tsx';
import { AuditResult, RecordName } from './parts.tsx';

registry.add(auditCommands);

const list = {
  resource: 'audit',
  sorts: ['time'] satisfies AuditSort[],
  defaultSort: auditSort,
  filters: auditFilters,
  load: (input: Parameters<typeof api.audit.list>[0], signal: AbortSignal) => api.audit.list(input, { signal }),
  values: api.audit.values,
  toTarget: auditTarget,
  onOpen: (target: Target) => runCommand({ id: 'audit.open' }, 'row', [target]),
  onCopy: (target: Target) => void copyText(JSON.stringify(target.row)),
} as const;

const record = recordChunk(() => import('./record.tsx').then(({ AuditRecord }) => AuditRecord));

const columns: readonly Column<AuditRow>[] = [
  {
    id: 'time',
    card: 'note',
    header: 'audit.field.time',
    width: 152,
    sort: 'time',
    fixed: true,
    cell: (row) => <Time iso={row.at} />,
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

const rowMenu = (row: AuditRow) => <RowMenu target={auditTarget(row)} />;

/** Read-only. */
export function Audit() {
  const audit = useList(list);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader title={t('audit.title')}>
        <ExportProgress says="audit.exporting" />
        <CommandTrigger id="audit.export" />
      </PageHeader>
      <div className="min-h-0 flex-1">
        <ListTable
          list={audit}
          columns={columns}
          label={t('audit.title')}
          rowMenu={rowMenu}
          empty={<Empty title={t('audit.none')}>{t('audit.empty')}</Empty>}
        />
      </div>
      <RecordSlot record={record} />
    </div>
  );
}
