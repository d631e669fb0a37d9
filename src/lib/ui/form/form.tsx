import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import History from 'lucide-react/icons/rotate-ccw-clock';
import { Fragment, useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { formatTime } from '../../format.ts';
import { t } from '../../i18n/i18n.ts';
import { Button } from '../button.tsx';
import { FieldGroup } from './field-group.tsx';
import { Field } from './field.tsx';
import type { FieldViews, UploadFile } from './field-view.ts';
import type { TextKey } from '../../i18n/i18n.ts';
import { issueTexts } from './issues.ts';
import type { FormState } from './use-form.ts';

/** Shown under a field, and may set others. */
export type FormUnder = (name: string, form: Pick<FormState, 'values' | 'start' | 'set'>) => ReactNode;

interface FormProps {
  form: FormState;
  /** For submit buttons outside it: `<button type="submit" form={id}>`. */
  id?: string;
  /** Without it, a picture can only be a link. */
  upload?: UploadFile | undefined;
  under?: FormUnder | undefined;
  /** A form-level error. */
  error?: { text: string; requestId: string | null } | undefined;
}

/** Ctrl or ⌘ with Enter submits from any field. */
export function Form({ form, id, upload, error, under }: FormProps) {
  const ownFormId = useId();
  const formId = id ?? ownFormId;
  const element = useRef<HTMLFormElement>(null);
  const errorTexts = issueTexts(form.issues, form.fields);
  const names = Object.keys(form.fields);
  const errorCount = Object.keys(errorTexts).length;

  useEffect(() => {
    if (!form.focus) return;
    const field = document.getElementById(`${formId}-${form.focus.name}`);
    field?.focus();
    field?.scrollIntoView({ block: 'nearest' });
  }, [form.focus, formId]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter') return;
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229;
    if (!isComposing && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (!isComposing && !event.repeat) form.submit();
  }
  const renderField = (name: string) => {
    const view = form.fields[name];
    return (
      view && (
        <Fragment key={name}>
          <Field
            id={`${formId}-${name}`}
            view={view}
            value={form.values[name]}
            values={form.values}
            start={form.start[name]}
            onChange={(value) => form.set(name, value)}
            error={errorTexts[name] ?? null}
            clash={form.clashes[name]}
            onSettle={(side) => form.settle(name, side)}
            upload={upload && ((file, signal) => form.coming(upload(file, signal)))}
            autoFocus={name === names[0]}
          />
          {under?.(name, form)}
        </Fragment>
      )
    );
  };
  return (
    <form
      ref={element}
      id={formId}
      noValidate
      className="flex w-full max-w-form flex-col gap-4"
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      {form.restored !== null && form.dirty && (
        <div
          role="status"
          className="flex flex-wrap items-center gap-2 rounded-control bg-info-bg px-2 py-1 text-body text-info-text"
        >
          <History size={14} aria-hidden="true" className="text-info-icon" />
          <span className="min-w-0 flex-1">
            {t('form.restored', { time: formatTime(new Date(form.restored).toISOString()) })}
          </span>
          <Button onClick={form.discard}>{t('form.discard')}</Button>
        </div>
      )}
      {(error || errorCount > 0) && (
        <div role="alert" className="flex items-start gap-2 rounded-control bg-bad-bg px-2 py-1.5 text-body text-bad-text">
          <CircleAlert size={14} aria-hidden="true" className="mt-0.5 text-bad-icon" />
          <span className="min-w-0 flex-1">
            {error?.text ?? t('form.wrong', { n: errorCount })}
            {error?.requestId && (
              <span className="block font-mono text-meta">{t('errors.requestId', { id: error.requestId })}</span>
            )}
          </span>
        </div>
      )}
      {groupFields(form.fields).map(([group, fieldNames]) =>
        group === undefined ? (
          fieldNames.map(renderField)
        ) : (
          <FieldGroup
            key={group}
            label={t(group)}
            filled={fieldNames.some((name) => Boolean(form.values[name]))}
            needsOpen={fieldNames.some((name) => name in errorTexts || name in form.clashes)}
          >
            {fieldNames.map(renderField)}
          </FieldGroup>
        ),
      )}
    </form>
  );
}

/** Neighbors in the same group, in the form's order. */
function groupFields(fields: FieldViews): [group: TextKey | undefined, members: string[]][] {
  const groups: [TextKey | undefined, string[]][] = [];
  for (const [name, { group }] of Object.entries(fields)) {
    const lastGroup = groups.at(-1);
    if (lastGroup && lastGroup[0] === group) lastGroup[1].push(name);
    else groups.push([group, [name]]);
  }
  return groups;
}
