import type { CommandId } from '../../../../api/names.ts';
import { $viewContexts, listOf } from '../../../lib/scope.ts';
import type { AnyCommand } from '../../engine/define.ts';

const moves: ReadonlySet<CommandId> = new Set([
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

const isComing = () => listOf($viewContexts.get())?.stale === true;

/**
 * Keys that mean a row wait while new rows load, with all keys after them, so that they never act
 * on the old rows.
 */
export function awaitRows(again: (keys: readonly KeyboardEvent[]) => void) {
  const held: KeyboardEvent[] = [];
  let stop = () => {};

  function begin(): void {
    const timer = setTimeout(() => end([]), timeoutMs);
    const unlisten = $viewContexts.listen(() => isComing() || setTimeout(() => end(held.splice(0))));
    stop = () => {
      clearTimeout(timer);
      unlisten();
      held.length = 0;
      stop = () => {};
    };
  }
  function end(keys: readonly KeyboardEvent[]): void {
    stop();
    again(keys);
  }
  return {
    holds(event: KeyboardEvent, command?: AnyCommand): boolean {
      const isFirst = held.length === 0;
      if (isFirst && !(command && isComing() && (command.target.kind !== 'none' || moves.has(command.id)))) return false;
      if (isFirst) begin();
      held.push(event);
      return true;
    },
    drop: () => stop(),
  };
}
