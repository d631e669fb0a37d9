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
  const [pickedValue, setPickedValue] = useState('');
  const currentIndex = Math.max(
    0,
    rows.findIndex(({ value }) => value === pickedValue),
  );
  const currentValue = rows[currentIndex]?.value ?? '';
  const currentId = currentValue === '' ? undefined : optionId(currentValue);
  const list = useRef<HTMLDivElement>(null);
  const pressedValue = useRef<string>(undefined);
  const [renderedRows, renderAll] = useRendered(rows, query, currentIndex >= visibleRows);
  const isPicked = currentValue !== '' && currentValue === pickedValue;

  // With a controlled value cmdk scrolls to the previously highlighted row.
  const hasPointerMoved = useRef(false);
  useLayoutEffect(() => {
    if (!list.current || (!isPicked && !hasPointerMoved.current)) return;
    if (currentIndex === 0) list.current.scrollTop = 0;
    else if (currentId) document.getElementById(currentId)?.scrollIntoView({ block: 'nearest' });
    hasPointerMoved.current = currentIndex > 0;
  }, [currentId, isPicked, currentIndex]);

  const latestProps = useRef({ rows, onSelect });
  useLayoutEffect(() => {
    latestProps.current = { rows, onSelect };
  });
  const selectRow = useCallback((position: string) => {
    const row = rowAt(latestProps.current.rows, position);
    if (row) latestProps.current.onSelect(row.value);
  }, []);

  // Set on the child, because cmdk always reports expanded and the previous row.
  const comboboxState = { 'aria-expanded': rows.length > 0, 'aria-activedescendant': currentId };

  return (
    <Command
      label={label}
      shouldFilter={false}
      vimBindings={false}
      loop
      value={rows.length > 0 ? String(currentIndex + 1) : ''}
      onValueChange={(position) => setPickedValue(rowAt(rows, position)?.value ?? '')}
      className="flex min-h-0 flex-col outline-none"
    >
      <div className="flex flex-wrap items-center gap-1.5 border-b border-hairline px-4 py-2">
        {chips}
        {/* With its own search text, cmdk would highlight the first row at every key. */}
        <Command.Input
          asChild
          value=""
          onValueChange={(text) => {
            setPickedValue('');
            onQuery(text);
          }}
        >
          <input
            {...comboboxState}
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
              onKeyDown(event, currentValue);
              if (event.defaultPrevented) return;
              if (event.key === 'ArrowUp' || event.key === 'ArrowDown') flushSync(renderAll);
              // cmdk does not listen yet to a row that was just drawn.
              if (event.key === 'Enter') {
                event.preventDefault();
                if (currentValue) onSelect(currentValue);
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
          hasPointerMoved.current = true;
          renderAll();
        }}
        onPointerMoveCapture={ignoreStillPointer}
        onMouseDown={(event) => {
          event.preventDefault();
          pressedValue.current = rowOf(event);
        }}
        onClickCapture={(event) => {
          // The row may have changed since the press. Screen readers click without a press.
          if (event.detail !== 0 && rowOf(event) !== pressedValue.current) event.stopPropagation();
        }}
      >
        <Options rows={renderedRows} count={rows.length} onSelect={selectRow} />
      </Command.List>
      {below?.(currentValue)}
    </Command>
  );
}

const rowAt = (rows: readonly PaletteRow[], position: string) => rows[Number(position) - 1];

const rowOf = ({ target }: MouseEvent): string | undefined =>
  (target as Element).closest<HTMLElement>('[data-row]')?.dataset['row'];

/** Only a moving mouse highlights, not rows that move under it or a scrolling finger. */
function ignoreStillPointer(event: PointerEvent): void {
  if (event.pointerType !== 'mouse' || (event.movementX === 0 && event.movementY === 0)) event.stopPropagation();
}
