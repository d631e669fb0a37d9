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

interface OptionsProps {
  rows: readonly PaletteRow[];
  /** How many there are in all, drawn or not. */
  count: number;
}

/** Rows under their headings, in the order they come; drawn again when they are others, not when another is highlighted. */
export const Options = memo(function Options({ rows, count }: OptionsProps) {
  const groups = new Map<string, PaletteRow[]>();
  for (const row of rows) {
    const members = groups.get(row.group ?? '');
    if (members) members.push(row);
    else groups.set(row.group ?? '', [row]);
  }
  let place = 0;
  return [...groups].map(([group, members]) => (
    <Command.Group key={group} value={`group ${group}`} heading={group ? <Heading text={group} /> : undefined}>
      {members.map((row) => (
        <Option key={row.value} row={row} place={++place} count={count} />
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
}

const Option = memo(function Option({ row, place, count }: OptionProps) {
  return (
    <Command.Item
      value={row.value}
      aria-posinset={place}
      aria-setsize={count}
      data-row={row.value}
      className={`flex h-9 items-center gap-2.5 rounded-control px-2.5 contain-strict aria-selected:bg-layer-selected touch:h-11 ${place > inSight ? '[content-visibility:auto]' : ''}`}
    >
      <Content row={row} />
    </Command.Item>
  );
});

/** Apart from its row, which is drawn again when the cursor comes and goes. */
const Content = memo(function Content({ row }: { row: PaletteRow }) {
  return row.draw();
});
