import { $lightbox } from '../../lib/ui/overlay/lightbox-store.ts';
import { $historyPage } from '../macros/history-page.ts';
import { $recorded } from '../qa/recording.ts';
import { isIdle } from './dispatcher.ts';
import { $confirm, $factorAsk, $factorDialog, $keySheet, $palette, $question } from './open-dialogs.ts';

const dialogStores = [$question, $confirm, $factorDialog, $factorAsk, $keySheet, $historyPage, $lightbox, $recorded, $palette];
const timeoutMs = 10_000;

/** Resolves when no command is running, or a dialog has focus and can be typed into. */
export async function waitForOpened(): Promise<void> {
  let startedAt = performance.now();
  for (let stableFrames = 0; stableFrames < 2; await nextFrame()) {
    const state = currentState();
    stableFrames = state === 'settled' ? stableFrames + 1 : 0;
    if (state !== 'coming') startedAt = performance.now();
    else if (performance.now() - startedAt > timeoutMs)
      throw Object.assign(new Error('the opened view isn’t ready for keys'), { code: 'NOT_READY' });
  }
}

function currentState(): 'settled' | 'running' | 'coming' {
  const dialogs = [...document.querySelectorAll('[role="dialog"],[role="alertdialog"]')].filter(
    (dialog) => dialog.checkVisibility() && !dialog.querySelector('[data-record]'),
  );
  const isCovered = dialogStores.some((surface) => surface.get() !== null);
  if (!isCovered && dialogs.length === 0) return isIdle() ? 'settled' : 'running';
  const topDialog = dialogs.at(-1);
  return topDialog?.contains(document.activeElement) && !topDialog.querySelector('[aria-busy="true"]') ? 'settled' : 'coming';
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
