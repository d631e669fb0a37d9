import { useStore } from '@nanostores/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { leave } from '../../commands/app/app.ts';
import { Surfaces } from '../../commands/ui/surfaces.tsx';
import { refreshAccess } from '../../lib/session/access.ts';
import { setOnUnauthorized } from '../../lib/net/client.ts';
import { linkPrefix } from '../../lib/session/guard.ts';
import { loadWords } from '../../lib/i18n/words.ts';
import { inLocale, t } from '../../lib/i18n/i18n.ts';
import { chunk, type ChunkError } from '../../lib/chunks/loader.ts';
import { chunkText } from '../../lib/ui/chunk-text.ts';
import { $silentSince } from '../../lib/net/connectivity.ts';
import { queryClient } from '../../lib/net/query.ts';
import { $authorization, $loginEmail, $permittedRoutes } from '../../lib/session/session.ts';
import { menuParts } from '../../lib/ui/overlay/menu.tsx';
import { showToast } from '../../lib/ui/overlay/toasts-store.ts';
import { Skeleton } from '../../lib/ui/skeleton.tsx';
import { useChunk } from '../../lib/chunks/use-chunk.ts';
import { $expired, endSession } from '../../lib/session/watch-session.ts';
import { Failure } from '../../lib/ui/failure.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { ChunkView } from './chunk-view.tsx';
import { Header } from './header.tsx';
import { preloadScreen, routeAt, routes } from './screens.ts';
import { MenuSheet, Sidebar } from './sidebar.tsx';

export { preloadScreen };

setOnUnauthorized(endSession);

/** The global layout: header, menu, and the screen at the current path. */
export function Shell() {
  const [path] = useLocation();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const closeMenu = useCallback(() => setMenuOpen(false), []);
  const access = useAccess();
  useEvents();
  const person = useStore($loginEmail);
  const route = routeAt(path);
  const title = route ? inLocale(route.node) : '';

  useEffect(() => {
    if (!path.startsWith(linkPrefix) && !(history.state as { form?: string } | null)?.form) return;
    links.load().then(
      ({ openLink }) => openLink(path),
      (error: ChunkError) => showToast({ kind: 'error', text: chunkText(error) }),
    );
  }, [path]);

  // The page itself does not scroll, main does. Said here, no dialog says it once more, which would lay out all of the page for each
  // opening. Not on a small screen: with large text its bar is wider than the page, and is reached by scrolling.
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const wide = matchMedia('(width >= 48rem)');
    const say = () => (style.overflow = wide.matches ? 'hidden' : '');
    say();
    wide.addEventListener('change', say);
    return () => {
      wide.removeEventListener('change', say);
      style.overflow = '';
    };
  }, []);
  useEffect(() => {
    document.title = title ? `${title} · ${t('shell.title')}` : t('shell.title');
  }, [title]);

  return (
    <QueryClientProvider client={queryClient}>
      <a
        href="#main"
        className="fixed start-2 top-2 z-10 -translate-y-16 rounded-control bg-accent px-3 py-1.5 text-on-accent focus:translate-y-0"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        {t('shell.skip')}
      </a>
      <div className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)_auto] md:grid-cols-[auto_minmax(0,1fr)_auto]">
        <Header onOpenMenu={() => setMenuOpen(true)} />
        <State />
        <Sidebar />
        <main
          id="main"
          tabIndex={-1}
          aria-label={title || undefined}
          className="relative flex min-h-0 flex-col overflow-auto bg-surface md:col-start-2 md:row-start-3"
        >
          {/* Another person's session leaves nothing on screen of the one before. */}
          <ErrorBoundary key={`${person} ${path}`}>
            {access.error && !access.isKnown ? (
              <Failure error={access.error} onRetry={access.retry} />
            ) : (
              <Switch>
                {routes.map(({ node, view }) => (
                  <Route key={node.path} path={node.path}>
                    <ChunkView of={view} />
                  </Route>
                ))}
                <Route>
                  <Skeleton lines={6} />
                </Route>
              </Switch>
            )}
          </ErrorBoundary>
        </main>
        <div id="peek" className="hidden md:contents" />
        <div id="commands" className="h-14 md:hidden" />
      </div>
      <Surfaces key={person} />
      <SessionEnd />
      <MenuSheet isOpen={isMenuOpen} onClose={closeMenu} />
      <p role="status" className="sr-only">
        {title}
      </p>
    </QueryClientProvider>
  );
}

/** A link may be to any command: it is read once all of them are here. */
const links = chunk(() => import('../../commands/app/links.ts'));

const expiryChunk = chunk(async () => (await Promise.all([import('./expiry.tsx'), loadWords('account')]))[0].Expiry);

/** Warning and sign-in over the page, and menus: there before they are needed, since the way to fetch them may be gone by then. */
function SessionEnd() {
  useChunk(menuParts, false);
  const isNeeded = useStore($expired);
  const { value: Whole, error } = useChunk(expiryChunk, isNeeded);
  // Without it nobody could sign in over the page: then at the sign-in page.
  useEffect(() => {
    if (error) leave();
  }, [error]);
  return Whole && <Whole />;
}

const stateChunk = chunk(async () => (await Promise.all([import('./state-bar.tsx'), loadWords('state')]))[0].StateBar);

/** Whether the server answers, and with which build: said above every screen, in a row of its own. */
function State() {
  const isSilent = useStore($silentSince) !== null;
  const { value: Bar } = useChunk(stateChunk, isSilent);
  return <div className="col-span-full">{Bar ? <Bar /> : isSilent && <p role="alert">{t('errors.code.OFFLINE')}</p>}</div>;
}

const eventsChunk = chunk(() => import('../../lib/net/events.ts').then(({ followEvents }) => followEvents));

/** Rights that change and sessions that end reach this page by themselves, once it stands. */
function useEvents() {
  const { value: follow } = useChunk(eventsChunk, false);
  useEffect(() => follow?.(endSession), [follow]);
}

/**
 * Asks the server once what this person may do: the stored list may be old, or missing.
 * Another person's session leaves nothing of the one before in the cache.
 */
function useAccess() {
  const authorization = useStore($authorization);
  const isKnown = useStore($permittedRoutes) !== null;
  const [error, setError] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  const askedFor = useRef<string | null>(null);

  useEffect(() => {
    if (isKnown && askedFor.current === authorization) return;
    askedFor.current = authorization;
    let isCurrent = true;
    refreshAccess().catch(
      (failure: unknown) => isCurrent && setError(failure instanceof Error ? failure : new Error(String(failure))),
    );
    return () => {
      isCurrent = false;
    };
  }, [authorization, isKnown, attempt]);
  // The same person who signs in again finds everything as it was.
  const email = useStore($loginEmail);
  useEffect(() => (email ? () => queryClient.clear() : undefined), [email]);

  const retry = () => {
    setError(null);
    setAttempt(attempt + 1);
  };
  return { isKnown, error, retry };
}
