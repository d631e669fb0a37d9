import { Command } from 'cmdk';
import { useLayoutEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode, type RefObject } from 'react';
import { isImeEvent } from '../../engine/keys/keys.ts';
import { inSight, optionId, Options, type PaletteRow } from './options.tsx';
import { useDrawn } from './use-drawn.ts';

interface PaletteListProps {
  label: string;
  query: string;
  placeholder: string;
  onQuery: (query: string) => void;
  rows: readonly PaletteRow[];
  onSelect: (value: string) => void;
  /** Keys before the list sees them, and the row that is highlighted; call preventDefault to keep them. */
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>, current: string) => void;
  /** Chips before the input: the frozen target, parameters filled so far. */
  chips?: ReactNode;
  /** Shown when there are no rows. */
  empty: ReactNode;
  /** Said aloud when it changes. */
  status?: string | undefined;
  /** What stands below the rows, about the one that is highlighted. */
  below?: (current: string) => ReactNode;
  invalid?: boolean;
  describedBy?: string | undefined;
  secret?: boolean;
}

const rowOf = ({ target }: MouseEvent): string | undefined =>
  (target as Element).closest<HTMLElement>('[data-row]')?.dataset['row'];

/**
 * cmdk as a thin list. What it gets wrong is kept away from it (reference: cmdk 1.1.1): ranking and filtering are ours, the input
 * is our own, and the highlighted row is resolved against the rows that there are, so that Enter means the one that is seen.
 */
export function PaletteList(props: PaletteListProps) {
  const { label, query, onQuery, rows, onSelect, onKeyDown, chips, empty, status, below, invalid, describedBy, secret } = props;
  const [picked, setPicked] = useState('');
  const at = Math.max(
    0,
    rows.findIndex(({ value }) => value === picked),
  );
  const current = rows[at]?.value ?? '';
  const list = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const pressed = useRef<string>(undefined);
  const [drawn, drawAll] = useDrawn(rows, query, at >= inSight);
  const isPicked = current !== '' && current === picked;

  // Its own row in sight; the list's beginning for a new question.
  const isMoved = useRef(false);
  useLayoutEffect(() => {
    if (!list.current || (!isPicked && !isMoved.current)) return;
    if (at === 0) list.current.scrollTop = 0;
    else document.getElementById(optionId(current))?.scrollIntoView({ block: 'nearest' });
    isMoved.current = at > 0;
  }, [current, isPicked, at]);
  const listId = useNaming(input, list);

  const move = (step: number) => {
    const next = rows[(at + step + rows.length) % rows.length];
    if (next) setPicked(next.value);
  };

  return (
    <Command
      label={label}
      shouldFilter={false}
      vimBindings={false}
      value={current}
      onValueChange={setPicked}
      disablePointerSelection
      className="flex min-h-0 flex-col outline-none"
    >
      <div className="flex flex-wrap items-center gap-1.5 border-b border-hairline px-4 py-2">
        {chips}
        <input
          ref={input}
          role="combobox"
          aria-label={label}
          aria-expanded={rows.length > 0}
          aria-controls={listId}
          aria-activedescendant={current === '' ? undefined : optionId(current)}
          aria-autocomplete="list"
          aria-invalid={invalid || undefined}
          aria-describedby={describedBy}
          type={secret ? 'password' : 'text'}
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          autoFocus
          data-autofocus
          data-palette-input
          className="h-7 min-w-40 grow bg-transparent text-label outline-none"
          placeholder={props.placeholder}
          value={query}
          onChange={(event) => {
            setPicked(''); // a new question: its first answer is the one that Enter means
            onQuery(event.target.value);
          }}
          onKeyDown={(event) => {
            if (isImeEvent(event.nativeEvent)) return event.stopPropagation();
            // Home and End belong to the text, not to the list.
            if (event.key === 'Home' || event.key === 'End') return event.stopPropagation();
            // A held Enter must not go through one question after another.
            if (event.key === 'Enter' && event.repeat) return event.preventDefault();
            onKeyDown(event, current);
            if (event.defaultPrevented) return;
            if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
              event.preventDefault();
              move(event.key === 'ArrowDown' ? 1 : -1);
            } else if (event.key === 'Enter') {
              // It means the row that this is drawn with, whatever has come in meanwhile.
              event.preventDefault();
              if (current) onSelect(current);
            }
          }}
        />
      </div>
      <div role="status" className="px-4 py-7 text-2 empty:hidden">
        {rows.length === 0 && empty}
      </div>
      <span role="status" className="sr-only">
        {status}
      </span>
      <Command.List
        ref={list}
        label={label}
        hidden={rows.length === 0}
        className="max-h-[min(24rem,60vh)] overflow-y-auto overscroll-contain p-1.5 outline-none scroll-py-1.5 contain-content"
        onScroll={() => {
          isMoved.current = true;
          drawAll();
        }}
        // Only a mouse that moves: rows that come to lie under a still one are not meant.
        onMouseMove={(event) => {
          const value = event.movementX !== 0 || event.movementY !== 0 ? rowOf(event) : undefined;
          if (value !== undefined && value !== current) setPicked(value);
        }}
        onMouseDown={(event) => {
          event.preventDefault(); // the input keeps the focus
          pressed.current = rowOf(event);
        }}
        onClick={(event) => {
          const value = rowOf(event);
          // Another may have come under the pointer meanwhile; a click without a press is a screen reader's.
          if (value !== undefined && (event.detail === 0 || value === pressed.current)) onSelect(value);
        }}
      >
        <Options rows={drawn} count={rows.length} current={current} />
      </Command.List>
      {below?.(current)}
    </Command>
  );
}

/** Gives the input cmdk's label: it does so for an input of its own only. Answers the list's id. */
function useNaming(input: RefObject<HTMLInputElement | null>, list: RefObject<HTMLElement | null>): string {
  const [listId, setListId] = useState('');
  useLayoutEffect(() => {
    const label = list.current?.closest('[cmdk-root]')?.querySelector<HTMLLabelElement>('label[cmdk-label]');
    if (input.current && label) input.current.id = label.htmlFor;
    setListId(list.current?.id ?? '');
  }, [input, list]);
  return listId;
}
