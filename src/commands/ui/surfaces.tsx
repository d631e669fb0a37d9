import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { loadResourceWords } from '../../lib/i18n/boot.ts';
import { createChunk } from '../../lib/chunks/loader.ts';
import { $toasts } from '../../lib/ui/overlay/toasts-store.ts';
import { FailedOverlay } from '../../lib/ui/lazy-sheet.tsx';
import { useChunk } from '../../lib/chunks/use-chunk.ts';
import { $historyPage } from '../macros/history-page.ts';
import { $confirm, $factorAsk, $factorDialog, $keySheet, $palette, $question } from '../app/open-dialogs.ts';

const palette = createChunk(async () => (await Promise.all([import('./palette/palette.tsx'), loadResourceWords()]))[0].Palette);
const dialogs = createChunk(async () => (await Promise.all([import('./open-dialogs.tsx'), loadResourceWords()]))[0].Dialogs);

export function Surfaces() {
  const isPalette = useStore($palette) !== null;
  const isAsked = [useStore($question), useStore($confirm), useStore($factorDialog), useStore($factorAsk)].some(
    (open) => open !== null,
  );
  const [isSheetOpen, isTold] = [useStore($keySheet) !== null, useStore($toasts).length > 0];
  const paletteHere = useChunk(palette, isPalette);
  const dialogsHere = useChunk(dialogs, isAsked || isSheetOpen || isTold);
  const [Palette, Dialogs] = [paletteHere.value, dialogsHere.value];

  useEffect(() => abandonDialogs, []);

  return (
    <>
      {Palette && <Palette />}
      {Dialogs && <Dialogs />}
      <FailedOverlay {...(paletteHere.error ? paletteHere : dialogsHere)} onClose={abandonDialogs} />
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
