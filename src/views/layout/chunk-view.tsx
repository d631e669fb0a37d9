import type { ComponentType } from 'react';
import type { Chunk } from '../../lib/chunks/loader.ts';
import { Failure } from '../../lib/ui/failure.tsx';
import { Skeleton } from '../../lib/ui/skeleton.tsx';
import { useChunk } from '../../lib/chunks/use-chunk.ts';

/** Shows what a chunk holds: a skeleton while it comes, what failed and a way on when it does not. */
export function ChunkView({ of }: { of: Chunk<ComponentType> }) {
  const { value: View, error, retry, retrying } = useChunk(of, true);
  if (View) return <View />;
  return error ? <Failure error={error} onRetry={retry} retrying={retrying} /> : <Skeleton lines={6} />;
}
