import { useStore } from '@nanostores/react';
import { useEffect, useState, type ComponentType } from 'react';
import { Link } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { startPath } from '../../../lib/session/guard.ts';
import { loadDictionary } from '../../../lib/i18n/boot.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { createChunk } from '../../../lib/chunks/loader.ts';
import { $openRoutes } from '../../../lib/session/session.ts';
import { buttonClass } from '../../../lib/ui/button-class.ts';

/** Commands are optional here, so a failed chunk is ignored. */
const commands = createChunk(async () => {
  const [{ NotFoundCommands }] = await Promise.all([import('./commands.tsx'), loadDictionary()]);
  return NotFoundCommands;
});

export function NotFound() {
  const requestedPath = requestedPathOf(useHistoryState<unknown>());
  const homePath = startPath(useStore($openRoutes));

  const [Commands, setCommands] = useState<ComponentType | null>(() => commands.value);

  useEffect(() => {
    commands.load().then(
      (loadedCommands) => setCommands(() => loadedCommands),
      () => {},
    );
  }, []);
  useEffect(() => {
    document.title = `${t('shell.notFound.title')} · ${t('shell.title')}`;
  }, []);

  return (
    <main id="main" className="flex min-h-dvh flex-col justify-center bg-canvas px-6 py-16">
      <div className="mx-auto flex w-full max-w-96 flex-col items-start gap-2">
        <p aria-hidden="true" className="text-figure font-semibold text-2 tabular-nums">
          404
        </p>
        <h1 className="text-title font-semibold">{t('shell.notFound.title')}</h1>
        <p className="text-body text-balance text-2">{t('shell.notFound.text')}</p>
        {requestedPath && (
          <dl className="mt-2 w-full rounded-control border bg-surface px-3 py-2">
            <dt className="text-meta text-2">{t('shell.notFound.asked')}</dt>
            <dd dir="ltr" className="font-mono text-meta break-all text-start">
              {requestedPath}
            </dd>
          </dl>
        )}
        <div className="mt-4 flex flex-wrap gap-2">
          {homePath !== '/404' && (
            <Link href={homePath} className={buttonClass('primary', 'px-2.5')}>
              {t('shell.notFound.home')}
            </Link>
          )}
          {Commands && <Commands />}
        </div>
      </div>
    </main>
  );
}

/** From the history state. Null if invalid. */
function requestedPathOf(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('asked' in state)) return null;
  return typeof state.asked === 'string' ? state.asked : null;
}
