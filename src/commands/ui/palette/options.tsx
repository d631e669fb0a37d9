import { Command } from 'cmdk';
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

/** The id of a row's element: another one for another row, by which a screen reader knows that it is one. */
export const optionId = (value: string): string => `option-${encodeURIComponent(value)}`;

interface OptionsProps {
  rows: readonly PaletteRow[];
  /** How many there are in all, drawn or not. */
  count: number;
  /** The row that is highlighted. */
  current: string;
}

/**
 * Rows under their headings, in the order they come, each in the slot of its place: to another question the slots say something
 * else, and nothing is made anew. They are no items of cmdk's: each of those would register itself, which draws the whole list a
 * second time for a key, and ask twice with every change whether it is the one that is highlighted.
 */
export const Options = memo(function Options({ rows, count, current }: OptionsProps) {
  const groups = new Map<string, PaletteRow[]>();
  for (const row of rows) {
    const members = groups.get(row.group ?? '');
    if (members) members.push(row);
    else groups.set(row.group ?? '', [row]);
  }
  let place = 0;
  return [...groups].map(([group, members]) => (
    <Command.Group key={group} value={`group ${group}`} heading={group ? <Heading text={group} /> : undefined}>
      {members.map((row, slot) => (
        <Option key={slot} row={row} place={++place} count={count} isCurrent={row.value === current} />
      ))}
    </Command.Group>
  ));
});

const Heading = ({ text }: { text: string }) => (
  <div data-heading className="px-2.5 pt-2 pb-1 text-meta text-2">
    {text}
  </div>
);

interface OptionProps {
  row: PaletteRow;
  place: number;
  count: number;
  isCurrent: boolean;
}

const Option = memo(function Option({ row, place, count, isCurrent }: OptionProps) {
  return (
    <div
      id={optionId(row.value)}
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
