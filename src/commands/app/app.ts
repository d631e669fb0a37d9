import { loadResourceTexts } from '../../lib/i18n/boot.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { snapshotTargets, type Target } from '../../lib/scope.ts';
import { createChunk, ChunkError } from '../../lib/chunks/loader.ts';
import { chunkText } from '../../lib/ui/chunk-text.ts';
import { showToast } from '../../lib/ui/overlay/toasts-store.ts';
import type { Invocation } from '../engine/define.ts';
import type { InvocationSource } from '../engine/ui.ts';
import { getLoadedDispatch } from './ready-dispatch.ts';

const dispatcherChunk = createChunk(
  async () => (await Promise.all([import('./dispatcher.ts'), loadResourceTexts()]))[0].dispatch,
);

/** Freezes the targets when it is called. */
export function runCommand(
  invocation: Invocation,
  source: InvocationSource,
  targets: readonly Target[] = snapshotTargets(),
): void {
  const loadedDispatch = getLoadedDispatch();
  if (loadedDispatch) return void loadedDispatch(invocation, source, targets);
  dispatcherChunk.load().then(
    (dispatch) => void dispatch(invocation, source, targets),
    (error: unknown) =>
      showToast({
        kind: 'error',
        text: error instanceof ChunkError ? chunkText(error) : t('errors.generic'),
        action: { label: t('common.retry'), run: () => runCommand(invocation, source, targets) },
      }),
  );
}
