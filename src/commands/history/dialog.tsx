import { useStore } from '@nanostores/react';
import { t } from '../../lib/i18n/i18n.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { Entries } from './entries.tsx';
import { $historyPage } from './view.ts';

const close = (): void => $historyPage.set(null);

/** What was done, and the macros made of it. */
export function HistoryDialog() {
  const open = useStore($historyPage);
  if (!open) return null;
  return (
    <Dialog open onClose={close} title={t('history.title')} description={t('history.intro')} size="large">
      <Entries targets={open.targets} picking={open.page === 'history' && open.picking} />
    </Dialog>
  );
}
