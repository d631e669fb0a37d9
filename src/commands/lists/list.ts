import type { CommandId } from '../../../api/names.ts';
import { $pendingCursor, $viewContext, $viewContexts, type ListControls } from '../../lib/scope.ts';
import { closeRecord, isFullScreen, isRecordOpen, setFullScreen } from '../../lib/ui/record/open-record.ts';
import type { IconName } from '../../lib/ui/icon.tsx';
import { defineCommand, blockedBecause, noTarget } from '../engine/define.ts';

export const listCommand = (id: CommandId, icon: IconName, keys: readonly string[], run: (list: ListControls) => void) =>
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
      if (ui.list) run(ui.list);
    },
  });

/** Repeats while its key is held. */
const repeatingListCommand = (...command: Parameters<typeof listCommand>) => ({
  ...listCommand(...command),
  repeats: true as const,
});

const requireCursor = ({ viewContext }: { viewContext: { cursor: unknown } | null }) =>
  (viewContext?.cursor ?? null) !== null || blockedBecause('palette.blocked.pickFirst');

const isSplitView = () => $viewContexts.get().at(-1)?.beside === true;
const canOpenRecord = () => $viewContexts.get().at(-1)?.controls != null && isRecordOpen();
const isRecordSynced = () => isSplitView() && $pendingCursor.get() === null;

export const listCommands = [
  repeatingListCommand('list.next', 'arrow-down', ['j', 'down'], (list) => list.move(1)),
  repeatingListCommand('list.previous', 'arrow-up', ['k', 'up'], (list) => list.move(-1)),
  listCommand('list.first', 'arrow-up-to-line', ['home'], (list) => list.moveTo('first')),
  listCommand('list.last', 'arrow-down-to-line', ['end'], (list) => list.moveTo('last')),
  {
    ...listCommand('list.open', 'book-open', ['enter'], (list) => (isRecordSynced() ? setFullScreen(true) : list.open())),
    when: requireCursor,
  },
  listCommand('list.toggle', 'square-check', ['x', 'shift+space'], (list) => list.toggle()),
  repeatingListCommand('list.extendDown', 'chevrons-down', ['shift+j', 'shift+down'], (list) => list.extend(1)),
  repeatingListCommand('list.extendUp', 'chevrons-up', ['shift+k', 'shift+up'], (list) => list.extend(-1)),
  listCommand('list.selectAll', 'list-checks', ['mod+a'], (list) => list.selectAll()),
  {
    // First the selection, then the open record.
    ...listCommand('list.clear', 'square-x', ['escape'], (list) => {
      if (($viewContext.get()?.checked.length ?? 0) > 0) list.clear();
      else if (isFullScreen()) setFullScreen(false);
      else closeRecord();
    }),
    when: ({ viewContext }: { viewContext: { checked: readonly unknown[] } | null }) =>
      (viewContext?.checked.length ?? 0) > 0 ||
      isSplitView() ||
      canOpenRecord() ||
      blockedBecause('palette.blocked.nothingSelected'),
  },
  listCommand('list.filter', 'search', ['/'], (list) => list.focusFilter()),
  listCommand('list.addFilter', 'list-filter', ['f'], (list) => list.openFilter()),
  {
    ...listCommand('list.clearFilter', 'filter-x', ['shift+f'], (list) => list.clearFilter()),
    when: ({ viewContext }: { viewContext: { filtered: boolean } | null }) =>
      viewContext?.filtered === true || blockedBecause('palette.blocked.notFiltered'),
  },
  listCommand('list.refresh', 'refresh-cw', ['r'], (list) => list.refresh()),
  { ...listCommand('list.copy', 'copy', ['y'], (list) => list.copy()), when: requireCursor },
];
