import { Check } from 'lucide-react';
import { Fragment, useId, useState, type KeyboardEvent } from 'react';
import { foldText } from '../../fold-text.ts';
import { groupDigits } from '../../format.ts';
import { t, type TextKey } from '../../i18n/i18n.ts';
import { Button } from '../button.tsx';
import { Skeleton } from '../skeleton.tsx';
import { SafeLink } from '../value/safe-link.tsx';
import { lineClass, tied } from './controls.tsx';
import { useOptions } from './use-options.tsx';
import type { ControlProps, PickOption } from './field-view.ts';

interface PicksFieldProps extends ControlProps<readonly string[]> {
  options: (signal: AbortSignal) => Promise<readonly PickOption[]>;
  empty: TextKey;
}

/** Any of many. Arrows move, space or Enter takes; what is blocked stays reachable and says why. */
export function PicksField({ options: load, empty, ...props }: PicksFieldProps) {
  const { value, onChange } = props;
  const listId = useId();
  const { options, failure } = useOptions(load, props);
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);

  if (failure) return failure;
  if (options === null) return <Skeleton />;
  if (options.length === 0) return <p className="py-2 text-body text-2">{t(empty)}</p>;

  const wanted = foldText(query);
  const shown = options.filter(({ label, note = '' }) => foldText(`${label} ${note}`).includes(wanted));
  const free = shown.filter(({ blocked }) => blocked === undefined).map((option) => option.value);
  const active = Math.min(at, shown.length - 1);
  const chosen = new Set(value);

  function toggle(option: PickOption | undefined) {
    if (!option || option.blocked !== undefined) return;
    const next = new Set(chosen);
    if (!next.delete(option.value)) next.add(option.value);
    onChange((options ?? []).map((one) => one.value).filter((one) => next.has(one)));
  }
  function move(to: number) {
    const next = Math.max(0, Math.min(shown.length - 1, to));
    setAt(next);
    document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' });
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || event.keyCode === 229 || event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target instanceof HTMLInputElement;
    if (event.key === 'ArrowDown') move(active + 1);
    else if (event.key === 'ArrowUp') move(active - 1);
    else if (event.key === 'Enter' || (event.key === ' ' && !typing)) {
      if (!event.repeat) toggle(shown[active]);
    } else if (!typing && event.key === 'Home') move(0);
    else if (!typing && event.key === 'End') move(shown.length - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  const activeId = shown.length > 0 ? `${listId}-${active}` : undefined;
  return (
    <div className="flex flex-col gap-2" onKeyDown={onKeyDown}>
      <div className="flex flex-wrap items-center gap-2">
        <input
          {...tied(props)}
          type="text"
          role="combobox"
          aria-labelledby={props.labelledBy}
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={activeId}
          aria-autocomplete="list"
          autoComplete="off"
          placeholder={t('form.picksSearch')}
          className={`${lineClass} min-w-40 flex-1`}
          value={query}
          onChange={({ target }) => {
            setQuery(target.value);
            setAt(0);
          }}
        />
        <Button
          look="ghost"
          onClick={() => onChange(options.map((one) => one.value).filter((one) => chosen.has(one) || free.includes(one)))}
        >
          {t('form.picksAll')}
        </Button>
        <Button look="ghost" onClick={() => onChange([])}>
          {t('form.picksNone')}
        </Button>
      </div>
      <div
        id={listId}
        role="listbox"
        aria-multiselectable="true"
        aria-labelledby={props.labelledBy}
        aria-activedescendant={activeId}
        tabIndex={0}
        className="max-h-72 overflow-y-auto rounded-control border border-control p-1"
      >
        {shown.map((option, index) => (
          <div
            key={option.value}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={chosen.has(option.value)}
            aria-disabled={option.blocked !== undefined || undefined}
            className={`flex min-h-7 items-start gap-2 rounded-chip px-2 py-1 text-body pointer-coarse:min-h-11 ${index === active ? 'bg-layer-hover' : ''} ${option.blocked === undefined ? '' : 'text-2'}`}
            onPointerMove={() => index !== active && setAt(index)}
            onClick={() => toggle(option)}
          >
            <span
              aria-hidden="true"
              className={`mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-chip border ${chosen.has(option.value) ? 'border-accent bg-accent text-on-accent' : option.blocked === undefined ? 'border-control' : 'border-hairline bg-layer'}`}
            >
              {chosen.has(option.value) && <Check size={12} strokeWidth={3} />}
            </span>
            <span className="flex min-w-0 flex-1 gap-x-2 max-sm:flex-col">
              <span className="min-w-0 flex-1 break-words">
                {option.label}
                {option.blocked !== undefined && <span className="block text-meta text-2">{option.blocked}</span>}
              </span>
              {option.note !== undefined && <span className="shrink-0 text-meta text-2">{option.note}</span>}
            </span>
          </div>
        ))}
        {shown.length === 0 && (
          <div role="option" aria-selected="false" aria-disabled="true" className="px-2 py-1 text-body text-2">
            {t('form.picksNothing')}
          </div>
        )}
      </div>
      {shown[active]?.preview && <Preview lines={shown[active].preview} />}
      <p role="status" className="text-meta text-2 tabular-nums">
        {t('form.picksChosen', { n: groupDigits(chosen.size), all: groupDigits(options.length) })}
      </p>
    </div>
  );
}

/** What the option under the cursor holds, before it is chosen. */
const Preview = ({ lines }: { lines: NonNullable<PickOption['preview']> }) => (
  <dl
    data-preview
    className="grid max-h-48 grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 overflow-y-auto rounded-control border border-hairline p-2 text-body"
  >
    {lines.map(({ label, text, as }) => (
      <Fragment key={label}>
        <dt className="text-meta text-2">{label}</dt>
        <dd dir="auto" className="min-w-0 break-words whitespace-pre-line">
          {as === 'link' ? <SafeLink href={text} whole /> : text}
        </dd>
      </Fragment>
    ))}
  </dl>
);
