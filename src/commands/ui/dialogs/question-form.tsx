import { useEffect, useId, useMemo, useState } from 'react';
import { createApi } from '../../../lib/net/client.ts';
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
import { ConfirmBody, ConsequenceList, useAnswerState, BlockedReason, waitingBlock } from './answer-state.tsx';
import { LiveReview, type LiveAnswer } from './live-review.tsx';
import { submitTextOf, targetsText } from './confirm-words.ts';
import { FieldHelper, fillingHelpers } from './helper.tsx';
import { CommandPanel } from './panel.tsx';
import { SkippedTargets } from './skipped-targets.tsx';
import { questionDraftKey } from '../../app/collect.ts';
import type { FormError } from '../../engine/host.ts';
import type { OpenQuestion } from '../../app/open-dialogs.ts';
import { useConfirmTexts } from './use-confirm-words.ts';
import { paramValueText } from './param-value-text.ts';

export function QuestionForm({ open }: { open: OpenQuestion }) {
  const { question, formError, busy } = open;
  const { command, targets, params: initialParams } = question;
  const { params } = command;
  // A macro's step asks only its `asks`, unless another field is wrong or no review follows.
  const visibleNames =
    question.only?.length && !command.oneStep && (formError?.issues ?? []).every(({ path }) => question.only?.includes(path))
      ? question.only
      : null;
  const fields = useMemo(() => {
    const allFields = fieldViewsOf(question);
    return visibleNames
      ? Object.fromEntries(Object.entries(allFields).filter(([name]) => visibleNames.includes(name)))
      : allFields;
  }, [question, visibleNames]);
  const [schema, setSchema] = useState<Awaited<ReturnType<NonNullable<typeof params>['schema']>> | null>(null);
  useEffect(() => {
    params?.schema().then(
      (loadedSchema) => setSchema(() => loadedSchema),
      () => {},
    );
  }, [params]);
  // Stored in the history entry, so that a reload reopens the form.
  useEffect(() => {
    if (question.only) return;
    const form = linkOf({ id: command.id, targets: targets.map(({ id }) => id) });
    const storeAnnouncement = (paramNames: object) =>
      history.replaceState({ ...(history.state as object | null), ...paramNames }, '');
    storeAnnouncement({ form });
    return () => storeAnnouncement({ form: undefined });
  }, [question, command, targets]);
  const isOutdated = useOutdatedOffline(formError);
  const confirmTarget = useMemo(
    () => ({ command: command.oneStep === true ? command : withoutConsequences(command), targets, params: initialParams }),
    [command, targets, initialParams],
  );
  const { why: panelWhy, block, consequences } = useAnswerState(confirmTarget);
  const [liveAnswer, setLiveAnswer] = useState<LiveAnswer | null>(null);
  const isReviewedLive = command.oneStep === 'form' && command.consequences !== undefined;
  const why = panelWhy ?? (isReviewedLive ? (liveAnswer === null ? waitingBlock() : liveAnswer.why) : null);
  const reason = useId();
  const confirmTexts = useConfirmTexts(confirmTarget);
  if (!params) return null;
  const error = isOutdated ? undefined : formError?.error;
  const buttonText = command.oneStep && confirmTexts;
  return (
    <FormDialog
      title={buttonText ? buttonText.title : bilingualName(command.id)}
      description={
        <>
          {buttonText && <ConfirmBody lead={buttonText.lead} body={buttonText.body} why={why} />}
          {targets.length > 0 && <p className={buttonText ? 'mt-2 font-medium text-1' : ''}>{targetsText(targets)}</p>}
          <SkippedTargets runnable={targets.length} skipped={question.skipped} />
          <LinkNotice question={question} formError={open.formError} />
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
      submitLabel={buttonText ? buttonText.act : submitTextOf(command.id)}
      cancelLabel={confirmTexts.back}
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
        const parsedParams = schema ? parseWith(schema, { ...initialParams, ...values }) : { values };
        return 'issues' in parsedParams ? parsedParams.issues : [];
      }}
      onSubmit={(values) => {
        // Only what the review shows is sent.
        if (!isReviewedLive || liveAnswer?.of === values) open.answer({ ...initialParams, ...values });
      }}
      onClose={() => open.answer(null)}
      busy={busy}
      issues={formError?.issues}
      current={formError?.current}
      onMerged={params.merges && ((names) => announceMerged(names, fields))}
      error={error && { text: t(`errors.code.${error.code}`, error.values), requestId: error.requestId }}
      upload={(file, signal) => createApi(command.id, crypto.randomUUID()).pictures.add({ file }, { signal })}
      danger={buttonText ? buttonText.grave : command.danger === 'irreversible'}
      under={(name, form) => {
        const field = params.fields[name];
        const helper = field && 'helper' in field ? field.helper : undefined;
        return helper && (targets.length === 0 || !fillingHelpers.has(helper)) ? <FieldHelper name={helper} {...form} /> : null;
      }}
      stacked={command.panel === 'newsJoin' || command.panel === 'cli'}
      below={
        isReviewedLive
          ? (values) => (
              <LiveReview question={question} schema={schema} values={values} refusal={formError} onAnswer={setLiveAnswer} />
            )
          : undefined
      }
      {...(command.panel && {
        beside: (values: FormValues) => (
          <CommandPanel
            name={command.panel}
            command={command.id}
            targets={targets}
            values={values}
            params={null}
            block={command.oneStep ? block : undefined}
          />
        ),
      })}
    />
  );
}

