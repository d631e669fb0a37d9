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
  const unnamed = more + Math.max(0, items.length - maxListed);
  const cancel = useRef<HTMLButtonElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  const [busy, setBusy] = useState(false);

  async function answer() {
    setBusy(true);
    try {
      await onConfirm();
    } finally {
      setBusy(false);
    }
  }
  return (
    <Dialog
      open={open}
      onClose={busy ? () => {} : onCancel}
      title={title}
      description={body}
      size={wide ? 'medium' : 'small'}
      alert
      initialFocus={danger ? cancel : confirm}
      footer={
        <>
          {/* First, so that one Tab leads from Cancel to Confirm. */}
          {extra}
          {blocked?.says}
          <Button ref={cancel} onClick={onCancel} onKeyDown={ignoreRepeats}>
            {cancelLabel ?? t('common.cancel')}
          </Button>
          <Button
            ref={confirm}
            look={danger ? 'danger' : 'primary'}
            busy={busy}
            aria-disabled={blocked !== null}
            aria-describedby={blocked?.id}
            onClick={() => blocked === null && void answer()}
            onKeyDown={ignoreRepeats}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      {items.length > 0 && (
        <ul className="max-h-60 overflow-y-auto rounded-control border border-hairline bg-layer px-3 py-2 text-body text-1">
          {items.slice(0, maxListed).map((item, at) => (
            <li key={at} className="py-0.5 wrap-anywhere">
              {item}
            </li>
          ))}
          {unnamed > 0 && <li className="py-0.5 text-2">{t('form.itemsMore', { n: groupDigits(unnamed) })}</li>}
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
