import { useStore } from '@nanostores/react';
import { t } from '../../lib/i18n/i18n.ts';
import { $loginEmail, $permittedPaths } from '../../lib/session/session.ts';
import { PageHeader } from '../../lib/ui/page.tsx';
import { OverviewSummary } from './overview.tsx';
import { Outages } from './outages.tsx';
import { RecentList } from './recent.tsx';
import { WaitingList } from './waiting.tsx';

export function Home() {
  const email = useStore($loginEmail);
  const canOpenOverview = useStore($permittedPaths).has('/overview');
  return (
    <>
      <PageHeader title={t('shell.home.greeting', { email })} />
      <div className="max-w-240 px-4 pb-8">
        <Outages />
        <section>
          <h2 className="mb-1 border-b pb-1 text-meta font-medium text-2">{t('home.title')}</h2>
          <WaitingList />
        </section>
        {canOpenOverview && <OverviewSummary />}
        <section data-recent className="mt-6">
          <h2 className="mb-1 border-b pb-1 text-meta font-medium text-2">{t('home.recent')}</h2>
          <RecentList />
        </section>
      </div>
    </>
  );
}
