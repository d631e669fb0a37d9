import { Command } from 'cmdk';
import { memo, type ReactNode } from 'react';

export interface PaletteRow {
  /** Identity: a command's id, `news:<id>`, `option:<value>`. */
  value: string;
  group?: string;
  /** Must keep its identity while the row does. */
  draw: () => ReactNode;
}

export const visibleRows = 11;

/** Changes with the row, so that a screen reader announces it. */
export const optionId = (value: string): string => `option-${encodeURIComponent(value)}`;

interface OptionsProps {
  rows: readonly PaletteRow[];
  count: number;
  /** From 1. Must keep its identity, or every row re-renders. */
  onSelect: (position: string) => void;
}

/** cmdk sees places as values, so a new query changes only content. */
export const Options = memo(function Options({ rows, count, onSelect }: OptionsProps) {
  const groups = new Map<string, PaletteRow[]>();
  for (const row of rows) {
    const groupRows = groups.get(row.group ?? '');
    if (groupRows) groupRows.push(row);
    else groups.set(row.group ?? '', [row]);
  }
  let position = 0;
  return [...groups].map(([group, members]) => (
    <Command.Group key={group} value={`group ${group}`} heading={group ? <Heading text={group} /> : undefined}>
      {members.map((row, index) => (
        <Option key={index} row={row} place={++position} count={count} onSelect={onSelect} />
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
  onSelect: (position: string) => void;
}

const Option = memo(function Option({ row, place, count, onSelect }: OptionProps) {
  return (
    <Command.Item asChild value={String(place)} onSelect={onSelect}>
      <div
        id={optionId(row.value)}
        aria-posinset={place}
        aria-setsize={count}
        data-row={row.value}
        className={`flex h-9 items-center gap-2.5 rounded-control px-2.5 contain-strict aria-selected:bg-layer-selected touch:h-11 ${place > visibleRows ? '[content-visibility:auto]' : ''}`}
      >
        <RowContent row={row} />
      </div>
    </Command.Item>
  );
});

/** Separate, because the row redraws with the highlight. */
const RowContent = memo(function RowContent({ row }: { row: PaletteRow }) {
  return row.draw();
});
