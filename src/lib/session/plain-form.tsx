import { useEffect, useId, useState } from 'react';
import type { FieldIssue } from '../../../api/errors.ts';
import { ApiError } from '../net/client.ts';
import { errorText, readRequestId } from '../net/errors.ts';
import { valueText } from '../format.ts';
import { Button } from '../ui/button.tsx';
import type { FieldViews, FormValues } from '../ui/form/field-view.ts';
import { Form } from '../ui/form/form.tsx';
import { useForm } from '../ui/form/use-form.ts';

/** Only fields that were edited. */
type TextValues = Readonly<Partial<Record<string, string>>>;

const readTextValues = (values: FormValues): TextValues =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, valueText(value)]));

interface PlainFormProps {
  title?: string;
  intro?: string;
  fields: FieldViews;
  initial?: FormValues;
  submitLabel: string;
  /** False if the focus belongs to something before the form. */
  isFirst?: boolean;
  onChange?: (values: TextValues) => void;
  /** Rejects with the error to show. */
  submit: (values: TextValues) => Promise<void>;
}

/** A short form in the page, outside commands. */
export function PlainForm({ title, intro, fields, initial = {}, submitLabel, isFirst = true, onChange, submit }: PlainFormProps) {
  const id = useId();
  const [isBusy, setIsBusy] = useState(false);
  const [issues, setIssues] = useState<readonly FieldIssue[]>();
  const [error, setError] = useState<{ text: string; requestId: string | null }>();
  const form = useForm({
    fields,
    initial,
    draftKey: null,
    busy: isBusy,
    issues,
    check: (values) =>
      Object.entries(fields).flatMap(([path, { optional }]) =>
        !optional && valueText(values[path]).trim() === '' ? [{ path, rule: 'required' as const }] : [],
      ),
    onSubmit: (values) => {
      setIsBusy(true);
      setError(undefined);
      submit(readTextValues(values))
        .catch((failure: unknown) => {
          const fieldIssues = failure instanceof ApiError ? failure.issues : [];
          if (fieldIssues.length > 0) setIssues([...fieldIssues]);
          else setError({ text: errorText(failure), requestId: readRequestId(failure) });
        })
        .finally(() => setIsBusy(false));
    },
  });
  useEffect(() => onChange?.(readTextValues(form.values)), [form.values]); // oxlint-disable-line react-hooks/exhaustive-deps -- reports values to any listener
  const firstField = Object.keys(fields)[0];
  useEffect(() => {
    if (isFirst) document.getElementById(`${id}-${firstField}`)?.focus();
  }, [id, firstField, isFirst]);
  return (
    <div className="flex flex-col gap-3">
      {title && <h2 className="text-section font-semibold">{title}</h2>}
      {intro && <p className="text-body text-2">{intro}</p>}
      <Form form={form} id={id} error={error} />
      <Button type="submit" form={id} look="primary" busy={isBusy}>
        {submitLabel}
      </Button>
    </div>
  );
}
