import { useStore } from '@nanostores/react';
import { useRef } from 'react';
import { t } from '../../../lib/i18n/i18n.ts';
import { Dialog } from '../../../lib/ui/overlay/dialog.tsx';
import { MacroEditor } from './editor.tsx';
import { Entries } from './entries.tsx';
import { MacroList } from './list.tsx';
import { MacroRun } from './run.tsx';
import { $historyPage, type HistoryPage } from '../../workspace/history-view.ts';

/** What was done, and the macros made of it. */
export function HistoryDialog() {
  const open = useStore($historyPage);
  // Nobody leaves a macro that is under way: what it did so far would go unsaid.
  const isBusy = useRef(false);
  if (!open) return null;
  const close = () => {
    if (!isBusy.current) $historyPage.set(null);
  };
  const { targets } = open;
  return (
    <Dialog
      key={open.page}
      open
      onClose={close}
      title={titleOf(open)}
      description={open.page === 'history' && t('history.intro')}
      size={open.page === 'history' ? 'large' : 'medium'}
    >
      {open.page === 'history' && <Entries targets={targets} picking={open.picking} />}
      {open.page === 'macros' && <MacroList targets={targets} />}
      {open.page === 'edit' && (
        <MacroEditor macro={open.macro} isNew={open.isNew} onDone={() => $historyPage.set({ page: 'macros', targets })} />
      )}
      {open.page === 'run' && (
        <MacroRun macro={open.macro} targets={targets} onClose={close} onBusy={(busy) => void (isBusy.current = busy)} />
      )}
    </Dialog>
  );
}

function titleOf(open: HistoryPage): string {
  if (open.page === 'history') return t('history.title');
  if (open.page === 'macros') return t('history.macro.title');
  if (open.page === 'run') return t('history.macro.runTitle', { name: open.macro.name });
  return open.isNew ? t('history.macro.new') : t('history.macro.edit', { name: open.macro.name });
}