/** True once the connection is back, because the form must not say that it is still down. */
function useOutdatedOffline(formError: FormError | null): boolean {
  const [outdatedError, setOutdatedError] = useState<FormError | null>(null);
  const isOffline = formError?.error?.code === 'OFFLINE';
  useEffect(() => {
    if (!isOffline) return;
    const markOutdated = () => setOutdatedError(formError);
    addEventListener('online', markOutdated);
    return () => removeEventListener('online', markOutdated);
  }, [isOffline, formError]);
  return isOffline && outdatedError === formError;
}

/** Consequences of typed values are reviewed live, or in the review that follows. */
function withoutConsequences(command: AnyCommand): AnyCommand {
  const form = { ...command };
  delete form.consequences;
  if (!command.oneStep) delete form.requiresPanelApproval;
  return form;
}

function LinkNotice({
  question: { command, params, said: paramNames = [] },
  formError,
}: Pick<OpenQuestion, 'question' | 'formError'>) {
  // Later mistakes are not the link's.
  const [invalidNames] = useState(() => new Set(formError?.issues.map(({ path }) => path)));
  const presetFields = paramNames.flatMap((name) => {
    const field = command.params?.fields[name];
    return field ? [{ name, label: t(field.label), text: labelText(t(field.label), paramValueText(field, params[name])) }] : [];
  });
  const rejectedFields = presetFields.filter(({ name }) => invalidNames.has(name));
  if (presetFields.length === 0) return null;
  return (
    <div data-linked className="pt-1">
      <p>{t('history.link.from', { fields: joinList(presetFields.map(({ label }) => label)) })}</p>
      {rejectedFields.length > 0 && (
        <p className="line-clamp-3 break-words text-danger-text">
          {t('history.link.wrong', { fields: joinList(rejectedFields.map(({ text }) => text)) })}
        </p>
      )}
    </div>
  );
}

function announceMerged(names: readonly string[], fields: FieldViews): void {
  const labels = names.flatMap((name) => fields[name]?.label ?? []).map((label) => t(label));
  if (labels.length > 0) showToast({ kind: 'success', text: t('form.merged', { fields: joinList(labels) }) });
}

function fieldViewsOf({ command, targets }: OpenQuestion['question']): FieldViews {
  const toFieldView = (field: ParamField): FieldView =>
    field.as === 'picks' || field.as === 'pick'
      ? {
          ...field,
          options: async (signal: AbortSignal, values: FormValues = {}) => {
            const options = await field.options({ api: createApi(command.id, null), targets, signal, values });
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
              const nodes = await field.nodes({ api: createApi(command.id, null), targets, signal });
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
                  (await field.range?.({ api: createApi(command.id, null), targets, signal, values })) ?? null,
              }
            : field.as === 'bands'
              ? { ...field, roles: (signal) => field.roles({ api: createApi(command.id, null), targets, signal }) }
              : field.as === 'code'
                ? { ...field, send: (signal) => field.send({ api: createApi(command.id, null), targets, signal }) }
                : field;
  return Object.fromEntries(Object.entries(command.params?.fields ?? {}).map(([name, field]) => [name, toFieldView(field)]));
}
