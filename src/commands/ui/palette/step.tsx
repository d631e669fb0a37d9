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
import { textMarks } from './search/search.ts';
import { ReviewDialog } from '../dialogs/review.tsx';
import { PaletteList } from './list.tsx';
import type { PaletteRow } from './options.tsx';
import { PaletteChip, Footer, HighlightedText } from './parts.tsx';
import { useStepOptions } from './use-step-options.ts';

/** Stays mounted behind the review, so that typed values survive a step back or a refusal. */
export function PaletteStep({ open, review }: { open: OpenQuestion; review: OpenConfirm | null }) {
  const { command, params } = open.question;
  const fields = Object.entries(command.params?.fields ?? {});
  const [values, setValues] = useState<Record<string, unknown>>({});
  const [words, setWords] = useState<Record<string, string>>({});
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [at, setAt] = useState(0);
  const [query, setQuery] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const [name, field] = fields[at] ?? ['', null];
  const [formError, setSetback] = useState(open.formError);
  const picking = useStepOptions(name, field, open.question, { query, values: { ...params, ...values } });
  if (review) return <ReviewDialog open={review} />;
  if (!field || !command.params) return null;
  const isListed = field.as === 'choice' || field.as === 'pick';
  const label = t(field.label);

  const goTo = (step: number) => {
    setWrong(null);
    setAt(step);
    setQuery(typed[fields[step]?.[0] ?? ''] ?? '');
  };
  const requested = command.params.fields as Parameters<typeof issueTexts>[1];
  if (open.formError !== formError) {
    setSetback(open.formError);
    const first = fields.findIndex(([key]) => key === firstInvalid(open.formError?.issues ?? [], requested));
    if (first >= 0) goTo(first);
  }
  const fill = async (value: unknown, word?: string) => {
    const next = { ...values, [name]: value };
    const parsed = command.params ? await parseParams(command.params, { ...params, ...next }) : { values: next };
    const issue = 'issues' in parsed ? parsed.issues.find(({ path }) => path === name) : undefined;
    if (issue) return setWrong(issueTexts([issue], requested)[name] ?? '');
    setWrong(null);
    setValues(next);
    setWords({ ...words, [name]: word ?? valueText(value) });
    setTyped({ ...typed, [name]: query });
    if (at + 1 < fields.length) goTo(at + 1);
    else open.answer({ ...params, ...next });
  };

  const options =
    field.as === 'pick'
      ? (picking.options ?? [])
      : field.as === 'choice'
        ? choicesOf(field, { ...params, ...values }, open.question.targets)
        : [];
  const failed = field.as === 'pick' ? picking.failed : null;
  // Not highlighted right after picking.
  const picked = open.busy ? undefined : values[name];
  const rows =
    failed === null
      ? optionRows(currentFirst(options, picked ?? params[name]), field.as === 'pick' && field.searched ? '' : query)
      : [{ value: retryRow, draw: () => t('common.retry') }];
  const error = wrong ?? (failed === null ? stepErrorText(formError, requested, name) : errorText(failed));

  const choose = (value: string) => {
    if (value === retryRow) return picking.retry();
    const option = options.find((one) => optionRow(one) === value);
    if (option?.blocked) setWrong(t(option.blocked));
    else if (option) void fill(option.value, option.label.trim());
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const back = event.key === 'Escape' || (event.key === 'Backspace' && query === '' && !event.repeat);
    if (back) {
      event.preventDefault();
      event.stopPropagation();
      if (open.busy) closeStep(open);
      else if (event.key === 'Escape' && query !== '') setQuery('');
      else if (at > 0) goTo(at - 1);
      else open.answer(null);
    } else if (event.key === 'Enter' && !isListed) {
      event.preventDefault();
      void fill(query);
    }
  };

  return (
    <>
      <PaletteList
        label={label}
        query={query}
        onQuery={(text) => {
          setWrong(null);
          setQuery(text);
        }}
        placeholder={tSpaced(isListed ? 'finder.placeholderChoose' : 'finder.placeholderStep', 'label', label)}
        rows={rows}
        onSelect={choose}
        onKeyDown={onKeyDown}
        empty={error ? '' : t(emptyText(field, picking.options === null))}
        invalid={wrong !== null}
        describedBy={error ? 'palette-step-error' : undefined}
        secret={field.as === 'secret'}
        chips={
          <>
            <PaletteChip text={bilingualName(command.id)} />
            {fields.slice(0, at).map(([key, { as, label: of }]) => (
              <PaletteChip key={key} text={labelText(t(of), as === 'secret' ? '••••' : (words[key] ?? ''))} />
            ))}
          </>
        }
      />
      {at === 0 && (
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
  const texts = issueTexts(formError?.issues ?? [], fields);
  if (Object.keys(texts).length > 0) return texts[name] ?? null;
  return formError?.error ? t(`errors.code.${formError.error.code}`, formError.error.values) : null;
}

const retryRow = 'retry';
const optionRow = ({ value }: FieldOption): string => `option:${value}`;

type FieldArguments = [values: Readonly<ParamValues>, targets: readonly Target[]];

function emptyText(field: ParamField, isReading: boolean): TextKey {
  if (field.as === 'pick') return isReading ? 'finder.optionsLoading' : 'finder.optionsEmpty';
  return field.as === 'choice' ? 'finder.empty' : 'finder.enterToGoOn';
}

const choicesOf = ({ options, fits }: Extract<ParamField, { as: 'choice' }>, ...beside: FieldArguments): FieldOption[] =>
  options.filter(({ value }) => fits?.(value, ...beside) ?? true).map(({ value, label }) => ({ value, label: t(label) }));

/** Enter takes the form's start value first. */
const currentFirst = (options: readonly FieldOption[], provided: unknown): readonly FieldOption[] =>
  [...options].sort((a, b) => Number(b.value === provided) - Number(a.value === provided));

function optionRows(options: readonly FieldOption[], query: string): PaletteRow[] {
  const fields = foldText(query);
  return options
    .flatMap((option): PaletteRow[] => {
      const { value, label, note, blocked } = option;
      if (![label, value, note ?? ''].some((text) => foldText(text).includes(fields))) return [];
      const marks = textMarks(label, query);
      const draw = () => (
        <>
          <span className={`truncate ${blocked ? 'text-2' : ''}`}>
            <HighlightedText text={label} marks={marks} />
          </span>
          <span className="min-w-0 grow truncate text-meta text-2">{blocked ? t(blocked) : note}</span>
        </>
      );
      return [{ value: optionRow(option), draw }];
    })
    .slice(0, maxOptions);
}

const maxOptions = 50;
