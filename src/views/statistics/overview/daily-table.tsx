import type { OverviewMetric, OverviewRow } from '../../../../api/statistics/overview.ts';
import { api } from '../../../lib/net/client.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { overviewMeasures, overviewShape } from '../../../commands/statistics/overview-figures.ts';
import { periodText } from '../../../lib/ui/chart/data.ts';
import { Amount } from '../../../lib/money/amount.tsx';
import { EmptyState } from '../../../lib/ui/empty.tsx';
import type { Column } from '../../../lib/ui/list/table/columns.ts';
import { ListTable } from '../../../lib/ui/list/table/list-table.tsx';
import { useList } from '../../../lib/ui/list/use-list.ts';
import { TimeText } from '../../../lib/ui/value/time.tsx';

const list = {
  resource: 'overview',
  ...overviewShape,
  load: (input: Parameters<typeof api.overview.list>[0], signal: AbortSignal) => api.overview.list(input, { signal }),
  toTarget: null,
} as const;

const figureColumn = (id: OverviewMetric, width: number, card?: 'worth' | 'state' | 'note'): Column<OverviewRow> => {
  const { places, unit, show } = overviewMeasures[id];
  return {
    id,
    header: `overview.metric.${id}`,
    ...(unit ? { unit } : {}),
    ...(card ? { card } : {}),
    width,
    grow: 1,
    align: 'end',
    cell: (row) => <Amount value={row[id]} places={places} show={show} />,
  };
};

const columns: readonly Column<OverviewRow>[] = [
  {
    id: 'day',
    header: 'overview.field.day',
    width: 148,
    fixed: true,
    sort: 'day',
    cell: ({ day }) => <span className="tabular-nums">{periodText(day, 'day')}</span>,
  },
  figureColumn('bridgeBtc', 140, 'worth'),
  figureColumn('mintYu', 148, 'state'),
  figureColumn('userCount', 96),
  figureColumn('vaultBtc', 148, 'note'),
  { id: 'at', header: 'overview.field.at', width: 152, cell: ({ at }) => <TimeText iso={at} /> },
  {
    id: 'block',
    header: 'overview.field.block',
    width: 112,
    align: 'end',
    hidden: true,
    cell: ({ block }) => <span className="tabular-nums">{block ?? '—'}</span>,
  },
];

export function DailyTable() {
  const days = useList(list);
  return (
    <ListTable
      list={days}
      columns={columns}
      label={t('overview.days')}
      empty={<EmptyState title={t('overview.none')}>{t('overview.empty')}</EmptyState>}
    />
  );
}
