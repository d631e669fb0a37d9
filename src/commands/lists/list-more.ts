import type { RowCells, ViewContext } from '../../lib/scope.ts';
import { blockedBecause } from '../engine/define.ts';
import { listCommand } from './list.ts';

const isAskable = ({ columns, filters }: RowCells): boolean =>
  Object.values(filters).some(({ label }) => columns.some(({ header }) => header === label));

export const listMore = [
  listCommand('list.columns', 'columns-3', [], (on) => on.openColumns()),
  listCommand('list.resetColumns', 'undo-2', [], (on) => on.resetColumns?.()),
  {
    ...listCommand('list.like', 'list-filter', ['='], (on) => on.openFilter(null, true)),
    when: ({ viewContext }: { viewContext: ViewContext | null }) => {
      const cells = viewContext?.controls?.cells?.();
      return !cells ? blockedBecause('palette.blocked.pickFirst') : isAskable(cells) || blockedBecause('rows.noFilter');
    },
  },
];
