import { useEffect, useMemo, useState } from 'react';
import { createApi } from '../../../lib/net/client.ts';
import type { FormValues } from '../../../lib/ui/form/field-view.ts';
import type { ParamSpec, ParamValues } from '../../engine/fields.ts';
import type { FormError } from '../../engine/host.ts';
import { parseWith } from '../../engine/issues.ts';
import type { OpenQuestion } from '../../app/open-dialogs.ts';
import { issueTexts } from '../../../lib/ui/form/issues.ts';
import { ConsequenceList, useConsequences, waitingBlock, type ConfirmableCommand } from './answer-state.tsx';
import type { ConfirmBlock } from './panel-props.ts';

const settleMs = 200;

/** Whether exactly these values may be sent. */
export interface LiveAnswer {
  of: FormValues;
  why: ConfirmBlock | null;
}

interface LiveReviewProps {
  question: OpenQuestion['question'];
  /** Null: not loaded. */
  schema: Awaited<ReturnType<ParamSpec['schema']>> | null;
  values: FormValues;
  /** A refusal reads the consequences again. */
  refusal: FormError | null;
  onAnswer: (answer: LiveAnswer) => void;
}

/** The review of what a form holds now, for commands whose form is the confirmation. */
export function LiveReview({ question, schema, values, refusal, onAnswer }: LiveReviewProps) {
  const { command, targets, params: initialParams } = question;
  const parsed = useMemo(
    () => (schema ? parseWith(schema, { ...initialParams, ...values }) : null),
    [schema, initialParams, values],
  );
  const params = parsed && 'values' in parsed ? parsed.values : null;
  const [settled, setSettled] = useState<{
    params: ParamValues;
    reviewed: ParamValues;
    refusal: FormError | null;
    issue: string | null;
  } | null>(null);
  useEffect(() => {
    if (!params) return;
    let isCurrent = true;
    const check = async () => {
      const context = { api: createApi(command.id, null), targets };
      const issues = (await command.params?.check?.(params as never, context as never).catch(() => [])) ?? [];
      const [issue = null] = Object.values(issueTexts(issues, command.params?.fields ?? {}));
      // A copy, so that the consequences are read again after a refusal of the same values.
      if (isCurrent) setSettled({ params, reviewed: { ...params }, refusal, issue });
    };
    const timer = setTimeout(() => void check(), settleMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [command, targets, params, refusal]);
  const isSettled = params !== null && settled?.params === params && settled.refusal === refusal;
  const issue = isSettled ? settled.issue : null;
  const isReviewed = isSettled && issue === null;
  // An incomplete form may be submitted, so that it shows its issues.
  const isWaiting = schema === null || (params !== null && !isSettled);
  useEffect(() => {
    if (isReviewed) return;
    onAnswer({ of: values, why: isWaiting ? waitingBlock() : issue === null ? null : { text: issue, isWaiting: false } });
  }, [isReviewed, isWaiting, issue, values, onAnswer]);
  return settled?.issue === null && params !== null ? (
    <Reviewed command={command} targets={targets} params={settled.reviewed} of={isReviewed ? values : null} onAnswer={onAnswer} />
  ) : null;
}

interface ReviewedProps extends ConfirmableCommand {
  /** Null: the form holds other values by now. */
  of: FormValues | null;
  onAnswer: (answer: LiveAnswer) => void;
}

function Reviewed({ command, targets, params, of, onAnswer }: ReviewedProps) {
  const confirmable = useMemo(() => ({ command, targets, params }), [command, targets, params]);
  const consequences = useConsequences(confirmable);
  const [text, isWaiting] = [consequences.why?.text ?? null, consequences.why?.isWaiting ?? false];
  useEffect(() => {
    if (of) onAnswer({ of, why: text === null ? null : { text, isWaiting } });
  }, [of, text, isWaiting, onAnswer]);
  return <ConsequenceList {...consequences} />;
}
