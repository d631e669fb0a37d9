import { atom } from 'nanostores';

/** `shown` as on the page, `plain` as in a file. */
export interface ChartTableData {
  head: readonly string[];
  rows: readonly { shown: readonly string[]; plain: readonly string[] }[];
}

/** Display options are in the address (ui/chart/query.ts). */
export interface ChartOnScreen {
  name: string;
  /** False: not over time, or grouped in one way only. */
  hasUnits: boolean;
  /** Null: nothing to compare with. */
  canCompare: boolean;
  /** Null while loading. */
  table: () => ChartTableData | null;
}

interface Entry {
  key: symbol;
  chart: ChartOnScreen;
}

const $shown = atom<readonly Entry[]>([]);

/** The last one focused, else the first on the page. */
export const chartOnScreen = (): ChartOnScreen | null => $shown.get()[0]?.chart ?? null;

export function showChart(key: symbol, chart: ChartOnScreen): void {
  const known = $shown.get();
  $shown.set(
    known.some((entry) => entry.key === key)
      ? known.map((entry) => (entry.key === key ? { key, chart } : entry))
      : [...known, { key, chart }],
  );
}

export const hideChart = (key: symbol): void => $shown.set($shown.get().filter((entry) => entry.key !== key));

export function selectChart(key: symbol): void {
  const [first] = $shown.get();
  if (first?.key === key) return;
  $shown.set($shown.get().toSorted((one, other) => Number(other.key === key) - Number(one.key === key)));
}
