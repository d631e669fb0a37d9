import { useStore } from '@nanostores/react';
import { useCallback, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { EvmSlot, isWalletAway } from './controls/evm-slot.tsx';
import { PendingKeys } from './keys/pending-keys.tsx';
import { QuestionForm } from './dialogs/question-form.tsx';
import { KeyEditor } from './keys/key-editor.tsx';
import { KeySheet } from './keys/key-sheet.tsx';
import { $batch, dismissBatch } from '../../lib/batch.ts';
import { loadWords } from '../../lib/i18n/words.ts';
import { syncHistory } from '../app/history-sync.ts';
import { followHistory } from '../engine/dispatch/history.ts';
import { $historyPage } from '../macros/history-page.ts';
import { $exportsOpen, $pendingExports } from '../../lib/exports/store.ts';
import { $lightbox } from '../../lib/ui/overlay/lightbox-store.ts';
import { createChunk } from '../../lib/chunks/loader.ts';
import { FailedOverlay } from '../../lib/ui/lazy-sheet.tsx';
import { useChunk } from '../../lib/chunks/use-chunk.ts';
import { useElement } from '../../lib/ui/use-element.ts';
import { Tips } from '../../lib/ui/overlay/tips.tsx';
import { Display } from '../../lib/ui/list/display.tsx';
import { Conditions } from '../../lib/ui/list/filter/conditions.tsx';
import { dragColumns, resizeColumn } from '../../lib/ui/list/table/drag-columns.ts';
import { $listExtras } from '../../lib/ui/list/extras.ts';
import { followRecent } from '../../lib/ui/record/recent.ts';
import { Toaster } from '../../lib/ui/overlay/toasts.tsx';
import { listenToKeys } from './keys/key-listener.ts';
import { followKeyPrefs } from '../app/key-prefs.ts';
import { RowContext } from './controls/row-context.tsx';
import { followDeviceRequests } from './controls/device-notice.ts';
import { CommandBar } from './controls/command-bar.tsx';
import { Crumbs } from './controls/crumbs.tsx';
import { watchPrint } from '../../lib/print-page.ts';
import { useSessionWallet } from '../../lib/wallet/use-session-wallet.ts';
import { asksInPalette } from '../app/collect.ts';
import { $confirm, $factorAsk, $factorDialog, $keySheet, $question } from '../app/open-dialogs.ts';
import { NavViews } from './controls/nav-views.tsx';
import { ViewMenu } from './controls/view-menu.tsx';
import { SelectAllOffer } from './controls/select-all-offer.tsx';
import { ConfirmSurface } from './dialogs/review.tsx';
import { adminScript } from '../app/script.ts';
import { $recorded } from '../qa/recording.ts';

const recordedScript = createChunk(() => import('./controls/recorded.tsx').then(({ RecordedFieldsView }) => RecordedFieldsView));

const factorDialogs = createChunk(() => import('./dialogs/factor-dialogs.tsx').then(({ FactorDialogs }) => FactorDialogs));

const history = createChunk(() => import('./history/dialog.tsx').then(({ HistoryDialog }) => HistoryDialog));
const exportChip = createChunk(() => import('./exports/chip.tsx').then(({ ExportChip }) => ExportChip));
const exportsDialog = createChunk(() => import('./exports/dialog.tsx').then(({ ExportsDialog }) => ExportsDialog));
const batchReport = createChunk(() => import('./controls/batch-report.tsx').then(({ BatchReport }) => BatchReport));

const lightbox = createChunk(
  async () => (await Promise.all([import('../../lib/ui/overlay/lightbox.tsx'), loadWords('kit')]))[0].Lightbox,
);

export function Dialogs() {
  const question = useStore($question);
  const confirm = useStore($confirm);
  const sheet = useStore($keySheet);
  const recorded = useStore($recorded);
  const isLightboxOpen = useStore($lightbox) !== null;
  const isExporting = useStore($pendingExports).length > 0;
  const isExportsOpen = useStore($exportsOpen);
  const isBatch = useStore($batch) !== null;
  const factors = [useStore($factorDialog), useStore($factorAsk)].some((open) => open !== null);
  const isHistoryOpen = useStore($historyPage) !== null;
  useSessionWallet();
  // Keys wait (src/boot.ts) until the previous wallet is found after a reload.
  const [isReady, setReady] = useState(() => !isWalletAway());
  const onBack = useCallback(() => setReady(true), []);
  useEffect(() => (isReady ? listenToKeys() : undefined), [isReady]);
  useEffect(followKeyPrefs, []);
  useEffect(watchPrint, []);
  useEffect(followHistory, []);
  useEffect(syncHistory, []);
  useEffect(followRecent, []);
  useEffect(followDeviceRequests, []);
  useEffect(
    () => $listExtras.set({ Conditions, Display, dragColumns, resizeColumn, Offer: SelectAllOffer, Views: ViewMenu, NavViews }),
    [],
  );
  useEffect(() => {
    if (!isReady) return;
    window.admin = adminScript;
    return () => {
      delete window.admin;
    };
  }, [isReady]);
  return (
    <>
      <PendingKeys />
      <Tips />
      <Crumbs />
      <CommandBar />
      <RowContext />
      <Toaster />
      <EvmSlot onBack={onBack} />
      {question && !asksInPalette(question.question) && <QuestionForm key={keyOf(question.question)} open={question} />}
      {confirm && !asksInPalette(confirm) && <ConfirmSurface open={confirm} />}
      {isBatch && <Report />}
      {factors && <Factors />}
      {recorded && <RecordedScript recorded={recorded} />}
      {isHistoryOpen && <History />}
      {isExporting && <Chip />}
      {isExportsOpen && <Exports />}
      {isLightboxOpen && <Pictures />}
      {sheet === 'sheet' && <KeySheet onClose={closeKeys} />}
      {sheet === 'edit' && <KeyEditor onClose={closeKeys} />}
    </>
  );
}

const closeKeys = () => $keySheet.set(null);

/** In a file of its own with the QR code. */
function Factors() {
  const part = useChunk(factorDialogs, true);
  return part.value ? <part.value /> : <FailedOverlay {...part} onClose={closeFactors} />;
}

function RecordedScript({ recorded }: { recorded: { text: string; count: number } }) {
  const part = useChunk(recordedScript, true);
  const close = () => $recorded.set(null);
  return part.value ? <part.value recorded={recorded} onClose={close} /> : <FailedOverlay {...part} onClose={close} />;
}

function Chip() {
  const { value: Whole } = useChunk(exportChip, true);
  const place = useElement('bar');
  return Whole && place && createPortal(<Whole />, place);
}

function Exports() {
  const part = useChunk(exportsDialog, true);
  return part.value ? <part.value /> : <FailedOverlay {...part} onClose={() => $exportsOpen.set(false)} />;
}

function Report() {
  const part = useChunk(batchReport, true);
  return part.value ? <part.value /> : <FailedOverlay {...part} onClose={dismissBatch} />;
}

function Pictures() {
  const part = useChunk(lightbox, true);
  return part.value ? <part.value /> : <FailedOverlay {...part} onClose={() => $lightbox.set(null)} />;
}

function History() {
  const part = useChunk(history, true);
  return part.value ? <part.value /> : <FailedOverlay {...part} onClose={() => $historyPage.set(null)} />;
}

function closeFactors(): void {
  $factorDialog.set(null);
  $factorAsk.get()?.answer(false);
}

const keyOf = ({ command, targets }: { command: { id: string }; targets: readonly { id: string }[] }): string =>
  [command.id, ...targets.map(({ id }) => id)].join(' ');
