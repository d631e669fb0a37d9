import { useCallback, useEffect, useState } from 'react';
import { valueText } from '../../../lib/format.ts';
import { createApi } from '../../../lib/net/client.ts';
import type { ParamField, FieldOption, ParamValues } from '../../engine/fields.ts';
import type { CommandQuestion } from '../../engine/host.ts';

const debounceMs = 120; // ms

interface Options {
  /** Null while loading. */
  options: readonly FieldOption[] | null;
  failed: unknown;
  retry: () => void;
}

type OptionsResult = { key: string; options: readonly FieldOption[] } | { key: string; failed: unknown };

/** Answers to an older query are dropped. */
export function useStepOptions(
  name: string,
  field: ParamField | null,
  { command, targets }: CommandQuestion,
  { query, values }: { query: string; values: Readonly<ParamValues> },
): Options {
  const [optionsResult, setOptionsResult] = useState<OptionsResult | null>(null);
  const [attempt, setAttempt] = useState(0);
  const pickField = field?.as === 'pick' ? field : null;
  const searchText = pickField?.searched ? query.trim() : '';
  const followedValue = pickField?.follows === undefined ? '' : valueText(values[pickField.follows]);
  const key = `${name} ${attempt} ${searchText} ${followedValue}`;
  useEffect(() => {
    if (!pickField) return;
    const abortController = new AbortController();
    const { signal } = abortController;
    const dependentValues = pickField.follows === undefined ? {} : { [pickField.follows]: followedValue };
    const loadOptions = () =>
      pickField
        .options({ api: createApi(command.id, null, signal), targets, signal, query: searchText, values: dependentValues })
        .then(
          (options) => signal.aborted || setOptionsResult({ key, options }),
          (error: unknown) => signal.aborted || setOptionsResult({ key, failed: error }),
        );
    const timer = setTimeout(() => void loadOptions(), searchText === '' ? 0 : debounceMs);
    return () => {
      clearTimeout(timer);
      abortController.abort();
    };
  }, [pickField, command, targets, searchText, followedValue, key]);

  const retry = useCallback(() => setAttempt((previousAttempt) => previousAttempt + 1), []);
  const currentResult = optionsResult?.key === key ? optionsResult : null;
  return {
    options: currentResult && 'options' in currentResult ? currentResult.options : null,
    failed: currentResult && 'failed' in currentResult ? currentResult.failed : null,
    retry,
  };
}
