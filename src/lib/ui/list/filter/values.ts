import type { FilterValues } from './filters.ts';

/** A null count would take too long. */
export interface FoundValue {
  value: string | null;
  count: number | null;
}

export type ValuesRoute = (
  input: { field: never; filter: FilterValues; part?: string },
  options: { signal: AbortSignal },
) => Promise<{ values: readonly FoundValue[] }>;
