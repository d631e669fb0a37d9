import { useStore } from '@nanostores/react';
import { useEffect, useLayoutEffect, useMemo } from 'react';
import { navigate, usePathname } from 'wouter/use-browser-location';
import { guard, loginPath, notFoundPath, type Verdict } from '../../lib/session/guard.ts';
import { loadDictionary } from '../../lib/i18n/boot.ts';
import { chunk } from '../../lib/chunks/loader.ts';
import { rememberReturn } from '../../lib/session/return-to.ts';
import { $authorization, $permittedRoutes } from '../../lib/session/session.ts';
import { syncSession } from '../../lib/session/watch-session.ts';
import { $zoneOffsets } from '../../lib/zone.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { ChunkView } from './chunk-view.tsx';

const login = chunk(() => import('../access/login/screen.tsx').then(({ Login }) => Login));
const notFound = chunk(() => import('./not-found/screen.tsx').then(({ NotFound }) => NotFound));
/** How long the layout waits for its first screen, in milliseconds: drawn together they are one drawing, and the rows are asked for at once. */
const together = 200;

const shell = chunk(async () => {
  const [{ Shell, preloadScreen }] = await Promise.all([import('./shell.tsx'), loadDictionary()]);
  await Promise.race([preloadScreen(location.pathname), new Promise((resolve) => setTimeout(resolve, together))]);
  return Shell;
});

/** The guard before every route; /login and /404 stand alone, every screen inside the layout. */
export function App() {
  const path = usePathname();
  const verdict = useGuard(path);
  const zone = useStore($zoneOffsets);

  useLayoutEffect(() => {
    if (verdict.kind === 'ok') return;
    const asked = path + location.search + location.hash;
    if (verdict.to === loginPath) rememberReturn(asked);
    // A group and a trailing slash keep what was asked of the screen they lead to.
    const rest = verdict.to === loginPath || verdict.to === notFoundPath ? '' : location.search + location.hash;
    navigate(verdict.to + rest, { replace: true, state: verdict.to === notFoundPath ? { asked } : null });
  }, [verdict, path]);

  // Whoever types on the sign-in page is about to need the layout.
  useEffect(() => {
    if (path !== loginPath) return;
    const preload = () => void shell.load().catch(() => {});
    addEventListener('input', preload, { once: true });
    return () => removeEventListener('input', preload);
  }, [path]);

  if (verdict.kind === 'redirect') return null;
  return (
    <ErrorBoundary key={`${path === loginPath || path === notFoundPath ? path : 'shell'} ${zone}`}>
      <ChunkView of={path === loginPath ? login : path === notFoundPath ? notFound : shell} />
    </ErrorBoundary>
  );
}

/** Judges the path on every change of route, and again when the session changes while it stays. */
function useGuard(path: string): Verdict {
  const authorization = useStore($authorization);
  const permittedRoutes = useStore($permittedRoutes);
  useLayoutEffect(syncSession, [path]);
  return useMemo(() => guard({ path, authorization, permittedRoutes }), [path, authorization, permittedRoutes]);
}
