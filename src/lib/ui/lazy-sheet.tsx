import { useMemo, type ComponentType } from 'react';
import type { Chunk } from '../chunks/loader.ts';
import { useChunk, type ChunkState } from '../chunks/use-chunk.ts';
import { FailureText } from './failure.tsx';
import { removeParams } from './record/open-record.ts';

/** A lazily loaded sheet: null while loading, an error if it fails. `parameter` opens it in the address. */
export function useLazySheet<P extends object>(
  chunk: Chunk<ComponentType<P>>,
  isNeeded: boolean,
  parameter = 'open',
): ComponentType<P> | null {
  const chunkState = useChunk(chunk, isNeeded);
  const { value, error, retrying } = chunkState;
  const FailedChunk = useMemo(
    () =>
      error &&
      function FailedSheet() {
        return (
          <aside className="fixed inset-y-0 end-0 z-30 flex w-full overflow-y-auto bg-surface shadow-dialog md:max-w-[30rem]">
            <FailureText error={error} onRetry={chunkState.retry} retrying={retrying} onClose={() => removeParams(parameter)} />
          </aside>
        );
      },
    // A new function would be a new component, and only `error` changes what it shows
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [error, retrying],
  );
  return value ?? FailedChunk;
}

/** In place of a dialog. */
export function FailedOverlay({ error, retry, retrying, onClose }: ChunkState<unknown> & { onClose: () => void }) {
  return (
    error && (
      <div className="fixed inset-x-3 top-[12vh] z-50 mx-auto max-w-160 rounded-dialog bg-overlay shadow-dialog">
        <FailureText error={error} onRetry={retry} retrying={retrying} onClose={onClose} />
      </div>
    )
  );
}
