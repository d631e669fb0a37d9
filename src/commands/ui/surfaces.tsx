import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { loadResourceTexts } from '../../lib/i18n/boot.ts';
import { createChunk } from '../../lib/chunks/loader.ts';
import { $toasts } from '../../lib/ui/overlay/toasts-store.ts';
import { FailedOverlay } from '../../lib/ui/lazy-sheet.tsx';
import { useChunk } from '../../lib/chunks/use-chunk.ts';
import { $historyPage } from '../macros/history-page.ts';
import { $confirm, $factorAsk, $factorDialog, $keySheet, $palette, $question } from '../app/open-dialogs.ts';

const paletteChunk = createChunk(
  async () => (await Promise.all([import('./palette/palette.tsx'), loadResourceTexts()]))[0].Palette,
);
const dialogsChunk = createChunk(async () => (await Promise.all([import('./open-dialogs.tsx'), loadResourceTexts()]))[0].Dialogs);

export function Surfaces() {
  const isPaletteOpen = useStore($palette) !== null;
  const isDialogOpen = [useStore($question), useStore($confirm), useStore($factorDialog), useStore($factorAsk)].some(
    (dialog) => dialog !== null,
  );
  const [isSheetOpen, hasToasts] = [useStore($keySheet) !== null, useStore($toasts).length > 0];
  const paletteState = useChunk(paletteChunk, isPaletteOpen);
  const dialogsState = useChunk(dialogsChunk, isDialogOpen || isSheetOpen || hasToasts);
  const [Palette, Dialogs] = [paletteState.value, dialogsState.value];

  useEffect(() => abandonDialogs, []);

  return (
    <>
      {Palette && <Palette />}
      {Dialogs && <Dialogs />}
      <FailedOverlay {...(paletteState.error ? paletteState : dialogsState)} onClose={abandonDialogs} />
    </>
  );
}

function abandonDialogs(): void {
  $question.get()?.answer(null);
  $confirm.get()?.answer(false);
  $factorAsk.get()?.answer(false);
  $factorDialog.set(null);
  $palette.set(null);
  $keySheet.set(null);
  $historyPage.set(null);
  $toasts.set([]);
}
