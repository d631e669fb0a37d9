import { useSearch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { charts } from '../../../commands/statistics/charts.ts';
import { overview as commands } from '../../../commands/statistics/overview.ts';
import { registry } from '../../../commands/app/registry.ts';
import { Run } from '../../../commands/ui/controls/run.tsx';
import { t } from '../../../lib/i18n/i18n.ts';
import { readOverviewQuery, writeOverviewQuery, type OverviewQuery } from '../../../commands/statistics/overview-figures.ts';
import { PageHeader } from '../../../lib/ui/page.tsx';
import { Course } from './course.tsx';
import { Days } from './days.tsx';
import { Figures } from './figures.tsx';
import { addIcons } from '../../../lib/ui/icon.tsx';
import { moreIcons } from '../../../lib/ui/more-icons.ts';

addIcons(moreIcons);

registry.add(commands, charts);

function change(patch: Partial<OverviewQuery>): void {
  const text = writeOverviewQuery(location.search, { ...readOverviewQuery(location.search), ...patch });
  navigate(`${location.pathname}${text ? `?${text}` : ''}`, { replace: true });
}

export function Overview() {
  const { metric, range } = readOverviewQuery(useSearch());
  return (
    <>
      <PageHeader title={t('overview.title')}>
        <Run id="overview.refresh" />
        <Run id="overview.export" />
      </PageHeader>
      <Figures metric={metric} onPick={(picked) => change({ metric: picked })} />
      <Course metric={metric} range={range} onRange={(picked) => change({ range: picked })} />
      <div className="min-h-96 flex-1 border-t border-hairline">
        <Days />
      </div>
    </>
  );
}
