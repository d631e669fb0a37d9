import { useSearch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { charts } from '../../../commands/statistics/charts.ts';
import { overview as commands } from '../../../commands/statistics/overview.ts';
import { registry } from '../../../commands/app/registry.ts';
import { CommandTrigger } from '../../../commands/ui/controls/command-trigger.tsx';
import { t } from '../../../lib/i18n/i18n.ts';
import { readOverviewQuery, writeOverviewQuery, type OverviewQuery } from '../../../commands/statistics/overview-figures.ts';
import { ListPart } from '../../../lib/ui/list/list-part.tsx';
import { PageHeader } from '../../../lib/ui/page.tsx';
import { TrendChart } from './trend-chart.tsx';
import { DailyTable } from './daily-table.tsx';
import { KpiGrid } from './kpis.tsx';
import { addIcons } from '../../../lib/ui/icon.tsx';
import { moreIcons } from '../../../lib/ui/more-icons.ts';

addIcons(moreIcons);

registry.add(commands, charts);

function updateQuery(patch: Partial<OverviewQuery>): void {
  const text = writeOverviewQuery(location.search, { ...readOverviewQuery(location.search), ...patch });
  navigate(`${location.pathname}${text ? `?${text}` : ''}`, { replace: true });
}

export function Overview() {
  const { metric, range } = readOverviewQuery(useSearch());
  return (
    <>
      <PageHeader title={t('overview.title')}>
        <CommandTrigger id="overview.refresh" />
        <CommandTrigger id="overview.export" />
      </PageHeader>
      <KpiGrid metric={metric} onPick={(selectedMetric) => updateQuery({ metric: selectedMetric })} />
      <TrendChart metric={metric} range={range} onRange={(selectedMetric) => updateQuery({ range: selectedMetric })} />
      <ListPart minHeight={384}>
        <DailyTable />
      </ListPart>
    </>
  );
}
