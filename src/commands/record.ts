import { panelNames } from '../../api/names-panel.ts';
import type { CommandId } from '../../api/names.ts';
import { addNames } from '../lib/i18n/name-of.ts';
import { $frame, $frames } from '../lib/scope.ts';
import type { IconName } from '../lib/ui/icon.tsx';
import { defineCommand, no, none } from './core/define.ts';

addNames(panelNames);

/** The list whose row stands open beside it. */
const besideList = () => {
  const list = $frames.get().findLast(({ controls }) => controls !== null);
  const record = $frame.get();
  return list && record && list !== record && record.cursor !== null && list.cursor?.id === record.cursor.id ? list : null;
};

/** From record to record as they stand in the list, without going back to it. */
const step = (id: CommandId, icon: IconName, keys: readonly string[], by: 1 | -1) =>
  defineCommand({
    id,
    permission: 'anyone',
    icon,
    place: 'global',
    target: none,
    params: null,
    danger: 'none',
    passing: true,
    keys,
    when: () => besideList() !== null || no('records.noneOpen'),
    run: () => {
      const list = besideList();
      list?.controls?.move(by);
      if (besideList() !== null) return false; // the cursor stays where there is nothing further
      list?.controls?.open();
      return true;
    },
    done: (moved) => ({ toast: moved ? null : { key: by > 0 ? 'records.last' : 'records.first' } }),
  });

export const record = [step('record.next', 'arrow-down', [']'], 1), step('record.previous', 'arrow-up', ['['], -1)];
