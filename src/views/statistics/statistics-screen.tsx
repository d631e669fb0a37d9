import { useLayoutEffect, useMemo } from 'react';
import { flattenMenu } from '../../../api/menu.ts';
import { runCommand } from '../../commands/app/app.ts';
import { statisticsAddress } from '../../commands/statistics/commands.ts';
import { statisticsPaths } from '../../commands/statistics/commands.ts';
import { RowMenu, CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { copyText } from '../../lib/clipboard.ts';
import { pickLocaleName, t } from '../../lib/i18n/i18n.ts';
import { isStatisticsOutage } from '../../lib/net/errors.ts';
import { refreshResources } from '../../lib/net/query.ts';
import type { Target } from '../../lib/scope.ts';
import { RecordSlot, recordChunk } from '../../lib/ui/record/record-slot.tsx';
import { EmptyState } from '../../lib/ui/empty.tsx';
import { ListTable } from '../../lib/ui/list/table/list-table.tsx';
import { useList, type PageInput } from '../../lib/ui/list/use-list.ts';
import { ListPart } from '../../lib/ui/list/list-part.tsx';
import { PageHeader } from '../../lib/ui/page.tsx';
import { ChartPanel } from './chart.tsx';
import type { AnyStatistics } from './description.ts';
import { TotalsStrip } from './totals.tsx';

const record = recordChunk(async () => (await import('./record.tsx')).StatisticsRecord);

export function StatisticsScreen({ of }: { of: AnyStatistics }) {
  const { name, shape, routes, toTarget, columns, imports } = of;
  const options = useMemo(
    () => ({
      resource: name,
      ...shape,
      load: (input: PageInput, signal: AbortSignal) => routes.list(input, { signal }),
      values: routes.values,
      toTarget,
      onOpen: (target: Target) => runCommand({ id: `${name}.open` }, 'row', [target]),
      onCopy: (target: Target) => void copyText(statisticsAddress(target) ?? target.name),
    }),
    [name, shape, routes, toTarget],
  );
  const rowMenu = useMemo(() => (row: { id: string }) => <RowMenu target={toTarget(row)} />, [toTarget]);
  const list = useList(options);
  // Refreshes totals and chart with the rows.
  useLayoutEffect(() => {
    list.store.parts.refresh = () => void refreshResources([name]);
  });
  // The list says it once for the whole screen.
  const isDown = list.status === 'failed' && isStatisticsOutage(list.error);
  const filter = list.asked;
  const menuNode = flattenMenu().find(({ path }) => path === statisticsPaths[name]);
  const title = menuNode ? pickLocaleName(menuNode) : '';
  return (
    <>
      <PageHeader title={title}>
        {imports && <CommandTrigger id={`${imports}.imports`} compact />}
        {imports && <CommandTrigger id={`${imports}.import`} />}
        <CommandTrigger id={`${name}.export`} />
      </PageHeader>
      {!isDown && <TotalsStrip of={of} filter={filter} />}
      {!isDown && <ChartPanel of={of} filter={filter} />}
      <ListPart minHeight={288}>
        <ListTable
          list={list}
          columns={columns}
          label={title}
          rowMenu={rowMenu}
          empty={
            <EmptyState
              title={t('statistics.none')}
              action={imports && <CommandTrigger id={`${imports}.import`} look="primary" />}
            >
              {t(`statistics.empty.${name}`)}
            </EmptyState>
          }
        />
      </ListPart>
      <RecordSlot record={record} of={of} />
    </>
  );
}
