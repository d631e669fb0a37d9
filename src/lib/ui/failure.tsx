import { useStore } from '@nanostores/react';
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import { t } from '../i18n/i18n.ts';
import { ChunkError } from '../chunks/loader.ts';
import { $newerBuild } from '../net/connectivity.ts';
import { reloadWithoutCache } from '../chunks/reload.ts';
import { buttonClass } from './button-class.ts';
import { chunkCause, chunkTitle } from './chunk-text.ts';
import { EmptyState } from './empty.tsx';

interface FailureProps {
  error: Error;
  onRetry: () => void;
  retrying?: boolean;
  /** Set if it covers content. */
  onClose?: (() => void) | undefined;
}

/** Shown in place of the part that failed. */
export function FailureText({ error, onRetry, retrying = false, onClose }: FailureProps) {
  const isChunkError = error instanceof ChunkError;
  useStore($newerBuild); // the cause depends on it
  const title = isChunkError ? chunkTitle(error) : t('shell.failed.title');
  // The module map keeps a script that broke on start, so only a page reload loads it again.
  const reload = () => void (isChunkError && error.reason !== 'timeout' ? reloadWithoutCache() : location.reload());
  const retry = isChunkError && !error.canRetry ? reload : onRetry;
  return (
    <div role="alert" className="flex flex-1 flex-col">
      <EmptyState
        icon={<CircleAlert size={24} aria-hidden="true" className="text-danger-text" />}
        title={title}
        action={
          <>
            <button
              type="button"
              ref={focusUnlessTyping}
              className={buttonClass('primary', 'px-2.5')}
              aria-busy={retrying || undefined}
              onClick={retry}
            >
              {t(retrying ? 'common.loading' : 'common.retry')}
            </button>
            <button type="button" className={buttonClass('secondary', 'px-2.5')} onClick={reload}>
              {t('shell.failed.reload')}
            </button>
            {onClose && (
              <button type="button" className={buttonClass('ghost', 'px-2.5')} onClick={onClose}>
                {t('common.close')}
              </button>
            )}
          </>
        }
      >
        {isChunkError ? <p>{chunkCause(error)}</p> : <p className="font-mono text-meta break-words">{error.name}</p>}
      </EmptyState>
    </div>
  );
}

/** Lets Enter retry. */
function focusUnlessTyping(button: HTMLElement | null): void {
  if (!document.activeElement?.matches('input,textarea')) button?.focus();
}
