import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import History from 'lucide-react/icons/rotate-ccw-clock';
import { Fragment, useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { formatTime } from '../../format.ts';
import { t } from '../../i18n/i18n.ts';
import { Button } from '../button.tsx';
import { FieldGroup } from './field-group.tsx';
import { Field } from './field.tsx';
import type { FieldViews, Upload } from './field-view.ts';
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
  upload?: Upload | undefined;
  under?: FormUnder | undefined;
  /** A form-level error. */
  error?: { text: string; requestId: string | null } | undefined;
}

/** Ctrl or ⌘ with Enter submits from any field. */
export function Form({ form, id, upload, error, under }: FormProps) {
  const own = useId();
  const formId = id ?? own;
  const element = useRef<HTMLFormElement>(null);
  const texts = issueTexts(form.issues, form.fields);
  const names = Object.keys(form.fields);
  const wrong = Object.keys(texts).length;

  useEffect(() => {
    if (!form.focus) return;
    const field = document.getElementById(`${formId}-${form.focus.name}`);
    field?.focus();
    field?.scrollIntoView({ block: 'nearest' });
  }, [form.focus, formId]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter') return;
    const composing = event.nativeEvent.isComposing || event.keyCode === 229;
    if (!composing && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (!composing && !event.repeat) form.submit();
  }
  const drawField = (name: string) => {
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
            error={texts[name] ?? null}
            clash={form.clashes[name]}
            onSettle={(whose) => form.settle(name, whose)}
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
      {(error || wrong > 0) && (
        <div role="alert" className="flex items-start gap-2 rounded-control bg-bad-bg px-2 py-1.5 text-body text-bad-text">
          <CircleAlert size={14} aria-hidden="true" className="mt-0.5 text-bad-icon" />
          <span className="min-w-0 flex-1">
            {error?.text ?? t('form.wrong', { n: wrong })}
            {error?.requestId && (
              <span className="block font-mono text-meta">{t('errors.requestId', { id: error.requestId })}</span>
            )}
          </span>
        </div>
      )}
      {groupsOf(form.fields).map(([group, members]) =>
        group === undefined ? (
          members.map(drawField)
        ) : (
          <FieldGroup
            key={group}
            label={t(group)}
            filled={members.some((name) => Boolean(form.values[name]))}
            needsOpen={members.some((name) => name in texts || name in form.clashes)}
          >
            {members.map(drawField)}
          </FieldGroup>
        ),
      )}
    </form>
  );
}

/** Neighbors in the same group, in the form's order. */
function groupsOf(fields: FieldViews): [group: TextKey | undefined, members: string[]][] {
  const groups: [TextKey | undefined, string[]][] = [];
  for (const [name, { group }] of Object.entries(fields)) {
    const last = groups.at(-1);
    if (last && last[0] === group) last[1].push(name);
    else groups.push([group, [name]]);
  }
  return groups;
}
