import type { Cells, Frame } from '../../lib/scope.ts';
import { no } from '../engine/define.ts';
import { onList } from './list.ts';

const isAskable = ({ columns, filters }: Cells): boolean =>
  Object.values(filters).some(({ label }) => columns.some(({ header }) => header === label));

export const listMore = [
  onList('list.columns', 'columns-3', [], (on) => on.openColumns()),
  onList('list.resetColumns', 'undo-2', [], (on) => on.resetColumns?.()),
  {
    ...onList('list.like', 'list-filter', ['='], (on) => on.openFilter(null, true)),
    when: ({ frame }: { frame: Frame | null }) => {
      const cells = frame?.controls?.cells?.();
      return !cells ? no('palette.blocked.pickFirst') : isAskable(cells) || no('rows.noFilter');
    },
  },
];
