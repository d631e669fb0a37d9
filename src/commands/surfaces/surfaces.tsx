import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { loadResourceWords } from '../../lib/i18n/boot.ts';
import { chunk, type ChunkError } from '../../lib/loader.ts';
import { showToast } from '../../lib/toasts.ts';
import { useChunk } from '../../lib/use-chunk.ts';
import { $confirm, $factorAsk, $factorDialog, $keySheet, $palette, $question } from './questions.ts';

const palette = chunk(async () => (await Promise.all([import('../palette/palette.tsx'), loadResourceWords()]))[0].Palette);
const dialogs = chunk(async () => (await Promise.all([import('./dialogs.tsx'), loadResourceWords()]))[0].Dialogs);

/** Everything through which commands are given and ask back, once for the page. */
export function Surfaces() {
  const isAsked = [useStore($question), useStore($confirm), useStore($palette)].some((open) => open !== null);
  const isSheetOpen = useStore($keySheet) !== null;
  const isFactor = [useStore($factorDialog), useStore($factorAsk)].some((open) => open !== null);
  const Palette = useChunk(palette, isAsked, failed);
  const Dialogs = useChunk(dialogs, isAsked || isSheetOpen || isFactor, failed);

  useEffect(() => giveUp, []);

  return (
    <>
      {Palette && <Palette />}
      {Dialogs && <Dialogs />}
    </>
  );
}

/** What was asked for does not come: says so, and leaves nothing waiting. */
function failed(error: ChunkError): void {
  giveUp();
  showToast({ kind: 'error', text: error.message });
}

/** Answers no to whatever is open. */
function giveUp(): void {
  $question.get()?.answer(null);
  $confirm.get()?.answer(false);
  $factorAsk.get()?.answer(false);
  $factorDialog.set(null);
  $palette.set(null);
  $keySheet.set(null);
}
