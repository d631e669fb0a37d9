import type { RowCells, ViewContext } from '../../lib/scope.ts';
import { blockedBecause } from '../engine/define.ts';
import { listCommand } from './list.ts';

const isFilterable = ({ columns, filters }: RowCells): boolean =>
  Object.values(filters).some(({ label }) => columns.some(({ header }) => header === label));

export const listMore = [
  listCommand('list.columns', 'columns-3', [], (list) => list.openColumns()),
  listCommand('list.resetColumns', 'undo-2', [], (list) => list.resetColumns?.()),
  {
    ...listCommand('list.like', 'list-filter', ['='], (list) => list.openFilter(null, true)),
    when: ({ viewContext }: { viewContext: ViewContext | null }) => {
      const cells = viewContext?.controls?.cells?.();
      return !cells ? blockedBecause('palette.blocked.pickFirst') : isFilterable(cells) || blockedBecause('rows.noFilter');
    },
  },
];
