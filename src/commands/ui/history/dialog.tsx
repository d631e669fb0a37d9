import { useStore } from '@nanostores/react';
import { useRef, useState } from 'react';
import { t } from '../../../lib/i18n/i18n.ts';
import { ConfirmDialog } from '../../../lib/ui/overlay/confirm-dialog.tsx';
import { Dialog } from '../../../lib/ui/overlay/dialog.tsx';
import { HistoryEntries } from './entries.tsx';
import { MacroList } from './list.tsx';
import { MacroForm } from './macro-form.tsx';
import { MacroRun } from './run.tsx';
import { $historyPage, type HistoryPage } from '../../macros/history-page.ts';

export function HistoryDialog() {
  const openPage = useStore($historyPage);
  // Closing during a run would hide what the macro did.
  const isBusy = useRef(false);
  const isDirty = useRef(false);
  const [pendingNavigation, setPendingNavigation] = useState<{ to: typeof openPage } | null>(null);
  const openTarget = (targetPage: typeof openPage) => {
    setPendingNavigation(null);
    $historyPage.set(targetPage);
  };
  const requestPage = (targetPage: typeof openPage) =>
    isDirty.current ? setPendingNavigation({ to: targetPage }) : openTarget(targetPage);
  if (!openPage) return null;
  const close = () => {
    if (!isBusy.current) requestPage(null);
  };
  const { targets } = openPage;
  const macros = { page: 'macros', targets } as const;
  return (
    <Dialog
      key={openPage.page}
      open
      onClose={close}
      title={titleOf(openPage)}
      description={openPage.page === 'history' && t('history.intro')}
      size={openPage.page === 'history' ? 'large' : 'medium'}
    >
      {openPage.page === 'history' && <HistoryEntries targets={targets} picking={openPage.picking} />}
      {openPage.page === 'macros' && <MacroList targets={targets} />}
      {openPage.page === 'edit' && (
        <MacroForm
          macro={openPage.macro}
          onDirty={(hasChanges) => void (isDirty.current = hasChanges)}
          onCancel={() => requestPage(openPage.isNew ? null : macros)}
          onSaved={() => openTarget(macros)}
        />
      )}
      {openPage.page === 'run' && (
        <MacroRun
          macro={openPage.macro}
          targets={targets}
          onClose={close}
          onBusy={(isRunning) => void (isBusy.current = isRunning)}
        />
      )}
      <ConfirmDialog
        open={pendingNavigation !== null}
        title={t('form.leaveTitle')}
        body={t('form.leaveLost')}
        cancelLabel={t('form.keepEditing')}
        confirmLabel={t('form.leaveDrop')}
        onConfirm={() => openTarget(pendingNavigation?.to ?? null)}
        onCancel={() => setPendingNavigation(null)}
      />
    </Dialog>
  );
}

function titleOf(openPage: HistoryPage): string {
  if (openPage.page === 'history') return t('history.title');
  if (openPage.page === 'macros') return t('history.macro.title');
  if (openPage.page === 'run') return t('history.macro.runTitle', { name: openPage.macro.name });
  return openPage.isNew ? t('history.macro.new') : t('history.macro.renameTitle', { name: openPage.macro.name });
}
