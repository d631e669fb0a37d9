import { useId, useState, type ReactNode } from 'react';
import { dropDraft } from '../../prefs/drafts.ts';
import { t } from '../../i18n/i18n.ts';
import { Button } from '../button.tsx';
import { ConfirmDialog } from '../overlay/confirm-dialog.tsx';
import { Dialog } from '../overlay/dialog.tsx';
import type { FormValues, Upload } from './field-view.ts';
import { Form } from './form.tsx';
import { useForm, type FormOptions } from './use-form.ts';

interface FormDialogProps extends FormOptions {
  title: string;
  description?: ReactNode;
  submitLabel: string;
  cancelLabel?: string;
  /** Why it cannot be sent, as an element with that id beside the dead button; null: it can. */
  blocked?: { id: string; says: ReactNode } | null;
  /** Given up. Called once nothing unsaved stands in the way. */
  onClose: () => void;
  upload?: Upload | undefined;
  error?: { text: string; requestId: string | null } | undefined;
  danger?: boolean;
  /** Stands before the buttons. */
  extra?: (values: FormValues) => ReactNode;
  /** Before the fields. */
  above?: ReactNode;
  /** Stands beside the fields, and follows what is typed. */
  beside?: (values: FormValues) => ReactNode;
}

/**
 * A form in a dialog. Esc and Close ask first when something was typed. Render it only while it is open:
 * each opening is a form of its own, and its draft is how what was typed comes back.
 */
export function FormDialog({
  title,
  description,
  submitLabel,
  cancelLabel,
  blocked = null,
  onClose,
  upload,
  error,
  danger = false,
  extra,
  above,
  beside,
  ...options
}: FormDialogProps) {
  const form = useForm({ ...options, onSubmit: (values) => blocked === null && options.onSubmit(values) });
  const formId = useId();
  const [asking, setAsking] = useState(false);
  const close = () => {
    // What is being sent stays in the draft until it is taken.
    if (form.busy ? form.losesSome : form.dirty) setAsking(true);
    else onClose();
  };
  const drop = () => {
    if (options.draftKey !== null) dropDraft(options.draftKey);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={close}
      title={title}
      description={description}
      size={beside ? 'large' : 'medium'}
      footer={
        <>
          {extra && <span className="me-auto">{extra(form.values)}</span>}
          {blocked?.says}
          <Button onClick={close}>{cancelLabel ?? t('common.cancel')}</Button>
          <Button
            type="submit"
            form={formId}
            aria-disabled={blocked !== null}
            aria-describedby={blocked?.id}
            look={danger ? 'danger' : 'primary'}
            busy={form.busy || form.waits}
            keys="mod+enter"
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      {above}
      <div className={beside ? 'flex flex-col gap-6 lg:flex-row' : ''}>
        <Form form={form} id={formId} upload={upload} error={error} />
        {beside && <div className="min-w-0 flex-1 pb-2">{beside(form.values)}</div>}
      </div>
      <ConfirmDialog
        open={asking}
        title={t('form.leaveTitle')}
        body={t(options.draftKey === null ? 'form.leaveLost' : form.losesSome ? 'form.leaveSecret' : 'form.leaveBody')}
        cancelLabel={t('form.keepEditing')}
        confirmLabel={t(options.draftKey === null ? 'form.leaveDrop' : 'form.leaveKeep')}
        onConfirm={options.draftKey === null ? drop : onClose}
        onCancel={() => setAsking(false)}
        extra={options.draftKey !== null && <Button onClick={drop}>{t('form.leaveDrop')}</Button>}
      />
    </Dialog>
  );
}
