import { useId, useState, type ReactNode } from 'react';
import { dropDraft } from '../../prefs/drafts.ts';
import { t } from '../../i18n/i18n.ts';
import { Button } from '../button.tsx';
import { ConfirmDialog } from '../overlay/confirm-dialog.tsx';
import { Dialog } from '../overlay/dialog.tsx';
import type { FormValues, UploadFile } from './field-view.ts';
import { Form, type FormUnder } from './form.tsx';
import { useForm, type FormOptions } from './use-form.ts';

interface FormDialogProps extends FormOptions {
  title: string;
  description?: ReactNode;
  submitLabel: string;
  cancelLabel?: string;
  /** Why it cannot be submitted, as an element with that id. */
  blocked?: { id: string; says: ReactNode } | null;
  /** Called after the person confirms losing unsaved input. */
  onClose: () => void;
  upload?: UploadFile | undefined;
  error?: { text: string; requestId: string | null } | undefined;
  danger?: boolean;
  /** Rendered before the buttons. */
  extra?: (values: FormValues) => ReactNode;
  /** Rendered above the fields. */
  above?: ReactNode;
  /** Rendered under a field. */
  under?: FormUnder | undefined;
  /** Rendered next to the fields. */
  beside?: (values: FormValues) => ReactNode;
  /** `beside` is below the fields on wide screens too. */
  stacked?: boolean;
  /** Rendered below the fields and what is next to them. */
  below?: ((values: FormValues) => ReactNode) | undefined;
}

/**
 * Esc and Close ask first if there is unsaved input. Render it only while open: each opening is a new form, restored from its
 * draft.
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
  under,
  beside,
  stacked = false,
  below,
  ...options
}: FormDialogProps) {
  const form = useForm({ ...options, onSubmit: (values) => blocked === null && options.onSubmit(values) });
  const formId = useId();
  const [isDiscardAsked, setIsDiscardAsked] = useState(false);
  const requestClose = () => {
    // While submitting, the draft still holds the values.
    if (form.busy ? form.losesSome : form.dirty) setIsDiscardAsked(true);
    else onClose();
  };
  const discardForm = () => {
    if (options.draftKey !== null) dropDraft(options.draftKey);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={requestClose}
      title={title}
      description={description}
      size={beside ? 'large' : 'medium'}
      footer={
        <>
          {extra && <span className="me-auto">{extra(form.values)}</span>}
          {blocked?.says}
          <Button onClick={requestClose}>{cancelLabel ?? t('common.cancel')}</Button>
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
      <div className={beside ? `flex flex-col gap-6 ${stacked ? '' : 'lg:flex-row'}` : ''}>
        <Form form={form} id={formId} upload={upload} error={error} under={under} />
        {beside && <div className="min-w-0 flex-1 pb-2">{beside(form.values)}</div>}
      </div>
      {below && <div className="mt-2">{below(form.values)}</div>}
      <ConfirmDialog
        open={isDiscardAsked}
        title={t('form.leaveTitle')}
        body={t(options.draftKey === null ? 'form.leaveLost' : form.losesSome ? 'form.leaveSecret' : 'form.leaveBody')}
        cancelLabel={t('form.keepEditing')}
        confirmLabel={t(options.draftKey === null ? 'form.leaveDrop' : 'form.leaveKeep')}
        onConfirm={options.draftKey === null ? discardForm : onClose}
        onCancel={() => setIsDiscardAsked(false)}
        extra={options.draftKey !== null && <Button onClick={discardForm}>{t('form.leaveDrop')}</Button>}
      />
    </Dialog>
  );
}
