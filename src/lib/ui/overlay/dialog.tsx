import { Description, Dialog as HeadlessDialog, DialogPanel, DialogTitle } from '@headlessui/react';
import X from 'lucide-react/icons/x';
import type { ReactNode, RefObject } from 'react';
import { t } from '../../i18n/i18n.ts';
import { IconButton } from '../button.tsx';
import { ScrollBody } from './scroll-body.tsx';

const widthClasses = { small: 'max-w-[28rem]', medium: 'max-w-form', large: 'max-w-5xl' } as const;

export interface DialogProps {
  open: boolean;
  /** Esc, a click outside, or the close button. */
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** The main button is last. */
  footer?: ReactNode;
  size?: keyof typeof widthClasses;
  /** Default: the element with `data-autofocus`, else the first control. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** Role alertdialog. */
  alert?: boolean;
}

/** Focus stays inside, Esc closes the topmost one, and the focus returns to where it was. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  size = 'medium',
  initialFocus,
  alert,
}: DialogProps) {
  return (
    <HeadlessDialog
      open={open}
      onClose={onClose}
      role={alert ? 'alertdialog' : 'dialog'}
      className="fixed inset-0 z-40"
      {...(initialFocus ? { initialFocus } : {})}
    >
      <div className="fixed inset-0 bg-scrim" aria-hidden="true" />
      <div className="fixed inset-0 flex items-end justify-center sm:items-start sm:px-4 sm:pt-[8vh] sm:pb-[8vh]">
        <DialogPanel
          className={`flex max-h-full w-full flex-col rounded-t-dialog bg-overlay shadow-dialog sm:max-h-[84vh] sm:rounded-dialog ${widthClasses[size]}`}
        >
          <div className="flex items-start gap-3 px-5 pt-4 pb-2">
            <div className="min-w-0 flex-1">
              <DialogTitle className="text-section font-semibold text-1">{title}</DialogTitle>
              {description && (
                <Description as="div" className="mt-1 text-body wrap-anywhere text-2">
                  {description}
                </Description>
              )}
            </div>
            {!alert && (
              <IconButton
                label={t('common.close')}
                icon={<X size={16} aria-hidden="true" />}
                onClick={onClose}
                className="-me-1"
              />
            )}
          </div>
          {children && <ScrollBody className="flex-1 px-5 py-2">{children}</ScrollBody>}
          {footer && <div className="flex flex-wrap items-center justify-end gap-2 px-5 pt-2 pb-4">{footer}</div>}
        </DialogPanel>
      </div>
    </HeadlessDialog>
  );
}
