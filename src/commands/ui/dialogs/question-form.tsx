import { useEffect, useId, useMemo, useState } from 'react';
import { apiFor } from '../../../lib/net/client.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { labelText, joinList } from '../../../lib/i18n/punctuation.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import { showToast } from '../../../lib/ui/overlay/toasts-store.ts';
import type { FieldView, FieldViews, FormValues } from '../../../lib/ui/form/field-view.ts';
import { FormDialog } from '../../../lib/ui/form/form-dialog.tsx';
import type { AnyCommand } from '../../engine/define.ts';
import type { ParamField } from '../../engine/fields.ts';
import { parseWith } from '../../engine/issues.ts';
import { linkOf, changedParams } from '../../app/links.ts';
import { CopyLink } from './copy-link.tsx';
import { ConfirmBody, ConsequenceList, useAnswerable, BlockedReason } from './answerable.tsx';
import { targetsText } from './confirm-words.ts';
import { FieldHelper } from './helper.tsx';
import { CommandPanel } from './panel.tsx';
import { SkippedTargets } from './skipped-targets.tsx';
import { questionDraftKey } from '../../app/collect.ts';
import type { OpenQuestion } from '../../app/open-dialogs.ts';
import { useConfirmTexts } from './use-confirm-words.ts';
import { paramValueText } from './param-value-text.ts';

export function QuestionForm({ open }: { open: OpenQuestion }) {
  const { question, formError, busy } = open;
  const { command, targets, params: initialParams } = question;
  const { params } = command;
  // A macro's step asks only its `asks`, unless another field is wrong or no review follows.
  const only =
    question.only?.length && !command.oneStep && (formError?.issues ?? []).every(({ path }) => question.only?.includes(path))
      ? question.only
      : null;
  const fields = useMemo(() => {
    const all = viewsOf(question);
    return only ? Object.fromEntries(Object.entries(all).filter(([name]) => only.includes(name))) : all;
  }, [question, only]);
  const [schema, setSchema] = useState<Awaited<ReturnType<NonNullable<typeof params>['schema']>> | null>(null);
  useEffect(() => {
    params?.schema().then(
      (loaded) => setSchema(() => loaded),
      () => {},
    );
  }, [params]);
  // Stored in the history entry, so that a reload reopens the form.
  useEffect(() => {
    if (question.only) return;
    const form = linkOf({ id: command.id, targets: targets.map(({ id }) => id) });
    const setAnnouncement = (message: object) => history.replaceState({ ...(history.state as object | null), ...message }, '');
    setAnnouncement({ form });
    return () => setAnnouncement({ form: undefined });
  }, [question, command, targets]);
  const requested = useMemo(
    () => ({ command: command.oneStep ? command : withoutConsequences(command), targets, params: initialParams }),
    [command, targets, initialParams],
  );
  const { why, consequences } = useAnswerable(requested);
  const reason = useId();
  const ask = useConfirmTexts(requested);
  if (!params) return null;
  const error = formError?.error;
  const says = command.oneStep && ask;
  return (
    <FormDialog
      title={says ? says.title : bilingualName(command.id)}
      description={
        <>
          {says && <ConfirmBody lead={says.lead} body={says.body} why={why} />}
          {targets.length > 0 && <p className={says ? 'mt-2 font-medium text-1' : ''}>{targetsText(targets)}</p>}
          <SkippedTargets runnable={targets.length} skipped={question.skipped} />
          <Linked question={question} formError={open.formError} />
        </>
      }
      extra={(values) => (
        <CopyLink
          of={() => ({
            id: command.id,
            targets: targets.map(({ id }) => id),
            params: changedParams(values, params.initial?.({ targets, now: new Date() }) ?? {}),
          })}
        />
      )}
      submitLabel={says ? says.act : bilingualName(command.id)}
      cancelLabel={ask.back}
      blocked={why && { id: reason, says: <BlockedReason why={why} id={reason} /> }}
      above={<ConsequenceList {...consequences} />}
      fields={fields}
      initial={initialParams}
      draftKey={question.only ? null : questionDraftKey(command.id, targets)}
      // The start values belong to a record, a link or an earlier run.
      isRecord={
        targets.length > 0 || params.ready !== undefined || (question.said?.length ?? 0) > 0 || question.source === 'repeat'
      }
      check={(values) => {
        const parsed = schema ? parseWith(schema, { ...initialParams, ...values }) : { values };
        return 'issues' in parsed ? parsed.issues : [];
      }}
      onSubmit={(values) => open.answer({ ...initialParams, ...values })}
      onClose={() => open.answer(null)}
      busy={busy}
      issues={formError?.issues}
      current={formError?.current}
      onMerged={params.merges && ((names) => announceMerged(names, fields))}
      error={error && { text: t(`errors.code.${error.code}`, error.values), requestId: error.requestId }}
      upload={(file, signal) => apiFor(command.id, crypto.randomUUID()).pictures.add({ file }, { signal })}
      danger={says ? says.grave : command.danger === 'irreversible'}
      under={(name, form) => {
        const field = params.fields[name];
        return field && 'helper' in field && targets.length === 0 ? <FieldHelper name={field.helper} {...form} /> : null;
      }}
      stacked={command.panel === 'newsJoin'}
      {...(command.panel && {
        beside: (values: FormValues) => (
          <CommandPanel name={command.panel} command={command.id} targets={targets} values={values} params={null} />
        ),
      })}
    />
  );
}

