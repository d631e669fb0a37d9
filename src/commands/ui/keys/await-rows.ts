import type { CommandId } from '../../../../api/names.ts';
import { $viewContexts, findListContext } from '../../../lib/scope.ts';
import type { AnyCommand } from '../../engine/define.ts';

const cursorCommands: ReadonlySet<CommandId> = new Set([
  'list.next',
  'list.previous',
  'list.first',
  'list.last',
  'list.open',
  'list.toggle',
  'list.extendDown',
  'list.extendUp',
  'list.selectAll',
  'list.copy',
]);
/** ms */
const timeoutMs = 5_000;

const areRowsPending = () => findListContext($viewContexts.get())?.stale === true;

/**
 * Keys that mean a row wait while new rows load, with all keys after them, so that they never act
 * on the old rows.
 */
export function awaitRows(replay: (keys: readonly KeyboardEvent[]) => void) {
  const heldKeys: KeyboardEvent[] = [];
  let cancel = () => {};

  function startWaiting(): void {
    const timer = setTimeout(() => finish([]), timeoutMs);
    const unlisten = $viewContexts.listen(() => areRowsPending() || setTimeout(() => finish(heldKeys.splice(0))));
    cancel = () => {
      clearTimeout(timer);
      unlisten();
      heldKeys.length = 0;
      cancel = () => {};
    };
  }
  function finish(keys: readonly KeyboardEvent[]): void {
    cancel();
    replay(keys);
  }
  return {
    holds(event: KeyboardEvent, command?: AnyCommand): boolean {
      const isFirst = heldKeys.length === 0;
      if (isFirst && !(command && areRowsPending() && (command.target.kind !== 'none' || cursorCommands.has(command.id))))
        return false;
      if (isFirst) startWaiting();
      heldKeys.push(event);
      return true;
    },
    drop: () => cancel(),
  };
}
