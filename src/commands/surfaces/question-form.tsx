import { useEffect, useMemo, useState } from 'react';
import { apiFor } from '../../lib/client.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { nameOf } from '../../lib/i18n/name-of.ts';
import { showToast } from '../../lib/toasts.ts';
import type { FieldView, FieldViews, FormValues } from '../../lib/ui/form/field-view.ts';
import { FormDialog } from '../../lib/ui/form/form-dialog.tsx';
import type { Field } from '../core/fields.ts';
import { parseWith } from '../core/issues.ts';
import { aimText } from './ask.ts';
import { Panel } from './panel.tsx';
import { draftKeyOf, type OpenQuestion } from './questions.ts';

/** A command's parameters as a form. It stays, with what was typed, until the command went through. */
export function QuestionForm({ open }: { open: OpenQuestion }) {
  const { question, setback, busy } = open;
  const { command, targets, given } = question;
  const { params } = command;
  const fields = useMemo(() => viewsOf(question), [question]);
  const [schema, setSchema] = useState<Awaited<ReturnType<NonNullable<typeof params>['schema']>> | null>(null);
  useEffect(() => {
    params?.schema().then(
      (loaded) => setSchema(() => loaded),
      () => {}, // dispatch asks for it again, and says what went wrong
    );
  }, [params]);
  if (!params) return null;
  const error = setback?.error;
  return (
    <FormDialog
      title={nameOf(command.id)}
      description={targets.length > 0 && aimText(targets)}
      submitLabel={nameOf(command.id)}
      fields={fields}
      initial={given}
      draftKey={draftKeyOf(question)}
      check={(values) => {
        const parsed = schema ? parseWith(schema, { ...given, ...values }) : { values };
        return 'issues' in parsed ? parsed.issues : [];
      }}
      onSubmit={(values) => open.answer({ ...given, ...values })}
      onClose={() => open.answer(null)}
      busy={busy}
      issues={setback?.issues}
      current={setback?.current}
      onMerged={params.merges && ((names) => tellMerged(names, fields))}
      error={error && { text: t(`errors.code.${error.code}`, error.values), requestId: error.requestId }}
      upload={(file, signal) => apiFor(command.id, crypto.randomUUID()).pictures.add({ file }, { signal })}
      danger={command.danger === 'irreversible'}
      {...(command.panel && {
        beside: (values: FormValues) => (
          <Panel name={command.panel} command={command.id} targets={targets} values={values} params={null} />
        ),
      })}
    />
  );
}

/** Says which fields follow somebody else; without a word where it was none of these. */
function tellMerged(names: readonly string[], fields: FieldViews): void {
  const labels = names.flatMap((name) => fields[name]?.label ?? []).map((label) => t(label));
  if (labels.length > 0) showToast({ kind: 'success', text: t('form.merged', { fields: labels.join(t('form.treeComma')) }) });
}

/** The command's fields as the form kit draws them. */
function viewsOf({ command, targets }: OpenQuestion['question']): FieldViews {
  const viewOf = (field: Field): FieldView =>
    field.as === 'picks' || field.as === 'pick'
      ? {
          ...field,
          options: async (signal) => {
            const options = await field.options({ api: apiFor(command.id, null), targets, signal });
            return options.map(({ blocked, ...option }) => (blocked ? { ...option, blocked: t(blocked) } : option));
          },
        }
      : field.as === 'tree'
        ? {
            ...field,
            nodes: async (signal) => {
              const nodes = await field.nodes({ api: apiFor(command.id, null), targets, signal });
              return nodes.map(({ blocked, note, ...node }) => ({
                ...node,
                ...(blocked && { blocked: t(blocked) }),
                ...(note && { note: t(note) }),
              }));
            },
          }
        : field.as === 'units'
          ? {
              ...field,
              range: async (values, signal) =>
                (await field.range?.({ api: apiFor(command.id, null), targets, signal, values })) ?? null,
            }
          : field.as === 'code'
            ? { ...field, send: (signal) => field.send({ api: apiFor(command.id, null), targets, signal }) }
            : field;
  return Object.fromEntries(Object.entries(command.params?.fields ?? {}).map(([name, field]) => [name, viewOf(field)]));
}
