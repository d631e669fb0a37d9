import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { EvmSlot } from './evm-slot.tsx';
import { PendingKeys } from './pending-keys.tsx';
import { QuestionForm } from './question-form.tsx';
import { KeySheet } from './key-sheet.tsx';
import { loadWords } from '../../lib/i18n/boot.ts';
import { $lightbox } from '../../lib/lightbox.ts';
import { chunk } from '../../lib/loader.ts';
import { FailedOver } from '../../lib/ui/late.tsx';
import { useChunk } from '../../lib/use-chunk.ts';
import { Toaster } from '../../lib/ui/toasts.tsx';
import { listenToKeys } from './key-listener.ts';
import { $confirm, $factorAsk, $factorDialog, $keySheet, $question, asksInPalette } from './questions.ts';
import { ConfirmSurface } from './review.tsx';
import { adminScript } from './script.ts';

const factorDialogs = chunk(() => import('./factor-dialogs.tsx').then(({ FactorDialogs }) => FactorDialogs));

const lightbox = chunk(async () => (await Promise.all([import('../../lib/ui/lightbox.tsx'), loadWords('kit')]))[0].Lightbox);

/** What no first paint needs: keys and notices, the forms and confirmations that commands ask by, and the scripts' way in. */
export function Dialogs() {
  const question = useStore($question);
  const confirm = useStore($confirm);
  const isSheetOpen = useStore($keySheet);
  const isLightboxOpen = useStore($lightbox) !== null;
  const factors = [useStore($factorDialog), useStore($factorAsk)].some((open) => open !== null);
  useEffect(listenToKeys, []);
  useEffect(() => {
    window.admin = adminScript;
    return () => {
      delete window.admin;
    };
  }, []);
  return (
    <>
      <PendingKeys />
      <Toaster />
      <EvmSlot />
      {question && !asksInPalette(question.question) && <QuestionForm key={keyOf(question.question)} open={question} />}
      {confirm && !asksInPalette(confirm) && <ConfirmSurface open={confirm} />}
      {factors && <Factors />}
      {isLightboxOpen && <Pictures />}
      {isSheetOpen && <KeySheet onClose={() => $keySheet.set(false)} />}
    </>
  );
}

/** Rarely needed, and with the QR code: in a file of its own. */
function Factors() {
  const part = useChunk(factorDialogs, true);
  return part.value ? <part.value /> : <FailedOver {...part} onClose={closeFactors} />;
}

function Pictures() {
  const part = useChunk(lightbox, true);
  return part.value ? <part.value /> : <FailedOver {...part} onClose={() => $lightbox.set(null)} />;
}

function closeFactors(): void {
  $factorDialog.set(null);
  $factorAsk.get()?.answer(false);
}

const keyOf = ({ command, targets }: { command: { id: string }; targets: readonly { id: string }[] }): string =>
  [command.id, ...targets.map(({ id }) => id)].join(' ');
