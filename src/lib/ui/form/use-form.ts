import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FieldIssue } from '../../../../api/errors.ts';
import { dropDraft, readDraft, saveDraft } from '../../prefs/drafts.ts';
import { isSecret, type FieldViews, type FormValues } from './field-view.ts';
import { fieldOf, firstInvalid } from './issues.ts';
import { changedFields, draftOf, changedElsewhere, rebaseForm, restoreDraft, type FormSheet } from './merge.ts';

export interface FormOptions {
  fields: FieldViews;
  /** Read once, so that a refetch never overwrites input. */
  initial: FormValues;
  /** Storage key, such as `news.edit.<id>`. Null: no draft. The caller deletes it after submitting (`dropDraft`). */
  draftKey: string | null;
  /** It edits a record that other people may change. */
  isRecord?: boolean | undefined;
  check?: ((values: FormValues) => readonly FieldIssue[]) | undefined;
  onSubmit: (values: FormValues) => void;
  /** The server's issues. A new array focuses its first field. */
  issues?: readonly FieldIssue[] | undefined;
  /** The record after a concurrent change. A new object merges again. */
  current?: FormValues | undefined;
  /** After a merge without clashes. `fields`: updated from the other person's change. */
  onMerged?: ((fields: readonly string[]) => void) | undefined;
  busy?: boolean | undefined;
}

export interface FormState {
  fields: FieldViews;
  values: FormValues;
  start: FormValues;
  set(name: string, value: unknown): void;
  issues: readonly FieldIssue[];
  dirty: boolean;
  busy: boolean;
  waits: boolean;
  /** Submitting waits for the upload, and a failed one cancels it. Returns the same promise. */
  coming<T>(upload: Promise<T>): Promise<T>;
  /** Closing loses input that the draft does not keep, such as secrets. */
  losesSome: boolean;
  /** Milliseconds. Null if no draft was restored. */
  restored: number | null;
  discard(): void;
  submit(): void;
  /** Block submitting. */
  clashes: FormSheet['clashes'];
  settle(name: string, whose: ConflictSide): void;
  /** Field to focus. A new object focuses again. */
  focus: { name: string } | null;
}

export type ConflictSide = 'mine' | 'theirs' | 'original';

/** Without the form's prefix. */
export const clashId = (name: string): string => `${name}-clash`;

const noIssues: readonly FieldIssue[] = [];

export function useForm(options: FormOptions): FormState {
  const { fields, initial, draftKey, isRecord = false, check, onSubmit, current, onMerged, busy = false } = options;
  const { issues: provided = noIssues } = options;
  const [draft] = useState(() => (draftKey === null ? null : readDraft(draftKey)));
  const [sheet, setSheet] = useState<FormSheet>(() => restoreDraft(initial, draft, fields, isRecord));
  const [restored, setRestored] = useState(draft?.at ?? null);
  const [issues, setIssues] = useState<readonly FieldIssue[]>(noIssues);
  const [focus, setFocus] = useState<FormState['focus']>(null);
  const [merged, setMerged] = useState<readonly string[] | null>(null);
  const [onItsWay, setOnItsWay] = useState(0);
  const [waits, setWaits] = useState(false);

  const show = (wrong: readonly FieldIssue[]) => {
    setIssues(wrong);
    const name = firstInvalid(wrong, fields);
    if (name !== null) setFocus({ name });
  };
  const showClash = ({ clashes }: FormSheet) => {
    const name = Object.keys(fields).find((one) => one in clashes);
    if (name !== undefined) setFocus({ name: clashId(name) });
    return name !== undefined;
  };
  const [seenIssues, setSeenIssues] = useState(noIssues);
  if (provided !== seenIssues) {
    setSeenIssues(provided);
    show(provided);
  }
  const [seenCurrent, setSeenCurrent] = useState<FormValues | undefined>();
  if (current !== undefined && current !== seenCurrent) {
    setSeenCurrent(current);
    const merged = rebaseForm(sheet, current, fields);
    setSheet(merged);
    if (!showClash(merged) && onMerged) setMerged(changedElsewhere(sheet, current, fields));
  }

  const changed = changedFields(sheet, fields);
  const dirty = changed.length > 0;
  const stored = useRef(false);
  useEffect(() => {
    if (draftKey === null) return;
    const worth = draftOf(sheet, fields);
    if (worth) stored.current = saveDraft(draftKey, worth);
    else dropDraft(draftKey);
  }, [draftKey, sheet, fields]);

  const hasSecret = changed.some((name) => isSecret(fields[name]));
  useEffect(() => {
    if (!dirty) return;
    // Warns only if input would be lost: a draft is restored anyway.
    const ask = (event: BeforeUnloadEvent) => {
      if (draftKey === null || hasSecret || !stored.current) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [dirty, hasSecret, draftKey]);

  const set = useCallback((name: string, value: unknown) => {
    setSheet((before) => ({ ...before, values: { ...before.values, [name]: value } }));
    // An edited field hides its issue until the next submit.
    setIssues((before) => before.filter((issue) => fieldOf(issue) !== name));
  }, []);
  function settle(name: string, whose: ConflictSide) {
    // The focused button disappears, so focus the next clash, else the field.
    const next = Object.keys(fields).find((one) => one !== name && one in sheet.clashes);
    setFocus({ name: next === undefined ? name : clashId(next) });
    setSheet(({ start, values, clashes: { [name]: clash, ...clashes } }) => ({
      start,
      values: whose === 'mine' || !clash ? values : { ...values, [name]: clash[whose] },
      clashes,
    }));
  }

  const trackUpload = <T>(upload: Promise<T>): Promise<T> => {
    setOnItsWay((before) => before + 1);
    void upload.catch(() => setWaits(false)).finally(() => setOnItsWay((before) => before - 1));
    return upload;
  };
  function submit() {
    if (busy || showClash(sheet)) return;
    if (onItsWay > 0) return setWaits(true);
    const wrong = check?.(sheet.values) ?? noIssues;
    if (wrong.length > 0) show(wrong);
    else onSubmit(sheet.values);
  }
  const sendMerged = useEffectEvent((names: readonly string[]) => {
    setMerged(null);
    onMerged?.(names);
    submit();
  });
  useEffect(() => {
    if (merged) sendMerged(merged);
  }, [merged]);
  const sendWaiting = useEffectEvent(() => {
    setWaits(false);
    submit();
  });
  useEffect(() => {
    if (waits && onItsWay === 0) sendWaiting();
  }, [waits, onItsWay]);
  function discard() {
    if (draftKey !== null) dropDraft(draftKey);
    setRestored(null);
    setSheet(({ start }) => ({ start, values: start, clashes: {} }));
    setIssues(noIssues);
  }
  return {
    fields,
    values: sheet.values,
    start: sheet.start,
    set,
    issues,
    dirty,
    busy,
    waits,
    coming: trackUpload,
    losesSome: dirty && (draftKey === null || hasSecret),
    restored,
    discard,
    submit,
    clashes: sheet.clashes,
    settle,
    focus,
  };
}
