import { useStore } from '@nanostores/react';
import { Link } from 'wouter';
import type { MenuNode } from '../../../api/menu.ts';
import { navigationKeysFor } from '../../commands/app/go-keys.ts';
import { buildMenu } from '../../lib/session/menu.ts';
import { pickLocaleName, t } from '../../lib/i18n/i18n.ts';
import { $loginEmail, $openRoutes, $permittedPaths } from '../../lib/session/session.ts';
import { Kbd } from '../../lib/ui/value/kbd.tsx';
import { PageHeader } from '../../lib/ui/page.tsx';
import { OverviewSummary } from './overview.tsx';
import { Outages } from './outages.tsx';
import { WaitingList } from './waiting.tsx';

export function Home() {
  const email = useStore($loginEmail);
  const canOpenOverview = useStore($permittedPaths).has('/overview');
  const menu = buildMenu(useStore($openRoutes) ?? []).filter(({ path }) => path !== '/');
  const standaloneScreens = menu.filter(({ children }) => !children);
  const groups = menu.filter(({ children }) => children);
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
        <p className="mt-6 text-body text-2">{t('shell.home.intro')}</p>
        <div className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(min(16rem,100%),1fr))] gap-x-8 gap-y-6">
          {standaloneScreens.length > 0 && <Section title={t('shell.home.places')} places={standaloneScreens} />}
          {groups.map((group) => (
            <Section key={group.path} title={pickLocaleName(group)} places={group.children ?? []} />
          ))}
        </div>
      </div>
    </>
  );
}

function Section({ title, places }: { title: string; places: readonly MenuNode[] }) {
  return (
    <section>
      <h2 className="border-b pb-1 text-meta font-medium text-2">{title}</h2>
      <ul className="-mx-2 mt-1">
        {places.map(({ path, zh, en }) => {
          const keys = navigationKeysFor(path);
          return (
            <li key={path}>
              <Link href={path} className="flex h-row items-center gap-2 rounded-control px-2 hover:bg-layer-hover">
                <span className="flex-1 truncate">{pickLocaleName({ zh, en })}</span>
                {keys && <Kbd keys={keys} />}
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
