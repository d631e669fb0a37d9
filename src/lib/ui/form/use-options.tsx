import { useEffect, useState, type ReactNode } from 'react';
import { errorText } from '../../net/errors.ts';
import { t } from '../../i18n/i18n.ts';
import { Button } from '../button.tsx';

/**
 * Loads a field's options once, null until loaded, with an error and Retry. A first field then takes the focus, unless it has
 * moved.
 */
export function useOptions<T>(
  loadOptions: (signal: AbortSignal) => Promise<T>,
  { id, autoFocus }: { id: string; autoFocus: boolean } = { id: '', autoFocus: false },
): { options: T | null; failure: ReactNode } {
  const [options, setOptions] = useState<T | null>(null);
  const [loadError, setLoadError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const abortController = new AbortController();
    loadOptions(abortController.signal).then(
      (loadedOptions) => !abortController.signal.aborted && setOptions(() => loadedOptions),
      (error: unknown) => !abortController.signal.aborted && setLoadError(error),
    );
    return () => abortController.abort();
    // `loadOptions` is new at each render, so reading it once per attempt avoids reloading
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [attempt]);

  useEffect(() => {
    const activeElement = document.activeElement;
    if (options !== null && autoFocus && !activeElement?.matches('input,select,textarea,[role="combobox"],[role="switch"]'))
      document.getElementById(id)?.focus();
  }, [options, autoFocus, id]);

  const retry = () => {
    setLoadError(null);
    setAttempt(attempt + 1);
  };
  const failure = loadError !== null && (
    <div role="alert" className="flex items-center gap-3 rounded-control border border-control p-2 text-body">
      <span className="flex-1">{errorText(loadError)}</span>
      <Button onClick={retry}>{t('common.retry')}</Button>
    </div>
  );
  return { options, failure };
}
