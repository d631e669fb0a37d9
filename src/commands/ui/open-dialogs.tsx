import { useStore } from '@nanostores/react';
import { useCallback, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { EvmSlot, isWalletUnavailable } from './controls/evm-slot.tsx';
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
import { Tooltips } from '../../lib/ui/overlay/tips.tsx';
import { DisplayMenu } from '../../lib/ui/list/display.tsx';
import { Conditions } from '../../lib/ui/list/filter/conditions.tsx';
import { dragColumns, resizeColumn } from '../../lib/ui/list/table/drag-columns.ts';
import { $listExtras } from '../../lib/ui/list/extras.ts';
import { trackRecentRecords } from '../../lib/ui/record/recent.ts';
import { Toaster } from '../../lib/ui/overlay/toasts.tsx';
import { listenToKeys } from './keys/key-listener.ts';
import { followKeyPrefs } from '../app/key-prefs.ts';
import { RowContextMenu } from './controls/row-context.tsx';
import { followDeviceRequests } from './controls/device-notice.ts';
import { CommandBar } from './controls/command-bar.tsx';
import { Crumbs } from './controls/crumbs.tsx';
import { watchPrint } from '../../lib/print-page.ts';
import { useSessionWallet } from '../../lib/wallet/use-session-wallet.ts';
import { isAskedInPalette } from '../app/collect.ts';
import { $confirm, $factorAsk, $factorDialog, $keySheet, $question } from '../app/open-dialogs.ts';
import { NavViews } from './controls/nav-views.tsx';
import { ViewMenu } from './controls/view-menu.tsx';
import { SelectAllOffer } from './controls/select-all-offer.tsx';
import { ConfirmSurface } from './dialogs/review.tsx';
import { adminScript } from '../app/script.ts';
import { $recorded } from '../qa/recording.ts';

const recordedScriptChunk = createChunk(() =>
  import('./controls/recorded.tsx').then(({ RecordedFieldsView }) => RecordedFieldsView),
);

const factorDialogsChunk = createChunk(() => import('./dialogs/factor-dialogs.tsx').then(({ FactorDialogs }) => FactorDialogs));

const historyChunk = createChunk(() => import('./history/dialog.tsx').then(({ HistoryDialog }) => HistoryDialog));
const exportChipChunk = createChunk(() => import('./exports/chip.tsx').then(({ ExportChip }) => ExportChip));
const exportsDialogChunk = createChunk(() => import('./exports/dialog.tsx').then(({ ExportsDialog }) => ExportsDialog));
const batchReportChunk = createChunk(() => import('./controls/batch-report.tsx').then(({ BatchReport }) => BatchReport));

const lightboxChunk = createChunk(
  async () => (await Promise.all([import('../../lib/ui/overlay/lightbox.tsx'), loadWords('kit')]))[0].Lightbox,
);

export function Dialogs() {
  const question = useStore($question);
  const confirm = useStore($confirm);
  const openSheet = useStore($keySheet);
  const recorded = useStore($recorded);
  const isLightboxOpen = useStore($lightbox) !== null;
  const isExporting = useStore($pendingExports).length > 0;
  const isExportsOpen = useStore($exportsOpen);
  const isBatchOpen = useStore($batch) !== null;
  const isFactorDialogOpen = [useStore($factorDialog), useStore($factorAsk)].some((dialog) => dialog !== null);
  const isHistoryOpen = useStore($historyPage) !== null;
  useSessionWallet();
  // Keys wait (src/boot.ts) until the previous wallet is found after a reload.
  const [isReady, setIsReady] = useState(() => !isWalletUnavailable());
  const onBack = useCallback(() => setIsReady(true), []);
  useEffect(() => (isReady ? listenToKeys() : undefined), [isReady]);
  useEffect(followKeyPrefs, []);
  useEffect(watchPrint, []);
  useEffect(followHistory, []);
  useEffect(syncHistory, []);
  useEffect(trackRecentRecords, []);
  useEffect(followDeviceRequests, []);
  useEffect(
    () =>
      $listExtras.set({
        Conditions,
        Display: DisplayMenu,
        dragColumns,
        resizeColumn,
        Offer: SelectAllOffer,
        Views: ViewMenu,
        NavViews,
      }),
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
      <Tooltips />
      <Crumbs />
      <CommandBar />
      <RowContextMenu />
      <Toaster />
      <EvmSlot onBack={onBack} />
      {question && !isAskedInPalette(question.question) && <QuestionForm key={keyOf(question.question)} open={question} />}
      {confirm && !isAskedInPalette(confirm) && <ConfirmSurface open={confirm} />}
      {isBatchOpen && <BatchReportSlot />}
      {isFactorDialogOpen && <FactorDialogsSlot />}
      {recorded && <RecordedScript recorded={recorded} />}
      {isHistoryOpen && <HistorySlot />}
      {isExporting && <ExportChipSlot />}
      {isExportsOpen && <ExportsSlot />}
      {isLightboxOpen && <LightboxSlot />}
      {openSheet === 'sheet' && <KeySheet onClose={closeKeys} />}
      {openSheet === 'edit' && <KeyEditor onClose={closeKeys} />}
    </>
  );
}

const closeKeys = () => $keySheet.set(null);

/** In a file of its own with the QR code. */
function FactorDialogsSlot() {
  const chunkState = useChunk(factorDialogsChunk, true);
  return chunkState.value ? <chunkState.value /> : <FailedOverlay {...chunkState} onClose={closeFactors} />;
}

function RecordedScript({ recorded }: { recorded: { text: string; count: number } }) {
  const chunkState = useChunk(recordedScriptChunk, true);
  const close = () => $recorded.set(null);
  return chunkState.value ? (
    <chunkState.value recorded={recorded} onClose={close} />
  ) : (
    <FailedOverlay {...chunkState} onClose={close} />
  );
}

function ExportChipSlot() {
  const { value: LoadedChip } = useChunk(exportChipChunk, true);
  const slotElement = useElement('bar');
  return LoadedChip && slotElement && createPortal(<LoadedChip />, slotElement);
}

function ExportsSlot() {
  const chunkState = useChunk(exportsDialogChunk, true);
  return chunkState.value ? <chunkState.value /> : <FailedOverlay {...chunkState} onClose={() => $exportsOpen.set(false)} />;
}

function BatchReportSlot() {
  const chunkState = useChunk(batchReportChunk, true);
  return chunkState.value ? <chunkState.value /> : <FailedOverlay {...chunkState} onClose={dismissBatch} />;
}

function LightboxSlot() {
  const chunkState = useChunk(lightboxChunk, true);
  return chunkState.value ? <chunkState.value /> : <FailedOverlay {...chunkState} onClose={() => $lightbox.set(null)} />;
}

function HistorySlot() {
  const chunkState = useChunk(historyChunk, true);
  return chunkState.value ? <chunkState.value /> : <FailedOverlay {...chunkState} onClose={() => $historyPage.set(null)} />;
}

function closeFactors(): void {
  $factorDialog.set(null);
  $factorAsk.get()?.answer(false);
}

const keyOf = ({ command, targets }: { command: { id: string }; targets: readonly { id: string }[] }): string =>
  [command.id, ...targets.map(({ id }) => id)].join(' ');
