import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { groupDigits } from '../../format.ts';
import { t } from '../../i18n/i18n.ts';
import { Button } from '../button.tsx';
import { Dialog } from './dialog.tsx';

const maxListed = 8;

export interface ConfirmDialogProps {
  open: boolean;
  title: string;
  body?: ReactNode;
  /** Names of the affected records. */
  items?: readonly string[];
  more?: number;
  /** Verb and object: "Delete 3 news". */
  confirmLabel: string;
  cancelLabel?: string;
  /** Irreversible: red, with the focus on Cancel. */
  danger?: boolean;
  children?: ReactNode;
  wide?: boolean;
  extra?: ReactNode;
  /** Why it cannot be confirmed, as an element with that id. */
  blocked?: { id: string; says: ReactNode } | null;
  /** The dialog stays open until it resolves, and if it fails. */
  onConfirm: () => void | Promise<void>;
  onCancel: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    open,
    title,
    body,
    items = [],
    more = 0,
    confirmLabel,
    cancelLabel,
    danger = false,
    children,
    wide = false,
    extra,
    blocked = null,
    onConfirm,
    onCancel,
  } = props;
  const remainingCount = more + Math.max(0, items.length - maxListed);
  const cancelButton = useRef<HTMLButtonElement>(null);
  const confirmButton = useRef<HTMLButtonElement>(null);
  const [isBusy, setIsBusy] = useState(false);

  async function confirmAction() {
    setIsBusy(true);
    try {
      await onConfirm();
    } finally {
      setIsBusy(false);
    }
  }
  return (
    <Dialog
      open={open}
      onClose={isBusy ? () => {} : onCancel}
      title={title}
      description={body}
      size={wide ? 'medium' : 'small'}
      alert
      initialFocus={danger ? cancelButton : confirmButton}
      footer={
        <>
          {/* First, so that one Tab leads from Cancel to Confirm. */}
          {extra}
          {blocked?.says}
          <Button ref={cancelButton} onClick={onCancel} onKeyDown={ignoreRepeats}>
            {cancelLabel ?? t('common.cancel')}
          </Button>
          <Button
            ref={confirmButton}
            look={danger ? 'danger' : 'primary'}
            busy={isBusy}
            aria-disabled={blocked !== null}
            aria-describedby={blocked?.id}
            onClick={() => blocked === null && void confirmAction()}
            onKeyDown={ignoreRepeats}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      {items.length > 0 && (
        <ul className="max-h-60 overflow-y-auto rounded-control border border-hairline bg-layer px-3 py-2 text-body text-1">
          {items.slice(0, maxListed).map((item, index) => (
            <li key={index} className="py-0.5 wrap-anywhere">
              {item}
            </li>
          ))}
          {remainingCount > 0 && <li className="py-0.5 text-2">{t('form.itemsMore', { n: groupDigits(remainingCount) })}</li>}
        </ul>
      )}
      {children}
    </Dialog>
  );
}

/** The Enter that opened the dialog may still be down, so ignore repeats. */
export function ignoreRepeats(event: KeyboardEvent): void {
  if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
}
