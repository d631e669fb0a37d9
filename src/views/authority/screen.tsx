import ScrollText from 'lucide-react/icons/scroll-text';
import { statementFilters } from '../../../api/authority/filters.ts';
import type { StatementRow } from '../../../api/authority/contract.ts';
import { registry } from '../../commands/app/registry.ts';
import { authority as authorityCommands } from '../../commands/authority/commands.ts';
import { statementTarget } from '../../commands/authority/search.ts';
import { describeStatement } from '../../lib/authority/words.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { joinList } from '../../lib/i18n/punctuation.ts';
import { api } from '../../lib/net/client.ts';
import { EmptyState } from '../../lib/ui/empty.tsx';
import { addIcons } from '../../lib/ui/icon.tsx';
import { recordChunk } from '../../lib/ui/record/record-slot.tsx';
import type { Column } from '../../lib/ui/list/table/columns.ts';
import { createFilters } from '../../lib/ui/list/filter/filters.ts';
import { translateUnder } from '../../lib/ui/list/filter/translate-under.ts';
import { useList } from '../../lib/ui/list/use-list.ts';
import { PageHeader } from '../../lib/ui/page.tsx';
import { defineList, flagWords, ListScreen, timeColumn } from '../layout/list-screen.tsx';
import { StatementStateChip } from './status.tsx';
import { AuthorityAside, useAuthority } from './summary.tsx';

registry.add(authorityCommands);
addIcons({ 'scroll-text': ScrollText });

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
    width: 168,
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
    cell: ({ statement }) => describeStatement(statement),
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
  timeColumn('at', 'authority.field.at', { card: 'note' }),
  timeColumn('from', 'authority.field.from', { width: 144, hidden: true }),
  timeColumn('expires', 'authority.field.expires', { width: 144, hidden: true }),
];

/** Counted and required signatures, and the signers. */
function SignedBy({ row }: { row: StatementRow }) {
  if (row.needed === 0) return <span className="text-2">—</span>;
  // Rules may have changed since it was approved.
  const count = row.signed.filter(({ counts }) => counts).length;
  const requiredSignatures =
    row.missing > 0 || row.state === 'expired' || row.state === 'voided' ? row.needed : Math.min(row.needed, count);
  const names = joinList(row.signed.map(({ name }) => name));
  return (
    <span className="flex min-w-0 items-baseline gap-2" title={names}>
      <span className="tabular-nums">{t('authority.signedOf', { n: String(count), of: requiredSignatures })}</span>
      <span className="truncate text-2">{names}</span>
    </span>
  );
}

/** A draft has none. */
const firstSigner = ({ number, by }: StatementRow): string => (number === null ? '—' : (by?.name ?? '—'));

const statements = defineList({
  resource: 'statements',
  words: { title: 'authority.title', none: 'authority.none', empty: 'authority.empty' },
  sorts: ['number'],
  defaultSort: { by: 'number', direction: 'desc' },
  filters: createFilters(statementFilters, {
    q: { label: 'list.search', placeholder: 'authority.search' },
    state: { label: 'authority.field.state', words: translateUnder('authority.state') },
    kind: {
      label: 'authority.field.kind',
      words: translateUnder('authority.kind'),
      of: (row: StatementRow) => row.statement.kind,
    },
    mine: { label: 'authority.field.mine', words: flagWords('authority.mine.yes', 'authority.mine.no') },
  }),
  list: api.authority.list,
  values: api.authority.values,
  columns,
  toTarget: statementTarget,
  open: 'authority.open',
  copies: ({ id }) => id,
});

/** Statements, and what they result in. */
export function AuthorityScreen() {
  const list = useList(statements.options);
  const summary = useAuthority();
  if (summary.isUnavailable)
    return (
      <>
        <PageHeader title={t('authority.title')} />
        <EmptyState title={t('authority.unavailable')}>{t('authority.unavailableWhy')}</EmptyState>
      </>
    );
  return (
    <ListScreen
      of={statements}
      list={list}
      record={record}
      aside={<AuthorityAside {...summary} />}
      commands={['authority.export']}
      primary="authority.enrol"
    />
  );
}
