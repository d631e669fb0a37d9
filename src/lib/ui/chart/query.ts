import { useMemo } from 'react';
import { useSearch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { ApiError } from '../../net/client.ts';

export const chartUnits = ['day', 'week', 'month'] as const;
export type ChartUnit = (typeof chartUnits)[number];

/** Display options of a page's charts, kept in the address. */
export interface ChartQuery {
  unit: ChartUnit;
  compare: boolean;
  table: boolean;
}

/** Reads by `unit`, or by a coarser one if there would be too many points. `unit` in the result is the used one. */
export async function readWithUnit<T extends object>(
  unit: ChartUnit,
  readData: (unit: ChartUnit) => Promise<T>,
): Promise<T & { unit: ChartUnit }> {
  try {
    return { ...(await readData(unit)), unit };
  } catch (error) {
    const coarserUnit = chartUnits[chartUnits.indexOf(unit) + 1];
    const isTooLong = error instanceof ApiError && error.issues.some(({ path, rule }) => path === 'unit' && rule === 'tooLong');
    if (!isTooLong || coarserUnit === undefined) throw error;
    return readWithUnit(coarserUnit, readData);
  }
}

/** Ignores invalid values. */
export function readChartQuery(text: string): ChartQuery {
  const params = new URLSearchParams(text);
  const unitText = params.get('unit');
  return {
    unit: chartUnits.find((unit) => unit === unitText) ?? 'day',
    compare: params.get('compare') === 'true',
    table: params.get('table') === 'true',
  };
}

/** Without `?`. Keeps other parameters and leaves out defaults. */
export function writeChartQuery(text: string, { unit, compare, table }: ChartQuery): string {
  const params = new URLSearchParams(text);
  const setParam = (name: string, value: string | null) => (value === null ? params.delete(name) : params.set(name, value));
  setParam('unit', unit === 'day' ? null : unit);
  setParam('compare', compare ? 'true' : null);
  setParam('table', table ? 'true' : null);
  return params.toString();
}

export function changeChartQuery(change: (query: ChartQuery) => Partial<ChartQuery>): void {
  const currentQuery = readChartQuery(location.search);
  const text = writeChartQuery(location.search, { ...currentQuery, ...change(currentQuery) });
  navigate(`${location.pathname}${text ? `?${text}` : ''}`, { replace: true });
}

export function useChartQuery(): ChartQuery {
  const search = useSearch();
  return useMemo(() => readChartQuery(search), [search]);
}
