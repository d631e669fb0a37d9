import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FieldIssue } from '../../../../api/errors.ts';
import { dropDraft, readDraft, saveDraft } from '../../prefs/drafts.ts';
import { isSecret, type FieldViews, type FormValues } from './field-view.ts';
import { fieldNameOf, firstInvalid } from './issues.ts';
import { changedFields, createDraft, fieldsChangedElsewhere, rebaseForm, restoreDraft, type FormSheet } from './merge.ts';

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
  settle(name: string, side: ConflictSide): void;
  /** Field to focus. A new object focuses again. */
  focus: { name: string } | null;
}

export type ConflictSide = 'mine' | 'theirs' | 'original';

/** Without the form's prefix. */
export const conflictId = (name: string): string => `${name}-clash`;

const noIssues: readonly FieldIssue[] = [];

export function useForm(options: FormOptions): FormState {
  const { fields, initial, draftKey, isRecord = false, check, onSubmit, current, onMerged, busy = false } = options;
  const { issues: givenIssues = noIssues } = options;
  const [draft] = useState(() => (draftKey === null ? null : readDraft(draftKey)));
  const [formSheet, setSheet] = useState<FormSheet>(() => restoreDraft(initial, draft, fields, isRecord));
  const [restored, setRestored] = useState(draft?.at ?? null);
  const [issues, setIssues] = useState<readonly FieldIssue[]>(noIssues);
  const [focus, setFocus] = useState<FormState['focus']>(null);
  const [mergedFields, setMergedFields] = useState<readonly string[] | null>(null);
  const [uploadCount, setUploadCount] = useState(0);
  const [isWaiting, setIsWaiting] = useState(false);

  const showIssues = (formIssues: readonly FieldIssue[]) => {
    setIssues(formIssues);
    const name = firstInvalid(formIssues, fields);
    if (name !== null) setFocus({ name });
  };
  const showConflict = ({ clashes }: FormSheet) => {
    const name = Object.keys(fields).find((fieldName) => fieldName in clashes);
    if (name !== undefined) setFocus({ name: conflictId(name) });
    return name !== undefined;
  };
  const [previousIssues, setPreviousIssues] = useState(noIssues);
  if (givenIssues !== previousIssues) {
    setPreviousIssues(givenIssues);
    showIssues(givenIssues);
  }
  const [previousCurrent, setPreviousCurrent] = useState<FormValues | undefined>();
  if (current !== undefined && current !== previousCurrent) {
    setPreviousCurrent(current);
    const rebasedSheet = rebaseForm(formSheet, current, fields);
    setSheet(rebasedSheet);
    if (!showConflict(rebasedSheet) && onMerged) setMergedFields(fieldsChangedElsewhere(formSheet, current, fields));
  }

  const changedNames = changedFields(formSheet, fields);
  const dirty = changedNames.length > 0;
  const hasStoredDraft = useRef(false);
  useEffect(() => {
    if (draftKey === null) return;
    const draftToStore = createDraft(formSheet, fields);
    if (draftToStore) hasStoredDraft.current = saveDraft(draftKey, draftToStore);
    else dropDraft(draftKey);
  }, [draftKey, formSheet, fields]);

  const hasSecret = changedNames.some((name) => isSecret(fields[name]));
  useEffect(() => {
    if (!dirty) return;
    // Warns only if input would be lost: a draft is restored anyway.
    const askBeforeUnload = (event: BeforeUnloadEvent) => {
      if (draftKey === null || hasSecret || !hasStoredDraft.current) event.preventDefault();
    };
    addEventListener('beforeunload', askBeforeUnload);
    return () => removeEventListener('beforeunload', askBeforeUnload);
  }, [dirty, hasSecret, draftKey]);

  const set = useCallback((name: string, value: unknown) => {
    setSheet((previous) => ({ ...previous, values: { ...previous.values, [name]: value } }));
    // An edited field hides its issue until the next submit.
    setIssues((previous) => previous.filter((issue) => fieldNameOf(issue) !== name));
  }, []);
  function settle(name: string, side: ConflictSide) {
    // The focused button disappears, so focus the next clash, else the field.
    const nextConflict = Object.keys(fields).find((fieldName) => fieldName !== name && fieldName in formSheet.clashes);
    setFocus({ name: nextConflict === undefined ? name : conflictId(nextConflict) });
    setSheet(({ start, values, clashes: { [name]: conflict, ...clashes } }) => ({
      start,
      values: side === 'mine' || !conflict ? values : { ...values, [name]: conflict[side] },
      clashes,
    }));
  }

  const trackUpload = <T>(upload: Promise<T>): Promise<T> => {
    setUploadCount((previous) => previous + 1);
    void upload.catch(() => setIsWaiting(false)).finally(() => setUploadCount((previous) => previous - 1));
    return upload;
  };
  function submit() {
    if (busy || showConflict(formSheet)) return;
    if (uploadCount > 0) return setIsWaiting(true);
    const formIssues = check?.(formSheet.values) ?? noIssues;
    if (formIssues.length > 0) showIssues(formIssues);
    else onSubmit(formSheet.values);
  }
  const submitMerged = useEffectEvent((names: readonly string[]) => {
    setMergedFields(null);
    onMerged?.(names);
    submit();
  });
  useEffect(() => {
    if (mergedFields) submitMerged(mergedFields);
  }, [mergedFields]);
  const submitWaiting = useEffectEvent(() => {
    setIsWaiting(false);
    submit();
  });
  useEffect(() => {
    if (isWaiting && uploadCount === 0) submitWaiting();
  }, [isWaiting, uploadCount]);
  function discard() {
    if (draftKey !== null) dropDraft(draftKey);
    setRestored(null);
    setSheet(({ start }) => ({ start, values: start, clashes: {} }));
    setIssues(noIssues);
  }
  return {
    fields,
    values: formSheet.values,
    start: formSheet.start,
    set,
    issues,
    dirty,
    busy,
    waits: isWaiting,
    coming: trackUpload,
    losesSome: dirty && (draftKey === null || hasSecret),
    restored,
    discard,
    submit,
    clashes: formSheet.clashes,
    settle,
    focus,
  };
}
