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
  const open = useStore($historyPage);
  // Closing during a run would hide what the macro did.
  const isBusy = useRef(false);
  const isDirty = useRef(false);
  const [leaving, setLeaving] = useState<{ to: typeof open } | null>(null);
  const go = (to: typeof open) => {
    setLeaving(null);
    $historyPage.set(to);
  };
  const leave = (to: typeof open) => (isDirty.current ? setLeaving({ to }) : go(to));
  if (!open) return null;
  const close = () => {
    if (!isBusy.current) leave(null);
  };
  const { targets } = open;
  const macros = { page: 'macros', targets } as const;
  return (
    <Dialog
      key={open.page}
      open
      onClose={close}
      title={titleOf(open)}
      description={open.page === 'history' && t('history.intro')}
      size={open.page === 'history' ? 'large' : 'medium'}
    >
      {open.page === 'history' && <HistoryEntries targets={targets} picking={open.picking} />}
      {open.page === 'macros' && <MacroList targets={targets} />}
      {open.page === 'edit' && (
        <MacroForm
          macro={open.macro}
          onDirty={(dirty) => void (isDirty.current = dirty)}
          onCancel={() => leave(open.isNew ? null : macros)}
          onSaved={() => go(macros)}
        />
      )}
      {open.page === 'run' && (
        <MacroRun macro={open.macro} targets={targets} onClose={close} onBusy={(busy) => void (isBusy.current = busy)} />
      )}
      <ConfirmDialog
        open={leaving !== null}
        title={t('form.leaveTitle')}
        body={t('form.leaveLost')}
        cancelLabel={t('form.keepEditing')}
        confirmLabel={t('form.leaveDrop')}
        onConfirm={() => go(leaving?.to ?? null)}
        onCancel={() => setLeaving(null)}
      />
    </Dialog>
  );
}

function titleOf(open: HistoryPage): string {
  if (open.page === 'history') return t('history.title');
  if (open.page === 'macros') return t('history.macro.title');
  if (open.page === 'run') return t('history.macro.runTitle', { name: open.macro.name });
  return open.isNew ? t('history.macro.new') : t('history.macro.renameTitle', { name: open.macro.name });
}
