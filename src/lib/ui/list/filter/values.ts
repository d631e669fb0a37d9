import type { FilterValues } from './filters.ts';

/** A value that there is, and how many rows have it; a count is null where counting would take too long. */
export interface FoundValue {
  value: string | null;
  count: number | null;
}

/** The values of a field within the rest of the filter, as every list's `values` route answers them. */
export type ValuesRoute = (
  input: { field: never; filter: FilterValues; part?: string },
  options: { signal: AbortSignal },
) => Promise<{ values: readonly FoundValue[] }>;
