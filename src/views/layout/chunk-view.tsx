import { useEffect, useState, type ComponentType } from 'react';
import { ChunkError, type Chunk } from '../../lib/loader.ts';
import { Skeleton } from '../../lib/ui/skeleton.tsx';
import { Failure } from '../error-boundary.tsx';

/** Shows what a chunk holds: a skeleton while it comes, what failed and a way on when it does not. */
export function ChunkView({ of }: { of: Chunk<ComponentType> }) {
  const [state, setState] = useState<{ of: Chunk<ComponentType>; error: ChunkError | null } | null>(null);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    if (of.value) return;
    let isCurrent = true;
    of.load().then(
      () => isCurrent && setState({ of, error: null }),
      (error: unknown) => isCurrent && setState({ of, error: error instanceof ChunkError ? error : null }),
    );
    return () => {
      isCurrent = false;
    };
  }, [of, attempt]);

  const View = of.value;
  if (View) return <View />;
  const error = state?.of === of ? state.error : null;
  if (!error) return <Skeleton lines={6} />;
  const retry = () => {
    // What hung or came broken stays so in the browser's module map: only a new page asks for it again.
    if (!error.canRetry || attempt > 0) return location.reload();
    setState(null);
    setAttempt(attempt + 1);
  };
  return <Failure error={error} onRetry={retry} />;
}
