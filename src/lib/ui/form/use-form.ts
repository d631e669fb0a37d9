import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FieldIssue } from '../../../../api/errors.ts';
import { dropDraft, readDraft, saveDraft } from '../../prefs/drafts.ts';
import { isSecret, type FieldViews, type FormValues } from './field-view.ts';
import { fieldOf, firstWrong } from './issues.ts';
import { changedFields, draftOf, followed, rebase, restore, type Sheet } from './merge.ts';

export interface FormOptions {
  fields: FieldViews;
  /** What it starts with; read once, so that a refetch never wipes what is being typed. */
  initial: FormValues;
  /** Where a draft is kept, such as `news.edit.<id>`; null keeps none. Whoever sends it drops it (`dropDraft`). */
  draftKey: string | null;
  /** It changes a record that somebody else may have changed since the draft was typed. */
  isRecord?: boolean | undefined;
  /** Broken rules found before anything is sent. */
  check?: ((values: FormValues) => readonly FieldIssue[]) | undefined;
  onSubmit: (values: FormValues) => void;
  /** Broken rules that whoever took it found. A new array is shown anew, with focus on its first field. */
  issues?: readonly FieldIssue[] | undefined;
  /** The record as somebody else left it meanwhile. A new object is merged anew. */
  current?: FormValues | undefined;
  /** Sends it again once merged, where nobody has to choose. `fields` followed somebody else. */
  onMerged?: ((fields: readonly string[]) => void) | undefined;
  /** It is being sent. */
  busy?: boolean | undefined;
}

/** A form being filled in. */
export interface FormState {
  fields: FieldViews;
  values: FormValues;
  /** What it started with, as far as anybody knows by now. */
  start: FormValues;
  set(name: string, value: unknown): void;
  issues: readonly FieldIssue[];
  dirty: boolean;
  busy: boolean;
  /** It is sent as soon as what is on its way has come. */
  waits: boolean;
  /** What comes of this belongs to the form: it is not sent without it, nor once it has failed. Answers the same. */
  coming<T>(upload: Promise<T>): Promise<T>;
  /** Closing loses what a draft does not keep: secrets, or all of it. */
  losesSome: boolean;
  /** When the draft it was restored from was typed, milliseconds; null when there was none. */
  restored: number | null;
  /** Throws the draft away and starts again. */
  discard(): void;
  submit(): void;
  /** Where somebody else changed what this person typed at: nothing is sent before each is settled. */
  clashes: Sheet['clashes'];
  settle(name: string, whose: Whose): void;
  /** The field to put focus on; a new object each time it should happen. */
  focus: { name: string } | null;
}

export type Whose = 'mine' | 'theirs' | 'original';

/** Id of what settles a field's clash, after the form's own. */
export const clashId = (name: string): string => `${name}-clash`;

const noIssues: readonly FieldIssue[] = [];

/** Values, broken rules, draft and merge of a form. */
export function useForm(options: FormOptions): FormState {
  const { fields, initial, draftKey, isRecord = false, check, onSubmit, current, onMerged, busy = false } = options;
  const { issues: given = noIssues } = options;
  const [draft] = useState(() => (draftKey === null ? null : readDraft(draftKey)));
  const [sheet, setSheet] = useState<Sheet>(() => restore(initial, draft, fields, isRecord));
  const [restored, setRestored] = useState(draft?.at ?? null);
  const [issues, setIssues] = useState<readonly FieldIssue[]>(noIssues);
  const [focus, setFocus] = useState<FormState['focus']>(null);
  const [merged, setMerged] = useState<readonly string[] | null>(null);
  const [onItsWay, setOnItsWay] = useState(0);
  const [waits, setWaits] = useState(false);

  const show = (wrong: readonly FieldIssue[]) => {
    setIssues(wrong);
    const name = firstWrong(wrong, fields);
    if (name !== null) setFocus({ name });
  };
  const showClash = ({ clashes }: Sheet) => {
    const name = Object.keys(fields).find((one) => one in clashes);
    if (name !== undefined) setFocus({ name: clashId(name) });
    return name !== undefined;
  };
  const [seenIssues, setSeenIssues] = useState(noIssues);
  if (given !== seenIssues) {
    setSeenIssues(given);
    show(given);
  }
  const [seenCurrent, setSeenCurrent] = useState<FormValues | undefined>();
  if (current !== undefined && current !== seenCurrent) {
    setSeenCurrent(current);
    const merged = rebase(sheet, current, fields);
    setSheet(merged);
    if (!showClash(merged) && onMerged) setMerged(followed(sheet, current, fields));
  }

  const changed = changedFields(sheet, fields);
  const dirty = changed.length > 0;
  const kept = useRef(false);
  useEffect(() => {
    if (draftKey === null) return;
    const worth = draftOf(sheet, fields);
    if (worth) kept.current = saveDraft(draftKey, worth);
    else dropDraft(draftKey);
  }, [draftKey, sheet, fields]);

  const hasSecret = changed.some((name) => isSecret(fields[name]));
  useEffect(() => {
    if (!dirty) return;
    // Asked only where something would be lost: what is in the draft comes back by itself.
    const ask = (event: BeforeUnloadEvent) => {
      if (draftKey === null || hasSecret || !kept.current) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [dirty, hasSecret, draftKey]);

  const set = useCallback((name: string, value: unknown) => {
    setSheet((before) => ({ ...before, values: { ...before.values, [name]: value } }));
    // What somebody is putting right is not wrong until they send it again.
    setIssues((before) => before.filter((issue) => fieldOf(issue) !== name));
  }, []);
  function settle(name: string, whose: Whose) {
    // Its buttons go with it: on to the next one that waits, else to the field.
    const next = Object.keys(fields).find((one) => one !== name && one in sheet.clashes);
    setFocus({ name: next === undefined ? name : clashId(next) });
    setSheet(({ start, values, clashes: { [name]: clash, ...clashes } }) => ({
      start,
      values: whose === 'mine' || !clash ? values : { ...values, [name]: clash[whose] },
      clashes,
    }));
  }

  const coming = <T>(upload: Promise<T>): Promise<T> => {
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
    coming,
    losesSome: dirty && (draftKey === null || hasSecret),
    restored,
    discard,
    submit,
    clashes: sheet.clashes,
    settle,
    focus,
  };
}
