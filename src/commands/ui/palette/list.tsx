import { Command } from 'cmdk';
import { startTransition, useEffect, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { isImeEvent } from '../../engine/keys/keys.ts';

export interface PaletteRow {
  /** Identity, never the label: a command's id, `news:<id>`, `option:<value>`. */
  value: string;
  /** Heading the row stands under; rows with the same one stand together. */
  group?: string;
  content: ReactNode;
}

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

/**
 * cmdk as a thin roving list. What it gets wrong is kept away from it (reference: cmdk 1.1.1): ranking and filtering are
 * ours, the highlighted row is resolved against the rows that are seen, the input is our own.
 */
export function PaletteList(props: PaletteListProps) {
  const {
    label,
    query,
    placeholder,
    onQuery,
    rows: allRows,
    onSelect,
    onKeyDown,
    chips,
    empty,
    status,
    below,
    invalid,
    describedBy,
    secret,
  } = props;
  const [picked, setPicked] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const rows = useRowsInSightFirst(allRows, query);
  const current = rows.some(({ value }) => value === picked) ? picked : (rows[0]?.value ?? '');
  const listId = useActiveDescendant(list, input);

  return (
    <Command
      label={label}
      shouldFilter={false}
      filter={() => 1}
      vimBindings={false}
      loop
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
          placeholder={placeholder}
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
            // Enter means the row that this is drawn with, whatever has come in meanwhile.
            if (event.key === 'Enter' && !event.defaultPrevented) {
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
        className="max-h-[min(24rem,60vh)] overflow-y-auto overscroll-contain p-1.5 scroll-py-1.5"
      >
        {groupsOf(rows).map(({ group, rows: members }) => (
          <Command.Group
            key={group}
            value={`group ${group}`}
            heading={group || undefined}
            className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-meta [&_[cmdk-group-heading]]:text-2"
          >
            {members.map(({ value, content }) => (
              <Command.Item
                key={value}
                value={value}
                onSelect={onSelect}
                // Only a mouse that moves: rows that come to lie under a still one are not meant.
                onMouseMove={({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && setPicked(value)}
                data-row={value}
                className="flex h-9 items-center gap-2.5 rounded-control px-2.5 data-[selected=true]:bg-layer-selected touch:h-11"
              >
                {content}
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
      {below?.(current)}
    </Command>
  );
}

const inSight = 14;

/** To a new question the rows that fit into the palette at once, the others a frame later: nobody waits for what is below the edge. */
function useRowsInSightFirst(rows: readonly PaletteRow[], query: string): readonly PaletteRow[] {
  const [wholeFor, setWholeFor] = useState<string | null>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => startTransition(() => setWholeFor(query)));
    return () => cancelAnimationFrame(frame);
  }, [query]);
  return wholeFor === query ? rows : rows.slice(0, inSight);
}

/** Rows under their headings, in the order they come. */
function groupsOf(rows: readonly PaletteRow[]): { group: string; rows: PaletteRow[] }[] {
  const groups = new Map<string, PaletteRow[]>();
  for (const row of rows) groups.set(row.group ?? '', [...(groups.get(row.group ?? '') ?? []), row]);
  return [...groups].map(([group, members]) => ({ group, rows: members }));
}

/** Keeps the input's aria-activedescendant on the row that is highlighted: cmdk leaves it stale. Answers the list's id. */
function useActiveDescendant(list: RefObject<HTMLElement | null>, input: RefObject<HTMLInputElement | null>): string {
  const [listId, setListId] = useState('');
  useEffect(() => {
    const within = list.current;
    if (!within) return;
    const point = () => {
      const id = within.querySelector('[cmdk-item][aria-selected="true"]')?.id;
      if (id) input.current?.setAttribute('aria-activedescendant', id);
      else input.current?.removeAttribute('aria-activedescendant');
    };
    point();
    setListId(within.id);
    // cmdk's own label is for an input of its own.
    const label = within.closest('[cmdk-root]')?.querySelector<HTMLLabelElement>('label[cmdk-label]');
    if (label && input.current) input.current.id = label.htmlFor;
    const observer = new MutationObserver(point);
    observer.observe(within, { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-selected', 'id'] });
    return () => observer.disconnect();
  }, [list, input]);
  return listId;
}
