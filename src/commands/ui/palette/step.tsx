import { useState, type KeyboardEvent } from 'react';
import { valueText } from '../../../lib/format.ts';
import { errorText } from '../../../lib/net/errors.ts';
import { foldText } from '../../../lib/fold-text.ts';
import { tSpaced } from '../../../lib/i18n/cjk-spacing.ts';
import { t, type TextKey } from '../../../lib/i18n/i18n.ts';
import { labelText } from '../../../lib/i18n/punctuation.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import type { Target } from '../../../lib/scope.ts';
import { firstInvalid, issueTexts } from '../../../lib/ui/form/issues.ts';
import type { ParamField, FieldOption, ParamValues } from '../../engine/fields.ts';
import type { FormError } from '../../engine/host.ts';
import { parseParams } from '../../engine/issues.ts';
import { $palette, type OpenConfirm, type OpenQuestion } from '../../app/open-dialogs.ts';
import { SkippedTargets } from '../dialogs/skipped-targets.tsx';
import { isOptionInQuery } from './search/option-match.ts';
import { textMarks } from './search/search.ts';
import { ReviewDialog } from '../dialogs/review.tsx';
import { PaletteList } from './list.tsx';
import type { PaletteRow } from './options.tsx';
import { PaletteChip, Footer, HighlightedText } from './parts.tsx';
import { useStepOptions } from './use-step-options.ts';

interface PaletteStepProps {
  open: OpenQuestion;
  review: OpenConfirm | null;
  /** What the person typed to find the command. */
  commandQuery: string;
}

/** Stays mounted behind the review, so that typed values survive a step back or a refusal. */
export function PaletteStep({ open, review, commandQuery }: PaletteStepProps) {
  const { command, params } = open.question;
  const fields = Object.entries(command.params?.fields ?? {});
  const [values, setValues] = useState<Record<string, unknown>>({});
  const [valueTexts, setValueTexts] = useState<Record<string, string>>({});
  const [enteredTexts, setEnteredTexts] = useState<Record<string, string>>({});
  const [stepIndex, setStepIndex] = useState(0);
  const [query, setQuery] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [name, field] = fields[stepIndex] ?? ['', null];
  const [formError, setFormError] = useState(open.formError);
  const stepOptions = useStepOptions(name, field, open.question, { query, values: { ...params, ...values } });
  if (review) return <ReviewDialog open={review} />;
  if (!field || !command.params) return null;
  const isListField = field.as === 'choice' || field.as === 'pick';
  const label = t(field.label);

  const goTo = (step: number) => {
    setProblem(null);
    setStepIndex(step);
    setQuery(enteredTexts[fields[step]?.[0] ?? ''] ?? '');
  };
  const fieldViews = command.params.fields as Parameters<typeof issueTexts>[1];
  if (open.formError !== formError) {
    setFormError(open.formError);
    const firstInvalidIndex = fields.findIndex(([key]) => key === firstInvalid(open.formError?.issues ?? [], fieldViews));
    if (firstInvalidIndex >= 0) goTo(firstInvalidIndex);
  }
  const fillField = async (value: unknown, optionText?: string) => {
    const nextValues = { ...values, [name]: value };
    const parsed = command.params ? await parseParams(command.params, { ...params, ...nextValues }) : { values: nextValues };
    const issue = 'issues' in parsed ? parsed.issues.find(({ path }) => path === name) : undefined;
    if (issue) return setProblem(issueTexts([issue], fieldViews)[name] ?? '');
    setProblem(null);
    setValues(nextValues);
    setValueTexts({ ...valueTexts, [name]: optionText ?? valueText(value) });
    setEnteredTexts({ ...enteredTexts, [name]: query });
    if (stepIndex + 1 < fields.length) goTo(stepIndex + 1);
    else open.answer({ ...params, ...nextValues });
  };

  const options =
    field.as === 'pick'
      ? (stepOptions.options ?? [])
      : field.as === 'choice'
        ? choicesOf(field, { ...params, ...values }, open.question.targets)
        : [];
  const failed = field.as === 'pick' ? stepOptions.failed : null;
  // Not highlighted right after picking.
  const pickedValue = open.busy ? undefined : values[name];
  const rows =
    failed === null
      ? optionRows(
          likelyFirst(options, { current: pickedValue ?? params[name], commandQuery }),
          field.as === 'pick' && field.searched ? '' : query,
        )
      : [{ value: retryRow, draw: () => t('common.retry') }];
  const error = problem ?? (failed === null ? stepErrorText(formError, fieldViews, name) : errorText(failed));

  const chooseOption = (value: string) => {
    if (value === retryRow) return stepOptions.retry();
    const option = options.find((candidate) => optionRow(candidate) === value);
    if (option?.blocked) setProblem(t(option.blocked));
    else if (option) void fillField(option.value, option.label.trim());
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const isBackKey = event.key === 'Escape' || (event.key === 'Backspace' && query === '' && !event.repeat);
    if (isBackKey) {
      event.preventDefault();
      event.stopPropagation();
      if (open.busy) closeStep(open);
      else if (event.key === 'Escape' && query !== '') setQuery('');
      else if (stepIndex > 0) goTo(stepIndex - 1);
      else open.answer(null);
    } else if (event.key === 'Enter' && !isListField) {
      event.preventDefault();
      void fillField(query);
    }
  };

  return (
    <>
      <PaletteList
        label={label}
        query={query}
        onQuery={(text) => {
          setProblem(null);
          setQuery(text);
        }}
        placeholder={tSpaced(isListField ? 'finder.placeholderChoose' : 'finder.placeholderStep', 'label', label)}
        rows={rows}
        onSelect={chooseOption}
        onKeyDown={onKeyDown}
        empty={error ? '' : t(emptyText(field, { isReading: stepOptions.options === null, isBlank: query.trim() === '' }))}
        invalid={problem !== null}
        describedBy={error ? 'palette-step-error' : undefined}
        secret={field.as === 'secret'}
        chips={
          <>
            <PaletteChip text={bilingualName(command.id)} />
            {fields.slice(0, stepIndex).map(([key, { as, label: fieldLabel }]) => (
              <PaletteChip key={key} text={labelText(t(fieldLabel), as === 'secret' ? '••••' : (valueTexts[key] ?? ''))} />
            ))}
          </>
        }
      />
      {stepIndex === 0 && (
        <div className="px-4 empty:hidden">
          <SkippedTargets runnable={open.question.targets.length} skipped={open.question.skipped} />
        </div>
      )}
      {error && (
        <p id="palette-step-error" role="alert" className="px-4 pb-3 text-danger-text">
          {error}
        </p>
      )}
      <Footer back />
    </>
  );
}

