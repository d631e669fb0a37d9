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

interface ChartEntry {
  key: symbol;
  chart: ChartOnScreen;
}

const $shown = atom<readonly ChartEntry[]>([]);

/** The last one focused, else the first on the page. */
export const chartOnScreen = (): ChartOnScreen | null => $shown.get()[0]?.chart ?? null;

export function showChart(key: symbol, chart: ChartOnScreen): void {
  const shownEntries = $shown.get();
  $shown.set(
    shownEntries.some((entry) => entry.key === key)
      ? shownEntries.map((entry) => (entry.key === key ? { key, chart } : entry))
      : [...shownEntries, { key, chart }],
  );
}

export const hideChart = (key: symbol): void => $shown.set($shown.get().filter((entry) => entry.key !== key));

export function selectChart(key: symbol): void {
  const [firstEntry] = $shown.get();
  if (firstEntry?.key === key) return;
  $shown.set($shown.get().toSorted((a, b) => Number(b.key === key) - Number(a.key === key)));
}
