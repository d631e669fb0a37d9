import type { CommandId } from '../../../api/names.ts';
import { $pendingCursor, $viewContext, $viewContexts, type ListControls } from '../../lib/scope.ts';
import { closeRecord, isFullScreen, isRecordOpen, setFullScreen } from '../../lib/ui/record/open-record.ts';
import type { IconName } from '../../lib/ui/icon.tsx';
import { defineCommand, blockedBecause, noTarget } from '../engine/define.ts';

export const onList = (id: CommandId, icon: IconName, keys: readonly string[], act: (list: ListControls) => void) =>
  defineCommand({
    id,
    permission: 'anyone',
    icon,
    place: 'list',
    target: noTarget,
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    keys,
    run: ({ ui }) => {
      if (ui.list) act(ui.list);
    },
  });

/** Repeats while its key is held. */
const held = (...command: Parameters<typeof onList>) => ({ ...onList(...command), repeats: true as const });

const onRow = ({ viewContext }: { viewContext: { cursor: unknown } | null }) =>
  (viewContext?.cursor ?? null) !== null || blockedBecause('palette.blocked.pickFirst');

const hasBeside = () => $viewContexts.get().at(-1)?.beside === true;
const isOpening = () => $viewContexts.get().at(-1)?.controls != null && isRecordOpen();
const isFollowed = () => hasBeside() && $pendingCursor.get() === null;

export const listCommands = [
  held('list.next', 'arrow-down', ['j', 'down'], (on) => on.move(1)),
  held('list.previous', 'arrow-up', ['k', 'up'], (on) => on.move(-1)),
  onList('list.first', 'arrow-up-to-line', ['home'], (on) => on.moveTo('first')),
  onList('list.last', 'arrow-down-to-line', ['end'], (on) => on.moveTo('last')),
  {
    ...onList('list.open', 'book-open', ['enter'], (on) => (isFollowed() ? setFullScreen(true) : on.open())),
    when: onRow,
  },
  onList('list.toggle', 'square-check', ['x', 'shift+space'], (on) => on.toggle()),
  held('list.extendDown', 'chevrons-down', ['shift+j', 'shift+down'], (on) => on.extend(1)),
  held('list.extendUp', 'chevrons-up', ['shift+k', 'shift+up'], (on) => on.extend(-1)),
  onList('list.selectAll', 'list-checks', ['mod+a'], (on) => on.selectAll()),
  {
    // First the selection, then the open record.
    ...onList('list.clear', 'square-x', ['escape'], (on) => {
      if (($viewContext.get()?.checked.length ?? 0) > 0) on.clear();
      else if (isFullScreen()) setFullScreen(false);
      else closeRecord();
    }),
    when: ({ viewContext }: { viewContext: { checked: readonly unknown[] } | null }) =>
      (viewContext?.checked.length ?? 0) > 0 || hasBeside() || isOpening() || blockedBecause('palette.blocked.nothingSelected'),
  },
  onList('list.filter', 'search', ['/'], (on) => on.focusFilter()),
  onList('list.addFilter', 'list-filter', ['f'], (on) => on.openFilter()),
  {
    ...onList('list.clearFilter', 'filter-x', ['shift+f'], (on) => on.clearFilter()),
    when: ({ viewContext }: { viewContext: { filtered: boolean } | null }) =>
      viewContext?.filtered === true || blockedBecause('palette.blocked.notFiltered'),
  },
  onList('list.refresh', 'refresh-cw', ['r'], (on) => on.refresh()),
  { ...onList('list.copy', 'copy', ['y'], (on) => on.copy()), when: onRow },
];
