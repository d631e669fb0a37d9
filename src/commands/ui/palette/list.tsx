import { Command } from 'cmdk';
import {
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import { flushSync } from 'react-dom';
import { isImeEvent } from '../../engine/keys/keys.ts';
import { visibleRows, optionId, Options, type PaletteRow } from './options.tsx';
import { useRendered } from './use-rendered.ts';

interface PaletteListProps {
  label: string;
  query: string;
  placeholder: string;
  onQuery: (query: string) => void;
  rows: readonly PaletteRow[];
  onSelect: (value: string) => void;
  /** Call preventDefault to handle the key. */
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>, current: string) => void;
  chips?: ReactNode;
  empty: ReactNode;
  status?: string | undefined;
  below?: (current: string) => ReactNode;
  invalid?: boolean;
  describedBy?: string | undefined;
  secret?: boolean;
}

/** cmdk draws and highlights. Ranking and filtering are ours. */
export function PaletteList(props: PaletteListProps) {
  const { label, query, onQuery, rows, onSelect, onKeyDown, chips, empty, status, below, invalid, describedBy, secret } = props;
  const [picked, setPicked] = useState('');
  const at = Math.max(
    0,
    rows.findIndex(({ value }) => value === picked),
  );
  const current = rows[at]?.value ?? '';
  const currentId = current === '' ? undefined : optionId(current);
  const list = useRef<HTMLDivElement>(null);
  const pressed = useRef<string>(undefined);
  const [drawn, drawAll] = useRendered(rows, query, at >= visibleRows);
  const isPicked = current !== '' && current === picked;

  // With a controlled value cmdk scrolls to the previously highlighted row.
  const isMoved = useRef(false);
  useLayoutEffect(() => {
    if (!list.current || (!isPicked && !isMoved.current)) return;
    if (at === 0) list.current.scrollTop = 0;
    else if (currentId) document.getElementById(currentId)?.scrollIntoView({ block: 'nearest' });
    isMoved.current = at > 0;
  }, [currentId, isPicked, at]);

  const latest = useRef({ rows, onSelect });
  useLayoutEffect(() => {
    latest.current = { rows, onSelect };
  });
  const select = useCallback((place: string) => {
    const row = rowAt(latest.current.rows, place);
    if (row) latest.current.onSelect(row.value);
  }, []);

  // Set on the child, because cmdk always reports expanded and the previous row.
  const ownState = { 'aria-expanded': rows.length > 0, 'aria-activedescendant': currentId };

  return (
    <Command
      label={label}
      shouldFilter={false}
      vimBindings={false}
      loop
      value={rows.length > 0 ? String(at + 1) : ''}
      onValueChange={(place) => setPicked(rowAt(rows, place)?.value ?? '')}
      className="flex min-h-0 flex-col outline-none"
    >
      <div className="flex flex-wrap items-center gap-1.5 border-b border-hairline px-4 py-2">
        {chips}
        {/* With its own search text, cmdk would highlight the first row at every key. */}
        <Command.Input
          asChild
          value=""
          onValueChange={(text) => {
            setPicked('');
            onQuery(text);
          }}
        >
          <input
            {...ownState}
            aria-invalid={invalid || undefined}
            aria-describedby={describedBy}
            type={secret ? 'password' : 'text'}
            autoFocus
            data-autofocus
            data-palette-input
            className="h-7 min-w-40 grow bg-transparent text-label outline-none"
            placeholder={props.placeholder}
            value={query}
            onKeyDown={(event) => {
              if (isImeEvent(event.nativeEvent)) return event.stopPropagation();
              if (event.key === 'Home' || event.key === 'End') return event.stopPropagation();
              // A held Enter must not answer several questions.
              if (event.key === 'Enter' && event.repeat) return event.preventDefault();
              onKeyDown(event, current);
              if (event.defaultPrevented) return;
              if (event.key === 'ArrowUp' || event.key === 'ArrowDown') flushSync(drawAll);
              // cmdk does not listen yet to a row that was just drawn.
              if (event.key === 'Enter') {
                event.preventDefault();
                if (current) onSelect(current);
              }
            }}
          />
        </Command.Input>
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
        onPointerMoveCapture={ignoreStillPointer}
        onMouseDown={(event) => {
          event.preventDefault();
          pressed.current = rowOf(event);
        }}
        onClickCapture={(event) => {
          // The row may have changed since the press. Screen readers click without a press.
          if (event.detail !== 0 && rowOf(event) !== pressed.current) event.stopPropagation();
        }}
      >
        <Options rows={drawn} count={rows.length} onSelect={select} />
      </Command.List>
      {below?.(current)}
    </Command>
  );
}

const rowAt = (rows: readonly PaletteRow[], place: string) => rows[Number(place) - 1];

const rowOf = ({ target }: MouseEvent): string | undefined =>
  (target as Element).closest<HTMLElement>('[data-row]')?.dataset['row'];

/** Only a moving mouse highlights, not rows that move under it or a scrolling finger. */
function ignoreStillPointer(event: PointerEvent): void {
  if (event.pointerType !== 'mouse' || (event.movementX === 0 && event.movementY === 0)) event.stopPropagation();
}
