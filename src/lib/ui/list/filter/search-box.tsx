import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { useCallback, useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { t } from '../../../i18n/i18n.ts';
import { IconButton } from '../../button.tsx';
import type { ListStore } from '../store.ts';

const debounceMs = 200;

interface SearchBoxProps<Row extends { id: string }> {
  placeholder: string;
  value: string;
  onSearch: (text: string) => void;
  store: ListStore<Row>;
}

/** 200 ms after the last letter, never during composition. */
export function SearchBox<Row extends { id: string }>({ placeholder, value, onSearch, store }: SearchBoxProps<Row>) {
  const [enteredText, setEnteredText] = useState(value);
  const [previousValue, setPreviousValue] = useState(value);
  const sentText = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (value !== previousValue) {
    setPreviousValue(value);
    if (value !== sentText.current) {
      clearTimeout(timer.current);
      sentText.current = value;
      setEnteredText(value);
    }
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  function sendSearch(text: string) {
    clearTimeout(timer.current);
    const searchText = text.trim();
    if (searchText === sentText.current) return;
    sentText.current = searchText;
    onSearch(searchText);
  }
  function sendDebounced(text: string) {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => sendSearch(text), debounceMs);
  }
  function clearSearch() {
    setEnteredText('');
    sendSearch('');
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      if (enteredText === '') store.parts.grid?.focus();
      else clearSearch();
    } else if (event.key === 'Enter' || event.key === 'ArrowDown') {
      event.preventDefault();
      event.stopPropagation();
      sendSearch(enteredText);
      store.parts.grid?.focus();
    }
  }
  const ref = useCallback(
    (input: HTMLInputElement | null) => {
      store.parts.filter = input;
    },
    [store],
  );
  return (
    <div className="relative min-w-28 flex-1 sm:max-w-64 sm:basis-40">
      <Search size={14} aria-hidden="true" className="pointer-events-none absolute inset-y-0 start-2 my-auto text-2" />
      <input
        ref={ref}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={t('list.search')}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        maxLength={200}
        value={enteredText}
        className="h-control w-full rounded-control border border-control bg-surface ps-7 pe-7 text-body text-ellipsis text-1"
        onChange={({ target, nativeEvent }) => {
          setEnteredText(target.value);
          if (nativeEvent instanceof InputEvent && nativeEvent.isComposing) clearTimeout(timer.current);
          else sendDebounced(target.value);
        }}
        onCompositionEnd={({ currentTarget }) => sendDebounced(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {enteredText !== '' && (
        <IconButton
          label={t('list.clearFilter')}
          icon={<X size={12} aria-hidden="true" />}
          className="absolute inset-y-0 end-0.5 my-auto h-6! w-6!"
          onClick={() => {
            clearSearch();
            store.parts.filter?.focus();
          }}
        />
      )}
    </div>
  );
}
