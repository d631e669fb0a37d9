import { listNames } from '../../../api/lists/names.ts';
import type { CommandId } from '../../../api/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { $viewContext, $viewContexts, listOf } from '../../lib/scope.ts';
import { closeRecord, isFullScreen, setFullScreen } from '../../lib/ui/record/open-record.ts';
import type { IconName } from '../../lib/ui/icon.tsx';
import { globalCommand, defineCommand, blockedBecause } from '../engine/define.ts';

addNames(listNames);

const listBelow = () => {
  const frames = $viewContexts.get();
  const [list, top] = [listOf(frames), frames.at(-1)];
  return list && top?.cursor && list !== top ? list : null;
};

/** If the record left the list, the row that took its place is the next one. */
const step = (id: CommandId, icon: IconName, keys: readonly string[], by: 1 | -1) =>
  defineCommand({
    id,
    ...globalCommand,
    icon,
    params: null,
    keys,
    when: () => listBelow() !== null || blockedBecause('records.noneOpen'),
    run: () => {
      const here = $viewContext.get()?.cursor?.id;
      const at = () => listBelow()?.cursor?.id;
      const controls = listBelow()?.controls;
      if (by < 0 || at() === undefined || at() === here) controls?.move(by);
      if (at() === undefined || at() === here) return false;
      controls?.open();
      return true;
    },
    done: (moved) => ({ toast: moved ? null : { key: by > 0 ? 'records.last' : 'records.first' } }),
  });

const recordCommand = (id: CommandId, icon: IconName, keys: readonly string[], run: () => void) =>
  defineCommand({
    id,
    ...globalCommand,
    icon,
    params: null,
    keys,
    when: () => $viewContexts.get().at(-1)?.beside === true || blockedBecause('records.noneOpen'),
    run,
  });

export const recordCommands = [
  recordCommand('record.whole', 'maximize-2', ['o'], () => setFullScreen(!isFullScreen())),
  recordCommand('record.close', 'x', [], closeRecord), // Escape: list.clear
  step('record.next', 'arrow-down', [']'], 1),
  step('record.previous', 'arrow-up', ['['], -1),
];
