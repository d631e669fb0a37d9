import { navigate } from 'wouter/use-browser-location';
import { t } from '../../lib/i18n/i18n.ts';
import { freezeTargets, $frame, type Target } from '../../lib/scope.ts';
import { $authorization, $codeSet, $permittedPaths, clearSession } from '../../lib/session/session.ts';
import { chunk, ChunkError } from '../../lib/chunks/loader.ts';
import { chunkText } from '../../lib/ui/chunk-text.ts';
import { $expert } from '../../lib/prefs/prefs.ts';
import { showToast } from '../../lib/ui/overlay/toasts-store.ts';
import { assess, type Context, type Verdict } from '../engine/assess.ts';
import type { AnyCommand, Invocation } from '../engine/define.ts';
import type { Dispatch } from '../engine/dispatch/interface.ts';
import type { Source } from '../engine/ui.ts';

/** Forgets who was here, in this browser. */
export function leave(): void {
  clearSession();
  navigate('/login', { replace: true });
}

/** What the judge needs to know, as things stand now. */
export const currentContext = (): Context => ({
  signedIn: $authorization.get() !== null,
  codes: $codeSet.get(),
  paths: $permittedPaths.get(),
  frame: $frame.get(),
  expert: $expert.get(),
});

export const judge = (command: AnyCommand, targets: readonly Target[] = freezeTargets(), whole = false): Verdict =>
  assess(command, currentContext(), command.target.kind === 'none' ? [] : targets, whole);

/** The dispatcher comes after the first paint and says so here; what is asked for before waits for it. */
let ready: Dispatch | null = null;
export const provideDispatch = (dispatch: Dispatch): void => void (ready = dispatch);
const dispatcher = chunk(() => import('./dispatcher.ts').then(({ dispatch }) => dispatch));

/** For surfaces: runs it and lets dispatch tell the person what came of it. What is aimed at is frozen here and now. */
export function run(invocation: Invocation, source: Source, targets: readonly Target[] = freezeTargets()): void {
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
