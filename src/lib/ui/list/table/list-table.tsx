import { useStore } from '@nanostores/react';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { t } from '../../../i18n/i18n.ts';
import { EmptyState } from '../../empty.tsx';
import type { Column } from './columns.ts';
import { $listExtras } from '../extras.ts';
import { FilterBar } from '../filter/filter-bar.tsx';
import { TableFooter } from './footer.tsx';
import { Grid } from './grid.tsx';
import { LoadFailed, FailedBanner, isOffline, LoadingRows, NothingMatches } from './states.tsx';
import type { ListData } from '../use-list.ts';
import { useListTable } from './use-table.ts';

interface ListTableProps<Row extends { id: string }> {
  list: ListData<Row>;
  /** A new array would be a new table. */
  columns: readonly Column<Row>[];
  label: string;
  toolbar?: ReactNode;
  /** Without it rows can't be checked. */
  bulk?: ReactNode;
  /** Must keep its identity, or every row renders. */
  rowMenu?: (row: Row) => ReactNode;
  empty?: ReactNode;
  /** Shown under the rows, without changing the height. */
  note?: ReactNode;
}

/** Narrower lists show cards, also beside an open record. */
const cardWidth = 440;
const phoneQuery = matchMedia('(max-width: 639px)');

/** Whether rows are cards: on a phone, and where the list itself is narrow. */
function useCards() {
  const section = useRef<HTMLElement>(null);
  const [isCard, setIsCard] = useState(phoneQuery.matches);
  useLayoutEffect(() => {
    const element = section.current;
    if (!element) return;
    const updateLayout = () => setIsCard(phoneQuery.matches || element.clientWidth < cardWidth);
    updateLayout();
    phoneQuery.addEventListener('change', updateLayout);
    const observer = new ResizeObserver(updateLayout);
    observer.observe(element);
    return () => {
      observer.disconnect();
      phoneQuery.removeEventListener('change', updateLayout);
    };
  }, []);
  return { section, isCard };
}

export function ListTable<Row extends { id: string }>({
  list,
  columns,
  label,
  toolbar,
  bulk,
  rowMenu,
  empty,
  note,
}: ListTableProps<Row>) {
  const { store, rows, filtered, status, error } = list;
  const { section, isCard } = useCards();
  const { table, shown, isUsual } = useListTable(list, columns, isCard);
  const { Display, Views } = useStore($listExtras);
  const hasCheckboxes = bulk !== undefined;
  return (
    <section ref={section} aria-label={label} className="flex h-full min-h-0 flex-col">
      <div className="flex flex-wrap items-center gap-2 border-b border-hairline bg-canvas px-cell py-1.5">
        <FilterBar list={list} />
        {Views && <Views />}
        {Display && <Display table={table} isUsual={isUsual} store={store} />}
        {toolbar}
      </div>
      {status === 'ready' && error !== null && !isOffline(error) && (
        <FailedBanner error={error} readAt={list.readAt} retry={list.retry} />
      )}
      {status === 'loading' && <LoadingRows columns={shown} />}
      {status === 'failed' && <LoadFailed error={error} retry={list.retry} />}
      {status === 'ready' && rows.length > 0 && (
        <Grid list={list} label={label} table={table} columns={shown} checks={hasCheckboxes} isCard={isCard} rowMenu={rowMenu} />
      )}
      {status === 'ready' && rows.length === 0 && (
        <div className="flex min-h-0 flex-1 flex-col overflow-y-auto bg-surface">
          {filtered ? <NothingMatches clear={list.clearFilter} /> : (empty ?? <EmptyState title={t('list.empty')} />)}
        </div>
      )}
      <TableFooter store={store} count={list.count} loaded={status === 'ready' ? rows.length : null} bulk={bulk} note={note} />
    </section>
  );
}
