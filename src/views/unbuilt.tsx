import { Hammer } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { flatMenu } from '../../api/routes.ts';
import { inLocale, t } from '../lib/i18n/i18n.ts';
import { buttonClass } from '../lib/ui/button-class.ts';
import { Empty } from '../lib/ui/empty.tsx';
import { PageHeader } from '../lib/ui/page.tsx';

/** Stands for every screen that a later version brings, and says so. */
export function Unbuilt() {
  const [path] = useLocation();
  const node = flatMenu().find((candidate) => candidate.path === path);
  const screen = node ? inLocale(node) : path;
  return (
    <>
      <PageHeader title={screen} />
      <Empty
        icon={<Hammer size={24} strokeWidth={1.5} aria-hidden="true" />}
        title={t('shell.unbuilt.title')}
        action={
          <Link href="/" className={buttonClass('secondary', 'px-2.5')}>
            {t('shell.notFound.home')}
          </Link>
        }
      >
        {t('shell.unbuilt.text', { screen })}
      </Empty>
    </>
  );
}
