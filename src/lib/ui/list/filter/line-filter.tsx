import { useCallback, useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { formatTime, parseLocalTime } from '../../../format.ts';
import { t } from '../../../i18n/i18n.ts';
import type { TypedFilter } from './filters.ts';
import type { ListStore } from '../store.ts';

const pause = 300;

export interface LineFilterProps {
  filter: TypedFilter;
  value: string;
  onChange: (value: string) => void;
  store: Pick<ListStore<never>, 'parts'>;
  /** Where the key for filtering leads. */
  first: boolean;
}

/** A filter that is typed: a text, with what it may be suggested, or a moment. Enter leads to the rows, Escape empties it. */
export function LineFilter({ filter, value, onChange, store, first }: LineFilterProps) {
  const isMoment = filter.as === 'moment';
  const shown = isMoment ? (value === '' ? '' : formatTime(value).replace(' ', 'T')) : value;
  const [typed, setTyped] = useState(shown);
  const [seen, setSeen] = useState(shown);
  const sent = useRef(shown);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const listId = useId();
  // The URL changed from elsewhere: cleared, a link, back.
  if (shown !== seen) {
    setSeen(shown);
    if (shown !== sent.current) {
      sent.current = shown;
      setTyped(shown);
    }
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  function send(text: string) {
    clearTimeout(timer.current);
    const wanted = text.trim();
    if (wanted === sent.current) return;
    const next = isMoment ? (wanted === '' ? '' : parseLocalTime(wanted.slice(0, 16))) : wanted;
    if (next === null) return; // not a whole time yet
    sent.current = wanted;
    onChange(next);
  }
  function later(text: string) {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(text), pause);
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      if (typed === '') return store.parts.grid?.focus();
      setTyped('');
      send('');
    } else if (event.key === 'Enter') {
      event.preventDefault();
      event.stopPropagation();
      send(event.currentTarget.value);
      store.parts.grid?.focus();
    }
  }
  const register = useCallback(
    (input: HTMLInputElement | null) => {
      if (first) store.parts.filter = input;
    },
    [store, first],
  );
  const suggestions = filter.as === 'text' ? filter.suggest?.() : undefined;
  const label = t(filter.label);
  return (
    <label className="flex items-center gap-1.5 text-meta text-2">
      {isMoment && <span>{label}</span>}
      <input
        ref={register}
        type={isMoment ? 'datetime-local' : 'text'}
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        {...(first ? { 'aria-keyshortcuts': '/' } : {})}
        {...(isMoment ? {} : { placeholder: label, maxLength: filter.max })}
        {...(suggestions ? { list: listId } : {})}
        value={typed}
        className={`h-control rounded-control border bg-surface px-2 text-body text-1 ${isMoment ? 'w-44 tabular-nums' : 'w-40'} ${value === '' ? 'border-control' : 'border-accent'}`}
        onChange={({ target, nativeEvent }) => {
          setTyped(target.value);
          if (nativeEvent instanceof InputEvent && nativeEvent.isComposing) clearTimeout(timer.current);
          else later(target.value);
        }}
        onCompositionEnd={({ currentTarget }) => later(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {suggestions && (
        <datalist id={listId}>
          {suggestions.map((one) => (
            <option key={one.value} value={one.value}>
              {one.label}
            </option>
          ))}
        </datalist>
      )}
    </label>
  );
}
