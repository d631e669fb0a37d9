import type { ComponentType } from 'react';
import { createChunk } from '../chunks/loader.ts';
import { useChunk } from '../chunks/use-chunk.ts';
import { FailedPart } from './failed-part.tsx';
import { Skeleton } from './skeleton.tsx';

export function lazyComponent<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const of = createChunk(load);
  return function LatePart(props: P) {
    const part = useChunk(of, true);
    if (part.error) return <FailedPart {...part} />;
    return part.value ? <part.value {...props} /> : <Skeleton />;
  };
}
