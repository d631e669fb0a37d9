import { t } from '../../lib/i18n/i18n.ts';
import { freezeTargets, type Target } from '../../lib/scope.ts';
import { chunk, ChunkError } from '../../lib/chunks/loader.ts';
import { chunkText } from '../../lib/ui/chunk-text.ts';
import { showToast } from '../../lib/ui/overlay/toasts-store.ts';
import type { Invocation } from '../engine/define.ts';
import type { Source } from '../engine/ui.ts';
import { readyDispatch } from './ready-dispatch.ts';

const dispatcher = chunk(() => import('./dispatcher.ts').then(({ dispatch }) => dispatch));

/** Freezes the targets when it is called. */
export function run(invocation: Invocation, source: Source, targets: readonly Target[] = freezeTargets()): void {
  const ready = readyDispatch();
  if (ready) return void ready(invocation, source, targets);
  dispatcher.load().then(
    (dispatch) => void dispatch(invocation, source, targets),
    (error: unknown) =>
      showToast({
        kind: 'error',
        text: error instanceof ChunkError ? chunkText(error) : t('errors.generic'),
        action: { label: t('common.retry'), run: () => run(invocation, source, targets) },
      }),
  );
}
