import type { CommandId } from '../../../api/names.ts';
import { $pendingCursor, $viewContext, $viewContexts, type ListControls } from '../../lib/scope.ts';
import { closeRecord, isFullScreen, isRecordOpen, setFullScreen } from '../../lib/ui/record/open-record.ts';
import type { IconName } from '../../lib/ui/icon.tsx';
import { defineCommand, blockedBecause, noTarget } from '../engine/define.ts';

export const listCommand = (id: CommandId, icon: IconName, keys: readonly string[], act: (list: ListControls) => void) =>
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
const repeatingListCommand = (...command: Parameters<typeof listCommand>) => ({
  ...listCommand(...command),
  repeats: true as const,
});

const requireCursor = ({ viewContext }: { viewContext: { cursor: unknown } | null }) =>
  (viewContext?.cursor ?? null) !== null || blockedBecause('palette.blocked.pickFirst');

const hasRecordBeside = () => $viewContexts.get().at(-1)?.beside === true;
const isOpening = () => $viewContexts.get().at(-1)?.controls != null && isRecordOpen();
const isRecordFollowing = () => hasRecordBeside() && $pendingCursor.get() === null;

export const listCommands = [
  repeatingListCommand('list.next', 'arrow-down', ['j', 'down'], (on) => on.move(1)),
  repeatingListCommand('list.previous', 'arrow-up', ['k', 'up'], (on) => on.move(-1)),
  listCommand('list.first', 'arrow-up-to-line', ['home'], (on) => on.moveTo('first')),
  listCommand('list.last', 'arrow-down-to-line', ['end'], (on) => on.moveTo('last')),
  {
    ...listCommand('list.open', 'book-open', ['enter'], (on) => (isRecordFollowing() ? setFullScreen(true) : on.open())),
    when: requireCursor,
  },
  listCommand('list.toggle', 'square-check', ['x', 'shift+space'], (on) => on.toggle()),
  repeatingListCommand('list.extendDown', 'chevrons-down', ['shift+j', 'shift+down'], (on) => on.extend(1)),
  repeatingListCommand('list.extendUp', 'chevrons-up', ['shift+k', 'shift+up'], (on) => on.extend(-1)),
  listCommand('list.selectAll', 'list-checks', ['mod+a'], (on) => on.selectAll()),
  {
    // First the selection, then the open record.
    ...listCommand('list.clear', 'square-x', ['escape'], (on) => {
      if (($viewContext.get()?.checked.length ?? 0) > 0) on.clear();
      else if (isFullScreen()) setFullScreen(false);
      else closeRecord();
    }),
    when: ({ viewContext }: { viewContext: { checked: readonly unknown[] } | null }) =>
      (viewContext?.checked.length ?? 0) > 0 ||
      hasRecordBeside() ||
      isOpening() ||
      blockedBecause('palette.blocked.nothingSelected'),
  },
  listCommand('list.filter', 'search', ['/'], (on) => on.focusFilter()),
  listCommand('list.addFilter', 'list-filter', ['f'], (on) => on.openFilter()),
  {
    ...listCommand('list.clearFilter', 'filter-x', ['shift+f'], (on) => on.clearFilter()),
    when: ({ viewContext }: { viewContext: { filtered: boolean } | null }) =>
      viewContext?.filtered === true || blockedBecause('palette.blocked.notFiltered'),
  },
  listCommand('list.refresh', 'refresh-cw', ['r'], (on) => on.refresh()),
  { ...listCommand('list.copy', 'copy', ['y'], (on) => on.copy()), when: requireCursor },
];
