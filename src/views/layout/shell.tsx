import { useStore } from '@nanostores/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { signOutLocally } from '../../commands/app/context.ts';
import { Surfaces } from '../../commands/ui/surfaces.tsx';
import { refreshAccess } from '../../lib/session/access.ts';
import { setOnUnauthorized } from '../../lib/net/client.ts';
import { linkPrefix } from '../../lib/session/guard.ts';
import { helpPath, isHelpPath } from '../../lib/help/address.ts';
import { loadWords } from '../../lib/i18n/words.ts';
import { pickLocaleName, t } from '../../lib/i18n/i18n.ts';
import { createChunk, type ChunkError } from '../../lib/chunks/loader.ts';
import { chunkText } from '../../lib/ui/chunk-text.ts';
import { $unreachableSince } from '../../lib/net/connectivity.ts';
import { queryClient } from '../../lib/net/query.ts';
import { $authorization, $inactiveRoles, $loginEmail, $permittedRoutes, $viewAs } from '../../lib/session/session.ts';
import { menuChunk } from '../../lib/ui/overlay/menu.tsx';
import { showToast } from '../../lib/ui/overlay/toasts-store.ts';
import { Skeleton } from '../../lib/ui/skeleton.tsx';
import { useChunk } from '../../lib/chunks/use-chunk.ts';
import { $expired, expireSession } from '../../lib/session/watch-session.ts';
import { FailureText } from '../../lib/ui/failure.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { ChunkView } from './chunk-view.tsx';
import { Header } from './header.tsx';
import { preloadScreen, routeAt, routes } from './screens.ts';
import { MenuSheet, Sidebar } from './sidebar.tsx';

export { preloadScreen };

setOnUnauthorized(expireSession);

export function Shell() {
  const [path] = useLocation();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const closeMenu = useCallback(() => setMenuOpen(false), []);
  const access = useAccess();
  useEvents();
  const viewAs = useStore($viewAs);
  const personKey = `${useStore($loginEmail)} ${viewAs?.id ?? ''}`;
  const route = routeAt(path);
  const title = route ? pickLocaleName(route.node) : isHelpPath(path) ? t('shell.help') : '';

  useEffect(() => {
    if (!path.startsWith(linkPrefix) && !(history.state as { form?: string } | null)?.form) return;
    linksChunk.load().then(
      ({ openLink }) => openLink(path),
      (error: ChunkError) => showToast({ kind: 'error', text: chunkText(error) }),
    );
  }, [path]);

  // Only main scrolls. Setting it here saves a relayout by each dialog. On small screens the page scrolls too, because large text
  // can make the bottom bar wider.
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const wideQuery = matchMedia('(width >= 48rem)');
    const applyOverflow = () => (style.overflow = wideQuery.matches ? 'hidden' : '');
    applyOverflow();
    wideQuery.addEventListener('change', applyOverflow);
    return () => {
      wideQuery.removeEventListener('change', applyOverflow);
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
        <StateBars />
        <Sidebar />
        <main
          id="main"
          tabIndex={-1}
          aria-label={title || undefined}
          className="relative flex min-h-0 flex-col overflow-auto bg-surface md:col-start-2 md:row-start-3"
        >
          {/* The key removes the previous person's or view's screen. */}
          <ErrorBoundary key={`${personKey} ${isHelpPath(path) ? helpPath : path}`}>
            {access.error && !access.isKnown ? (
              <FailureText error={access.error} onRetry={access.retry} />
            ) : (
              <Switch>
                {routes.map(({ node, view }) => (
                  <Route key={node.path} path={node.path}>
                    <ChunkView of={view} />
                  </Route>
                ))}
                <Route path={`${helpPath}(?:/.*)?`}>
                  <ChunkView of={helpChunk} />
                </Route>
                <Route>
                  <Skeleton lines={6} />
                </Route>
              </Switch>
            )}
          </ErrorBoundary>
        </main>
        <div id="peek" className="hidden md:contents" />
        <section id="commands" aria-label={t('page.commands')} className="h-14 md:hidden" />
      </div>
      <Surfaces key={personKey} />
      <SessionEnd />
      <MenuSheet isOpen={isMenuOpen} onClose={closeMenu} />
      <p role="status" className="sr-only">
        {title}
      </p>
    </QueryClientProvider>
  );
}

const helpChunk = createChunk(async () => (await Promise.all([import('../help/screen.tsx'), loadWords('help')]))[0].Help);

/** Commands for links, loaded with all features. */
const linksChunk = createChunk(() => import('../../commands/app/links.ts'));

const expiryChunk = createChunk(
  async () => (await Promise.all([import('./expiry.tsx'), loadWords('account'), loadWords('resources')]))[0].SessionExpiryDialog,
);

/** Loads warnings, sign-in and menus ahead, in case the connection fails later. */
function SessionEnd() {
  useChunk(menuChunk, false);
  const isNeeded = useStore($expired);
  const { value: LoadedDialog, error } = useChunk(expiryChunk, isNeeded);
  // If sign-in above the page cannot load, use the sign-in page.
  useEffect(() => {
    if (error) signOutLocally();
  }, [error]);
  return LoadedDialog && <LoadedDialog />;
}

const stateChunk = createChunk(async () => (await Promise.all([import('./state-bar.tsx'), loadWords('state')]))[0].StateBar);

const viewAsChunk = createChunk(async () => (await Promise.all([import('./view-as-bar.tsx'), loadWords('state')]))[0].ViewAsBar);

const inactiveRolesChunk = createChunk(
  async () => (await Promise.all([import('./inactive-roles-bar.tsx'), loadWords('state')]))[0].InactiveRolesBar,
);

function StateBars() {
  const isSilent = useStore($unreachableSince) !== null;
  const { value: Bar } = useChunk(stateChunk, isSilent);
  const isViewing = useStore($viewAs) !== null;
  const { value: ViewAs } = useChunk(viewAsChunk, isViewing);
  const hasInactiveRoles = useStore($inactiveRoles).length > 0;
  const { value: InactiveRoles } = useChunk(inactiveRolesChunk, hasInactiveRoles);
  return (
    <div className="col-span-full">
      {Bar ? <Bar /> : isSilent && <p role="alert">{t('errors.code.OFFLINE')}</p>}
      {isViewing && ViewAs && <ViewAs />}
      {hasInactiveRoles && InactiveRoles && <InactiveRoles />}
    </div>
  );
}

const eventsChunk = createChunk(() => import('../../lib/net/events.ts').then(({ followEvents }) => followEvents));

/** Follows changes of rights and the session's end. */
function useEvents() {
  const { value: followEvents } = useChunk(eventsChunk, false);
  useEffect(() => followEvents?.(expireSession), [followEvents]);
}

/** Refreshes the stored permissions. Another person's sign-in clears the cache. */
function useAccess() {
  const authorization = useStore($authorization);
  const isKnown = useStore($permittedRoutes) !== null;
  const [error, setError] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  const requestedAuthorization = useRef<string | null>(null);

  useEffect(() => {
    if (isKnown && requestedAuthorization.current === authorization) return;
    requestedAuthorization.current = authorization;
    let isCurrent = true;
    refreshAccess().catch((cause: unknown) => isCurrent && setError(cause instanceof Error ? cause : new Error(String(cause))));
    return () => {
      isCurrent = false;
    };
  }, [authorization, isKnown, attempt]);
  // The same person keeps the cache.
  const email = useStore($loginEmail);
  useEffect(() => (email ? () => queryClient.clear() : undefined), [email]);

  const retry = () => {
    setError(null);
    setAttempt(attempt + 1);
  };
  return { isKnown, error, retry };
}
