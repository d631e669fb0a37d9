import { useStore } from '@nanostores/react';
import { useEffect, useLayoutEffect, type ComponentType, type ReactNode } from 'react';
import { Redirect, Route, Router, Switch, type Parser } from 'wouter';
import { usePathname } from 'wouter/use-browser-location';
import { guardRoute, loginPath, notFoundPath } from '../../lib/session/guard.ts';
import { loadDictionary } from '../../lib/i18n/boot.ts';
import { createChunk, type Chunk } from '../../lib/chunks/loader.ts';
import { storeReturnPath } from '../../lib/session/return-to.ts';
import { $authorization, $openRoutes } from '../../lib/session/session.ts';
import { syncSession } from '../../lib/session/watch-session.ts';
import { $zoneOffsets } from '../../lib/zone.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { ChunkView } from './chunk-view.tsx';

const loginChunk = createChunk(() => import('../access/login/screen.tsx').then(({ Login }) => Login));
const notFoundChunk = createChunk(() => import('./not-found/screen.tsx').then(({ NotFound }) => NotFound));
/** How long the layout waits for its first screen, in milliseconds, to render both at the same time. */
const preloadMs = 200;

const shellChunk = createChunk(async () => {
  const [{ Shell, preloadScreen }] = await Promise.all([import('./shell.tsx'), loadDictionary()]);
  await Promise.race([preloadScreen(location.pathname), new Promise((resolve) => setTimeout(resolve, preloadMs))]);
  return Shell;
});

/** Exact match, because wouter's parser ignores case and a trailing slash. */
const exactPath: Parser = (path) => ({ pattern: path === '*' ? /^/ : new RegExp(`^${path}$`), keys: [] });

/** /login and /404 are outside the layout. */
export function App() {
  const zone = useStore($zoneOffsets);
  return (
    <Router parser={exactPath}>
      <Guard>
        <Switch key={zone}>
          <Route key="login" path={loginPath}>
            <ScreenSlot of={loginChunk} />
            <PreloadShell />
          </Route>
          <Route key="404" path={notFoundPath}>
            <ScreenSlot of={notFoundChunk} />
          </Route>
          <Route key="shell">
            <ScreenSlot of={shellChunk} />
          </Route>
        </Switch>
      </Guard>
    </Router>
  );
}

const ScreenSlot = ({ of }: { of: Chunk<ComponentType> }) => (
  <ErrorBoundary>
    <ChunkView of={of} />
  </ErrorBoundary>
);

/** Runs on every route and session change. */
function Guard({ children }: { children: ReactNode }) {
  const path = usePathname(); // not decoded, unlike wouter's useLocation
  const authorization = useStore($authorization);
  const permittedRoutes = useStore($openRoutes);
  const guardResult = guardRoute({ path, authorization, permittedRoutes });
  const redirectPath = guardResult.kind === 'redirect' ? guardResult.to : null;
  const searchAndHash = location.search + location.hash;
  const requestedPath = path + searchAndHash; // read before Redirect navigates, because its effects run first

  useLayoutEffect(syncSession, [path]);
  useLayoutEffect(() => {
    if (redirectPath === loginPath) storeReturnPath(requestedPath);
  }, [redirectPath, requestedPath]);

  if (redirectPath === null) return children;
  // A redirect to a screen keeps its query.
  const keepsSearch = redirectPath !== loginPath && redirectPath !== notFoundPath;
  return (
    <Redirect
      key={`${path} ${redirectPath}`}
      to={keepsSearch ? redirectPath + searchAndHash : redirectPath}
      replace
      state={redirectPath === notFoundPath ? { asked: requestedPath } : null}
    />
  );
}

/** Preloads the layout while the person types on the sign-in page. */
function PreloadShell() {
  useEffect(() => {
    const preload = () => void shellChunk.load().catch(() => {});
    addEventListener('input', preload, { once: true });
    return () => removeEventListener('input', preload);
  }, []);
  return null;
}
