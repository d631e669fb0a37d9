import { memo, type ReactNode } from 'react';

export interface PaletteRow {
  /** Identity, never the label: a command's id, `news:<id>`, `option:<value>`. */
  value: string;
  /** Heading the row stands under; rows with the same one stand together. */
  group?: string;
  /** What stands in it. Made anew only when the row is another object. */
  draw: () => ReactNode;
}

/** How many rows fit into the palette at once. */
export const inSight = 14;

/** Of the row itself, not of its place: whoever hears the page is told when another row is meant. An id has no spaces. */
export const optionId = (listId: string, value: string): string => `${listId}-${encodeURIComponent(value)}`;

interface OptionsProps {
  listId: string;
  rows: readonly PaletteRow[];
  /** How many there are in all, drawn or not. */
  count: number;
  current: string;
}

/** Rows under their headings, in the order they come. */
export function Options({ listId, rows, count, current }: OptionsProps) {
  const groups = new Map<string, PaletteRow[]>();
  for (const row of rows) {
    const members = groups.get(row.group ?? '');
    if (members) members.push(row);
    else groups.set(row.group ?? '', [row]);
  }
  let place = 0;
  return [...groups].map(([group, members]) => (
    <div key={group} role="group" aria-label={group || undefined}>
      {group && (
        <div data-heading aria-hidden="true" className="px-2.5 pt-2 pb-1 text-meta text-2">
          {group}
        </div>
      )}
      {members.map((row) => (
        <Option
          key={row.value}
          id={optionId(listId, row.value)}
          row={row}
          place={++place}
          count={count}
          isCurrent={row.value === current}
        />
      ))}
    </div>
  ));
}

interface OptionProps {
  id: string;
  row: PaletteRow;
  place: number;
  count: number;
  isCurrent: boolean;
}

const Option = memo(function Option({ id, row, place, count, isCurrent }: OptionProps) {
  return (
    <div
      id={id}
      role="option"
      aria-selected={isCurrent}
      aria-posinset={place}
      aria-setsize={count}
      data-row={row.value}
      className={`flex h-9 items-center gap-2.5 rounded-control px-2.5 contain-strict aria-selected:bg-layer-selected touch:h-11 ${place > inSight ? '[content-visibility:auto]' : ''}`}
    >
      <Content row={row} />
    </div>
  );
});

/** Apart from its row, which is drawn again when the cursor comes and goes. */
const Content = memo(function Content({ row }: { row: PaletteRow }) {
  return row.draw();
});
