import ScrollText from 'lucide-react/icons/scroll-text';
import { statementFilters } from '../../../api/authority/filters.ts';
import type { StatementRow } from '../../../api/authority/contract.ts';

import { runCommand } from '../../commands/app/app.ts';
import { registry } from '../../commands/app/registry.ts';
import { authority as commands } from '../../commands/authority/commands.ts';
import { statementTarget } from '../../commands/authority/search.ts';
import { RowMenu, CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { sentenceOf } from '../../lib/authority/words.ts';
import { copyText } from '../../lib/clipboard.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { joinList } from '../../lib/i18n/punctuation.ts';
import { api } from '../../lib/net/client.ts';
import type { Target } from '../../lib/scope.ts';
import { Empty } from '../../lib/ui/empty.tsx';
import { addIcons } from '../../lib/ui/icon.tsx';
import { RecordSlot, recordChunk } from '../../lib/ui/record/record-slot.tsx';
import type { Column } from '../../lib/ui/list/table/columns.ts';
import { filtersOf } from '../../lib/ui/list/filter/filters.ts';
import { translateUnder } from '../../lib/ui/list/filter/translate-under.ts';
import { ListTable } from '../../lib/ui/list/table/list-table.tsx';
import { useList } from '../../lib/ui/list/use-list.ts';
import { PageHeader } from '../../lib/ui/page.tsx';
import { Time } from '../../lib/ui/value/time.tsx';
import { StatementStateChip } from './status.tsx';
import { AuthorityAside, useAuthority } from './summary.tsx';

registry.add(commands);
addIcons({ 'scroll-text': ScrollText });

const list = {
  resource: 'statements',
  sorts: ['number'],
  defaultSort: { by: 'number', direction: 'desc' },
  filters: filtersOf(statementFilters, {
    q: { label: 'list.search', placeholder: 'authority.search' },
    state: { label: 'authority.field.state', words: translateUnder('authority.state') },
    kind: {
      label: 'authority.field.kind',
      words: translateUnder('authority.kind'),
      of: (row: StatementRow) => row.statement.kind,
    },
    mine: { label: 'authority.field.mine', words: (mine) => t(mine === 'true' ? 'authority.mine.yes' : 'authority.mine.no') },
  }),
  load: (input: Parameters<typeof api.authority.list>[0], signal: AbortSignal) => api.authority.list(input, { signal }),
  values: api.authority.values,
  toTarget: statementTarget,
  onOpen: (target: Target) => runCommand({ id: 'authority.open' }, 'row', [target]),
  onCopy: (target: Target) => void copyText(target.id),
} as const;

const record = recordChunk(async () => (await import('./record.tsx')).StatementRecord);

const columns: readonly Column<StatementRow>[] = [
  {
    id: 'number',
    header: 'authority.field.number',
    width: 76,
    align: 'end',
    sort: 'number',
    cell: ({ number }) => <span className="tabular-nums">{number ?? '—'}</span>,
  },
  {
    id: 'state',
    card: 'state',
    header: 'authority.field.state',
    width: 156,
    cell: ({ state }) => <StatementStateChip state={state} />,
  },
  {
    id: 'kind',
    header: 'authority.field.kind',
    width: 168,
    hidden: true,
    cell: ({ statement }) => t(`authority.kind.${statement.kind}`),
  },
  {
    id: 'says',
    header: 'authority.field.says',
    width: 264,
    grow: 4,
    fixed: true,
    cell: ({ statement }) => sentenceOf(statement),
  },
  {
    id: 'signed',
    header: 'authority.field.signed',
    width: 132,
    grow: 1,
    cell: (row) => <SignedBy row={row} />,
  },
  {
    id: 'by',
    header: 'signing.field.firstSigner',
    width: 124,
    hidden: true,
    cell: (row) => <span className="text-2">{firstSigner(row)}</span>,
  },
  { id: 'at', card: 'note', header: 'authority.field.at', width: 152, cell: ({ at }) => <Time iso={at} /> },
  { id: 'from', header: 'authority.field.from', width: 144, hidden: true, cell: ({ from }) => <Time iso={from} /> },
  { id: 'expires', header: 'authority.field.expires', width: 144, hidden: true, cell: ({ expires }) => <Time iso={expires} /> },
];

/** Counted and required signatures, and the signers. */
function SignedBy({ row }: { row: StatementRow }) {
  if (row.needed === 0) return <span className="text-2">—</span>;
  // Rules may have changed since it was approved.
  const count = row.signed.filter(({ counts }) => counts).length;
  const of = row.missing > 0 || row.state === 'expired' ? row.needed : Math.min(row.needed, count);
  const names = joinList(row.signed.map(({ name }) => name));
  return (
    <span className="flex min-w-0 items-baseline gap-2" title={names}>
      <span className="tabular-nums">{t('authority.signedOf', { n: String(count), of })}</span>
      <span className="truncate text-2">{names}</span>
    </span>
  );
}

/** A draft has none. */
const firstSigner = ({ number, by }: StatementRow): string => (number === null ? '—' : (by?.name ?? '—'));

const rowMenu = (row: StatementRow) => <RowMenu target={statementTarget(row)} />;

/** Statements, and what they result in. */
export function AuthorityScreen() {
  const statements = useList(list);
  const summary = useAuthority();
  if (summary.isUnavailable)
    return (
      <>
        <PageHeader title={t('authority.title')} />
        <Empty title={t('authority.unavailable')}>{t('authority.unavailableWhy')}</Empty>
      </>
    );
  return (
    <>
      <PageHeader title={t('authority.title')}>
        <CommandTrigger id="authority.export" />
        <CommandTrigger id="authority.enrol" look="primary" />
      </PageHeader>
      <div className="flex flex-1 flex-col xl:min-h-0 xl:flex-row">
        <div className="flex min-h-96 min-w-0 flex-1 flex-col xl:min-h-0">
          <ListTable
            list={statements}
            columns={columns}
            label={t('authority.title')}
            rowMenu={rowMenu}
            empty={<Empty title={t('authority.none')}>{t('authority.empty')}</Empty>}
          />
        </div>
        <AuthorityAside {...summary} />
      </div>
      <RecordSlot record={record} />
    </>
  );
}
