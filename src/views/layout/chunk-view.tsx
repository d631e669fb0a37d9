import type { ComponentType } from 'react';
import type { Chunk } from '../../lib/chunks/loader.ts';
import { FailureText } from '../../lib/ui/failure.tsx';
import { Skeleton } from '../../lib/ui/skeleton.tsx';
import { useChunk } from '../../lib/chunks/use-chunk.ts';

/** Shows a skeleton while loading, and a retry after a failure. */
export function ChunkView({ of }: { of: Chunk<ComponentType> }) {
  const { value: View, error, retry, retrying } = useChunk(of, true);
  if (View) return <View />;
  return error ? <FailureText error={error} onRetry={retry} retrying={retrying} /> : <Skeleton lines={6} />;
}
