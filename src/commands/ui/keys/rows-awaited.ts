import type { CommandId } from '../../../../api/names.ts';
import { $frames, listOf } from '../../../lib/scope.ts';
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
/** Longer than that nobody waits for a key; the list says by itself what is wrong. */
const patience = 5_000;

const isComing = () => listOf($frames.get())?.stale === true;

/**
 * Keys that mean a row, pressed while the rows of a new question are on their way: they mean those, not the ones they leave
 * behind. So they wait, with whatever is pressed after them, and are pressed `again` once the rows are there.
 */
export function awaitRows(again: (keys: readonly KeyboardEvent[]) => void) {
  const held: KeyboardEvent[] = [];
  let stop = () => {};

  function begin(): void {
    const timer = setTimeout(() => end([]), patience);
    const unlisten = $frames.listen(() => isComing() || setTimeout(() => end(held.splice(0))));
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
    /** Whether the key waits now. */
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
