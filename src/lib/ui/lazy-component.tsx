import type { ComponentType } from 'react';
import { createChunk } from '../chunks/loader.ts';
import { useChunk } from '../chunks/use-chunk.ts';
import { FailedChunk } from './failed-part.tsx';
import { Skeleton } from './skeleton.tsx';

export function lazyComponent<P extends object>(loadComponent: () => Promise<ComponentType<P>>): ComponentType<P> {
  const componentChunk = createChunk(loadComponent);
  return function LazyPart(props: P) {
    const chunkState = useChunk(componentChunk, true);
    if (chunkState.error) return <FailedChunk {...chunkState} />;
    return chunkState.value ? <chunkState.value {...props} /> : <Skeleton />;
  };
}
