import { useCallback, useEffect, useState } from 'react';
import { valueText } from '../../../lib/format.ts';
import { apiFor } from '../../../lib/net/client.ts';
import type { ParamField, FieldOption, ParamValues } from '../../engine/fields.ts';
import type { CommandQuestion } from '../../engine/host.ts';

const debounceMs = 120; // ms

interface Options {
  /** Null while loading. */
  options: readonly FieldOption[] | null;
  failed: unknown;
  retry: () => void;
}

type Answer = { key: string; options: readonly FieldOption[] } | { key: string; failed: unknown };

/** Answers to an older query are dropped. */
export function useStepOptions(
  name: string,
  field: ParamField | null,
  { command, targets }: CommandQuestion,
  { query, values }: { query: string; values: Readonly<ParamValues> },
): Options {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [attempt, setAttempt] = useState(0);
  const pick = field?.as === 'pick' ? field : null;
  const typed = pick?.searched ? query.trim() : '';
  const followed = pick?.follows === undefined ? '' : valueText(values[pick.follows]);
  const key = `${name} ${attempt} ${typed} ${followed}`;
  useEffect(() => {
    if (!pick) return;
    const aborter = new AbortController();
    const { signal } = aborter;
    const said = pick.follows === undefined ? {} : { [pick.follows]: followed };
    const ask = () =>
      pick.options({ api: apiFor(command.id, null, signal), targets, signal, query: typed, values: said }).then(
        (options) => signal.aborted || setAnswer({ key, options }),
        (failed: unknown) => signal.aborted || setAnswer({ key, failed }),
      );
    const timer = setTimeout(() => void ask(), typed === '' ? 0 : debounceMs);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, [pick, command, targets, typed, followed, key]);

  const retry = useCallback(() => setAttempt((before) => before + 1), []);
  const current = answer?.key === key ? answer : null;
  return {
    options: current && 'options' in current ? current.options : null,
    failed: current && 'failed' in current ? current.failed : null,
    retry,
  };
}
