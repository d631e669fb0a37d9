import { listNames } from '../../../api/lists/names.ts';
import type { CommandId } from '../../../api/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { $viewContext, $viewContexts, findListContext } from '../../lib/scope.ts';
import { closeRecord, isFullScreen, setFullScreen } from '../../lib/ui/record/open-record.ts';
import type { IconName } from '../../lib/ui/icon.tsx';
import { globalCommand, defineCommand, blockedBecause } from '../engine/define.ts';

addNames(listNames);

const getListBelow = () => {
  const viewContexts = $viewContexts.get();
  const [list, topContext] = [findListContext(viewContexts), viewContexts.at(-1)];
  return list && topContext?.cursor && list !== topContext ? list : null;
};

/** If the record left the list, the row that took its place is the next one. */
const stepCommand = (id: CommandId, icon: IconName, keys: readonly string[], direction: 1 | -1) =>
  defineCommand({
    id,
    ...globalCommand,
    icon,
    params: null,
    keys,
    when: () => getListBelow() !== null || blockedBecause('records.noneOpen'),
    run: () => {
      const openId = $viewContext.get()?.cursor?.id;
      const getCursorId = () => getListBelow()?.cursor?.id;
      const controls = getListBelow()?.controls;
      if (direction < 0 || getCursorId() === undefined || getCursorId() === openId) controls?.move(direction);
      if (getCursorId() === undefined || getCursorId() === openId) return false;
      controls?.open();
      return true;
    },
    done: (hasMoved) => ({ toast: hasMoved ? null : { key: direction > 0 ? 'records.last' : 'records.first' } }),
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
  stepCommand('record.next', 'arrow-down', [']'], 1),
  stepCommand('record.previous', 'arrow-up', ['['], -1),
];
