import { useEffect, useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { helpPath } from '../../lib/help/address.ts';
import { pageChunk } from '../../lib/help/load.ts';
import { readOutline } from '../../lib/help/outlines.ts';
import { findEntry, helpPages, type HelpEntry } from '../../lib/help/pages.ts';
import { useChunk } from '../../lib/chunks/use-chunk.ts';
import { locale, t } from '../../lib/i18n/i18n.ts';
import { EmptyState } from '../../lib/ui/empty.tsx';
import { FailureText } from '../../lib/ui/failure.tsx';
import { Skeleton } from '../../lib/ui/skeleton.tsx';
import { Article } from './article.tsx';

const addressOf = ({ name }: HelpEntry): string => (name === helpPages[0].name ? helpPath : `${helpPath}/${name}`);

/** Every address that means a page leads to the page's own. */
export function Help() {
  const [path] = useLocation();
  const entry = findEntry(path.slice(helpPath.length));
  const canonicalPath = entry && addressOf(entry);
  const isCanonicalPath = canonicalPath === undefined || canonicalPath === path;
  useLayoutEffect(() => {
    if (!isCanonicalPath) navigate(canonicalPath + location.hash, { replace: true });
  }, [canonicalPath, isCanonicalPath]);

  return (
    <div className="flex min-h-full flex-col md:flex-row">
      <Pages current={entry} />
      {entry ? (
        <Page key={entry.name} entry={entry} />
      ) : (
        <EmptyState level={1} title={t('help.missing')}>
          {t('help.missingText')}
        </EmptyState>
      )}
    </div>
  );
}

const groups = [...new Set(helpPages.map(({ group }) => group))];

function Pages({ current }: { current: HelpEntry | undefined }) {
  const list = useRef<HTMLElement>(null);

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    const currentIndex = links.findIndex((link) => link === document.activeElement);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: currentIndex + 1,
      ArrowUp: currentIndex - 1,
      Home: 0,
      End: links.length - 1,
    };
    const nextIndex = steps[event.key];
    if (nextIndex === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    links[Math.max(0, Math.min(links.length - 1, nextIndex))]?.focus();
  }

  return (
    <nav
      ref={list}
      aria-label={t('help.pages')}
      onKeyDown={onKeyDown}
      className="shrink-0 border-hairline p-3 max-md:order-last max-md:border-t md:w-56 md:border-e print:hidden"
    >
      <div className="flex flex-col gap-4 max-md:gap-2 md:sticky md:top-3">
        {groups.map((group) => (
          <div key={group} className="max-md:flex max-md:flex-wrap max-md:items-center">
            <h2 className="px-2 pb-1 text-meta font-semibold text-2 max-md:w-full">{t(`help.group.${group}`)}</h2>
            <ul className="max-md:flex max-md:flex-wrap">
              {helpPages
                .filter((entry) => entry.group === group)
                .map((entry) => (
                  <li key={entry.name}>
                    <Link
                      href={addressOf(entry)}
                      aria-current={entry.name === current?.name ? 'page' : undefined}
                      className="flex min-h-control items-center rounded-control px-2 py-1 text-body hover:bg-layer-hover aria-[current]:bg-layer-selected aria-[current]:font-medium pointer-coarse:min-h-11"
                    >
                      {readOutline(locale(), entry.name).title}
                    </Link>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  );
}

function Page({ entry }: { entry: HelpEntry }) {
  const { value: page, error, retry, retrying } = useChunk(pageChunk(locale(), entry.name), true);
  const nextPage = helpPages[helpPages.findIndex(({ name }) => name === entry.name) + 1];
  const isShown = page !== null;
  useEffect(() => {
    if (!isShown) return;
    const scrollToAnchor = () => {
      const id = decodeURIComponent(location.hash.slice(1));
      const heading = id === '' ? null : document.getElementById(id);
      if (heading) heading.focus();
      else if (id === '') document.getElementById('main')?.scrollTo(0, 0);
    };
    scrollToAnchor();
    addEventListener('hashchange', scrollToAnchor);
    addEventListener('pushState', scrollToAnchor);
    return () => {
      removeEventListener('hashchange', scrollToAnchor);
      removeEventListener('pushState', scrollToAnchor);
    };
  }, [isShown]);

  if (!page) return error ? <FailureText error={error} onRetry={retry} retrying={retrying} /> : <Skeleton lines={8} />;
  return (
    <div className="min-w-0 flex-1 px-4 pt-4 pb-16 md:px-8">
      <Article page={page} />
      {nextPage && (
        <p className="max-w-160 border-t border-hairline pt-4 print:hidden">
          <Link href={addressOf(nextPage)} className="text-accent-text underline underline-offset-2">
            {t('help.next', { title: readOutline(locale(), nextPage.name).title })}
          </Link>
        </p>
      )}
    </div>
  );
}