/** The result must not close a palette that was opened since. */
function closeStep(open: OpenQuestion): void {
  open.answer(null);
  const palette = $palette.get();
  $palette.set(palette && { ...palette });
}

function stepErrorText(formError: FormError | null, fields: Parameters<typeof issueTexts>[1], name: string): string | null {
  const issueMessages = issueTexts(formError?.issues ?? [], fields);
  if (Object.keys(issueMessages).length > 0) return issueMessages[name] ?? null;
  return formError?.error ? t(`errors.code.${formError.error.code}`, formError.error.values) : null;
}

const retryRow = 'retry';
const optionRow = ({ value }: FieldOption): string => `option:${value}`;

type FieldArguments = [values: Readonly<ParamValues>, targets: readonly Target[]];

function emptyText(field: ParamField, { isReading, isBlank }: { isReading: boolean; isBlank: boolean }): TextKey {
  if (field.as === 'pick') return isReading ? 'finder.optionsLoading' : 'finder.optionsEmpty';
  if (field.as === 'choice') return 'finder.empty';
  return isBlank && !('optional' in field) ? 'finder.typeFirst' : 'finder.enterToGoOn';
}

const choicesOf = ({ options, fits }: Extract<ParamField, { as: 'choice' }>, ...context: FieldArguments): FieldOption[] =>
  options.filter(({ value }) => fits?.(value, ...context) ?? true).map(({ value, label }) => ({ value, label: t(label) }));

/** Enter takes the form's start value first, or the option that the person named when they looked for the command. */
function likelyFirst(
  options: readonly FieldOption[],
  { current, commandQuery }: { current: unknown; commandQuery: string },
): readonly FieldOption[] {
  const likelihoodOf = (option: FieldOption) => (option.value === current ? 2 : isOptionInQuery(option, commandQuery) ? 1 : 0);
  return options.toSorted((a, b) => likelihoodOf(b) - likelihoodOf(a));
}

function optionRows(options: readonly FieldOption[], query: string): PaletteRow[] {
  const fields = foldText(query);
  return options
    .flatMap((option): PaletteRow[] => {
      const { value, label, note, blocked } = option;
      if (![label, value, note ?? ''].some((text) => foldText(text).includes(fields))) return [];
      const marks = textMarks(label, query);
      const renderOption = () => (
        <>
          <span className={`truncate ${blocked ? 'text-2' : 'max-w-full shrink-0'}`}>
            <HighlightedText text={label} marks={marks} />
          </span>
          <span className="min-w-0 grow truncate text-meta text-2">{blocked ? t(blocked) : note}</span>
        </>
      );
      return [{ value: optionRow(option), draw: renderOption }];
    })
    .slice(0, maxOptions);
}

const maxOptions = 50;