/** A form that is not the question itself leaves what goes with it to the review. */
function withoutConsequences(command: AnyCommand): AnyCommand {
  const form = { ...command };
  delete form.consequences;
  delete form.requiresPanelApproval;
  return form;
}

function Linked({ question: { command, params, said: message = [] }, formError }: Pick<OpenQuestion, 'question' | 'formError'>) {
  // Later mistakes are not the link's.
  const [wrong] = useState(() => new Set(formError?.issues.map(({ path }) => path)));
  const named = message.flatMap((name) => {
    const field = command.params?.fields[name];
    return field ? [{ name, label: t(field.label), text: labelText(t(field.label), paramValueText(field, params[name])) }] : [];
  });
  const refused = named.filter(({ name }) => wrong.has(name));
  if (named.length === 0) return null;
  return (
    <div data-linked className="pt-1">
      <p>{t('history.link.from', { fields: joinList(named.map(({ label }) => label)) })}</p>
      {refused.length > 0 && (
        <p className="line-clamp-3 break-words text-danger-text">
          {t('history.link.wrong', { fields: joinList(refused.map(({ text }) => text)) })}
        </p>
      )}
    </div>
  );
}

function announceMerged(names: readonly string[], fields: FieldViews): void {
  const labels = names.flatMap((name) => fields[name]?.label ?? []).map((label) => t(label));
  if (labels.length > 0) showToast({ kind: 'success', text: t('form.merged', { fields: joinList(labels) }) });
}

function viewsOf({ command, targets }: OpenQuestion['question']): FieldViews {
  const viewOf = (field: ParamField): FieldView =>
    field.as === 'picks' || field.as === 'pick'
      ? {
          ...field,
          options: async (signal: AbortSignal, values: FormValues = {}) => {
            const options = await field.options({ api: apiFor(command.id, null), targets, signal, values });
            return options.map(({ blocked, preview, ...option }) => ({
              ...option,
              ...(blocked && { blocked: t(blocked) }),
              ...(preview && { preview: preview.map((line) => ({ ...line, label: t(line.label) })) }),
            }));
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
        : field.as === 'choice'
          ? { ...field, fits: (value, values) => field.fits?.(value, values, targets) ?? true }
          : field.as === 'units'
            ? {
                ...field,
                range: async (values, signal) =>
                  (await field.range?.({ api: apiFor(command.id, null), targets, signal, values })) ?? null,
              }
            : field.as === 'bands'
              ? { ...field, roles: (signal) => field.roles({ api: apiFor(command.id, null), targets, signal }) }
              : field.as === 'code'
                ? { ...field, send: (signal) => field.send({ api: apiFor(command.id, null), targets, signal }) }
                : field;
  return Object.fromEntries(Object.entries(command.params?.fields ?? {}).map(([name, field]) => [name, viewOf(field)]));
}
