import { atom } from 'nanostores';

/** `shown` for the page, `plain` for files. */
export interface ChartTable {
  head: readonly string[];
  rows: readonly { shown: readonly string[]; plain: readonly string[] }[];
}

/** A chart that commands act on. Its options are in the address (ui/chart/query.ts). */
export interface ChartOnScreen {
  /** File name. */
  name: string;
  /** False if its points are not dates, or have only one unit. */
  hasUnits: boolean;
  /** Null if there is no period to compare with. */
  canCompare: boolean;
  /** Null until loaded. */
  table: () => ChartTable | null;
  picture: () => Promise<Blob>;
}

interface Entry {
  key: symbol;
  chart: ChartOnScreen;
}

const $shown = atom<readonly Entry[]>([]);

/** The last focused chart, else the first on the page. */
export const chartOnScreen = (): ChartOnScreen | null => $shown.get()[0]?.chart ?? null;

/** Registers or updates a chart. */
export function showChart(key: symbol, chart: ChartOnScreen): void {
  const known = $shown.get();
  $shown.set(
    known.some((entry) => entry.key === key)
      ? known.map((entry) => (entry.key === key ? { key, chart } : entry))
      : [...known, { key, chart }],
  );
}

export const hideChart = (key: symbol): void => $shown.set($shown.get().filter((entry) => entry.key !== key));

export function meanChart(key: symbol): void {
  const [first] = $shown.get();
  if (first?.key === key) return;
  $shown.set($shown.get().toSorted((one, other) => Number(other.key === key) - Number(one.key === key)));
}
