import { Description, Dialog as HeadlessDialog, DialogPanel, DialogTitle } from '@headlessui/react';
import X from 'lucide-react/icons/x';
import { useEffect, useState, type ReactNode } from 'react';
import { t } from '../../i18n/i18n.ts';
import { $paletteOpen } from '../../scope.ts';
import { IconButton } from '../button.tsx';

interface DrawerProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** The record's commands, next to the close button. */
  actions?: ReactNode;
  footer?: ReactNode;
  /** 'table': room for the columns of a file. */
  wide?: boolean | 'table';
}

/**
 * A record's sheet at the end side, full-screen below 768 px. Opens only after the palette closes, so that it does not take typed
 * keys.
 */
export function Drawer({ open, onClose, title, description, children, actions, footer, wide = false }: DrawerProps) {
  const [isWaiting, setIsWaiting] = useState(() => $paletteOpen.get());
  useEffect(() => $paletteOpen.subscribe((isPaletteOpen) => !isPaletteOpen && setIsWaiting(false)), []);
  return (
    <HeadlessDialog open={open && !isWaiting} onClose={onClose} data-drawer className="fixed inset-0 z-30">
      <div className="fixed inset-0 bg-scrim" aria-hidden="true" />
      <DialogPanel
        className={`fixed inset-y-0 end-0 flex w-full flex-col bg-surface shadow-dialog ${wide === 'table' ? 'md:max-w-[60rem]' : wide ? 'md:max-w-form' : 'md:max-w-[30rem]'}`}
      >
        <div className="flex min-h-bar items-start gap-2 border-b border-hairline px-5 py-2.5">
          <div className="min-w-0 flex-1 text-balance">
            <DialogTitle className="text-section font-semibold break-words text-1">{title}</DialogTitle>
            {description && (
              <Description as="div" className="text-meta text-2">
                {description}
              </Description>
            )}
          </div>
          {actions}
          <IconButton label={t('common.close')} icon={<X size={16} aria-hidden="true" />} onClick={onClose} className="-me-1" />
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
        {footer && (
          <div className="flex flex-wrap items-center justify-end gap-2 border-t border-hairline px-5 py-3">{footer}</div>
        )}
      </DialogPanel>
    </HeadlessDialog>
  );
}
