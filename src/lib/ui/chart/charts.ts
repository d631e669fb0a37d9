import { atom } from 'nanostores';

/** What a chart says, as a table: `shown` as the page writes it, `plain` as a file has it. */
export interface ChartTable {
  head: readonly string[];
  rows: readonly { shown: readonly string[]; plain: readonly string[] }[];
}

/** A chart as commands act on it. How it is shown stands in the address (ui/chart/query.ts). */
export interface ChartOnScreen {
  /** What its file is called. */
  name: string;
  /** False: its points are not of time, or are cut in one way only. */
  hasUnits: boolean;
  /** Null: there is nothing to compare with, here or now. */
  canCompare: boolean;
  /** Null: its values are not here. */
  table: () => ChartTable | null;
}

interface Entry {
  key: symbol;
  chart: ChartOnScreen;
}

const $shown = atom<readonly Entry[]>([]);

/** The chart that commands mean: the one that was focused last, else the first on the page. */
export const chartOnScreen = (): ChartOnScreen | null => $shown.get()[0]?.chart ?? null;

/** Puts a chart on screen, or tells what it is now. */
export function showChart(key: symbol, chart: ChartOnScreen): void {
  const known = $shown.get();
  $shown.set(
    known.some((entry) => entry.key === key)
      ? known.map((entry) => (entry.key === key ? { key, chart } : entry))
      : [...known, { key, chart }],
  );
}

export const hideChart = (key: symbol): void => $shown.set($shown.get().filter((entry) => entry.key !== key));

/** The chart that commands mean from now on. */
export function meanChart(key: symbol): void {
  const [first] = $shown.get();
  if (first?.key === key) return;
  $shown.set($shown.get().toSorted((one, other) => Number(other.key === key) - Number(one.key === key)));
}
