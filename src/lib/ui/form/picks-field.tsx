import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions } from '@headlessui/react';
import Check from 'lucide-react/icons/check';
import { Fragment, useState, type ComponentProps, type KeyboardEvent } from 'react';
import { foldText } from '../../fold-text.ts';
import { groupDigits } from '../../format.ts';
import { t, type TextKey } from '../../i18n/i18n.ts';
import { Button } from '../button.tsx';
import { pressKey } from '../overlay/press-key.ts';
import { Skeleton } from '../skeleton.tsx';
import { SafeLink } from '../value/safe-link.tsx';
import { lineClass } from './line-class.ts';
import { findRepeatedReasons, RepeatedReasons } from './repeated-reasons.tsx';
import { useOptions } from './use-options.tsx';
import type { ControlProps, PickOption } from './field-view.ts';
import { DescribedInput, DescribedList } from './field-attributes.tsx';

interface PicksFieldProps extends ControlProps<readonly string[]> {
  options: (signal: AbortSignal) => Promise<readonly PickOption[]>;
  empty: TextKey;
}

export function PicksField({ options: loadOptions, empty, value, onChange, ...field }: PicksFieldProps) {
  const { options, failure } = useOptions(loadOptions, field);
  const [query, setQuery] = useState('');
  // Arrows lead into the list, where Space chooses. Typing leads back into the search.
  const [isInList, setIsInList] = useState(false);

  if (failure) return failure;
  if (options === null) return <Skeleton />;
  if (options.length === 0) return <p className="py-2 text-body text-2">{t(empty)}</p>;

  const searchText = foldText(query);
  const matchingOptions = options.filter(({ label, note = '' }) => foldText(`${label} ${note}`).includes(searchText));
  const selectedValues = new Set(value);
  const repeatedReasons = findRepeatedReasons(options);
  const selectOptions = (isSelected: (option: PickOption) => boolean) =>
    onChange(
      options
        .filter((option) => (option.blocked === undefined ? isSelected(option) : selectedValues.has(option.value)))
        .map((option) => option.value),
    );

  return (
    <div className="flex flex-col gap-2" onKeyDownCapture={ignoreComposing} onKeyDown={forwardEscape}>
      <Combobox
        immediate
        multiple
        value={[...value]}
        onChange={(nextValues: string[]) => selectOptions((option) => nextValues.includes(option.value))}
      >
        {({ open, activeOption }) => (
          <>
            <div className="flex flex-wrap items-center gap-2">
              <ComboboxInput
                as={DescribedInput}
                id={field.id}
                field={field}
                autoComplete="off"
                placeholder={t('form.picksSearch')}
                className={`${lineClass} min-w-28 flex-1 sm:min-w-40`}
                displayValue={() => query}
                onChange={({ target }) => {
                  setQuery(target.value);
                  setIsInList(false);
                }}
                onKeyDown={(event) => {
                  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') setIsInList(true);
                  if (event.key === ' ' && open && (isInList || query === '')) {
                    event.preventDefault();
                    if (!event.repeat) pressKey(event.currentTarget, 'Enter');
                    return;
                  }
                  // Ctrl or ⌘ with Enter submits the form, Enter alone never does.
                  if (event.key === 'Enter' && (!open || event.repeat || event.ctrlKey || event.metaKey || event.altKey))
                    event.preventDefault();
                }}
              />
              <Button
                look="ghost"
                onClick={() => selectOptions((option) => selectedValues.has(option.value) || matchingOptions.includes(option))}
              >
                {t('form.picksAll')}
              </Button>
              <Button look="ghost" onClick={() => selectOptions(() => false)}>
                {t('form.picksNone')}
              </Button>
            </div>
            <RepeatedReasons id={`${field.id}-reasons`} of={repeatedReasons} />
            <ComboboxOptions
              as={DescribedList}
              field={field}
              static
              modal={false}
              className="max-h-72 overflow-y-auto rounded-control border border-control p-1"
            >
              {matchingOptions.map((option) => (
                <ComboboxOption key={option.value} value={option.value} as={Fragment}>
                  <PickOptionRow
                    option={option}
                    isChosen={selectedValues.has(option.value)}
                    isReasonShown={option.blocked !== undefined && !repeatedReasons.has(option.blocked)}
                  />
                </ComboboxOption>
              ))}
              {matchingOptions.length === 0 && (
                <div role="option" aria-selected="false" aria-disabled="true" className="px-2 py-1 text-body text-2">
                  {t('form.picksNothing')}
                </div>
              )}
            </ComboboxOptions>
            <OptionPreview options={matchingOptions} active={activeOption} />
            <p role="status" className="text-meta text-2 tabular-nums">
              {t('form.picksChosen', { n: groupDigits(selectedValues.size), all: groupDigits(options.length) })}
            </p>
          </>
        )}
      </Combobox>
    </div>
  );
}

/** Headless UI handles keys even while an input method is composing. */
function ignoreComposing(event: KeyboardEvent) {
  const isComposing = event.nativeEvent.isComposing || event.keyCode === 229;
  if (isComposing && event.key !== 'Process') event.stopPropagation();
}

/** Headless UI closes the visible list on the first Escape, so pass that one to the dialog too. */
function forwardEscape(event: KeyboardEvent) {
  const surroundingElement = event.currentTarget.parentElement;
  if (event.key === 'Escape' && event.isDefaultPrevented() && surroundingElement)
    setTimeout(() => pressKey(surroundingElement, 'Escape'));
}

interface OptionProps extends ComponentProps<'div'> {
  option: PickOption;
  isChosen: boolean;
  /** False: the reason is said above the options. */
  isReasonShown: boolean;
}

function PickOptionRow({ option: { label, note, blocked }, isChosen, isReasonShown, ...rest }: OptionProps) {
  return (
    <div
      {...rest}
      aria-disabled={blocked !== undefined || undefined}
      className={`flex min-h-7 items-start gap-2 rounded-chip px-2 py-1 text-body data-focus:bg-layer-hover pointer-coarse:min-h-11 ${blocked === undefined ? '' : 'text-2'}`}
    >
      <span
        aria-hidden="true"
        className={`mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-chip border ${isChosen ? 'border-accent bg-accent text-on-accent' : blocked === undefined ? 'border-control' : 'border-hairline bg-layer'}`}
      >
        {isChosen && <Check size={12} strokeWidth={3} />}
      </span>
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-2">
        <span className="min-w-0 break-words">
          {label}
          {isReasonShown && <span className="block text-meta text-2">{blocked}</span>}
        </span>
        {note !== undefined && <span className="min-w-0 text-meta break-words text-2">{note}</span>}
      </span>
    </div>
  );
}

/** Details of the active option. Stays on blur, so that nothing below moves. */
function OptionPreview({ options, active }: { options: readonly PickOption[]; active: unknown }) {
  const [lastActive, setLastActive] = useState(active);
  if (active !== null && active !== lastActive) setLastActive(active);
  const { preview } = options.find((option) => option.value === lastActive) ?? options[0] ?? {};
  if (!preview) return null;
  return (
    <dl
      data-preview
      className="grid max-h-48 grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 overflow-y-auto rounded-control border border-hairline p-2 text-body"
    >
      {preview.map(({ label, text, as }) => (
        <Fragment key={label}>
          <dt className="text-meta text-2">{label}</dt>
          <dd dir="auto" className="min-w-0 break-words whitespace-pre-line">
            {as === 'link' ? <SafeLink href={text} whole /> : text}
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}
