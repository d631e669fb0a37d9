import { useMemo, type ComponentType } from 'react';
import type { Chunk } from '../chunks/loader.ts';
import { useChunk, type Part } from '../chunks/use-chunk.ts';
import { Failure } from './failure.tsx';
import { leaveOut } from './record/open-record.ts';

/**
 * A sheet that comes in a file of its own: itself once it is here, null before, and what failed in its place when it does
 * not come. `parameter` is what asks for it in the address.
 */
export function useSheet<P extends object>(
  of: Chunk<ComponentType<P>>,
  isNeeded: boolean,
  parameter = 'open',
): ComponentType<P> | null {
  const part = useChunk(of, isNeeded);
  const { value, error, retrying } = part;
  // Drawn anew when what it says is another thing.
  const Failed = useMemo(
    () =>
      error &&
      function FailedSheet() {
        return (
          <aside className="fixed inset-y-0 end-0 z-30 flex w-full overflow-y-auto bg-surface shadow-dialog md:max-w-[30rem]">
            <Failure error={error} onRetry={part.retry} retrying={retrying} onClose={() => leaveOut(parameter)} />
          </aside>
        );
      },
    // A new function each render would be a new component each render: what it closes over changes with `error` alone
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [error, retrying],
  );
  return value ?? Failed;
}

/** Over the page, where a dialog should be. */
export function FailedOver({ error, retry, retrying, onClose }: Part<unknown> & { onClose: () => void }) {
  return (
    error && (
      <div className="fixed inset-x-3 top-[12vh] z-50 mx-auto max-w-160 rounded-dialog bg-overlay shadow-dialog">
        <Failure error={error} onRetry={retry} retrying={retrying} onClose={onClose} />
      </div>
    )
  );
}
