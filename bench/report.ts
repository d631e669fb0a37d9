interface Measurement {
  what: string;
  measured: string;
  promise: string;
  /** Null: measured, not promised. */
  kept: boolean | null;
}

const measurements: Measurement[] = [];

export function addMeasurement(what: string, measured: string, promise = '', kept: boolean | null = null): void {
  measurements.push({ what, measured, promise, kept });
}

export function computePercentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

/** Prints all lines. With `strict`, the process exits with 1 if a promise is broken or nothing was measured. */
export function printReport({ json, strict }: { json: boolean; strict: boolean }): void {
  if (json) console.log(JSON.stringify(measurements, null, 2));
  else {
    const columnWidth = (key: 'what' | 'measured') => Math.max(0, ...measurements.map((measurement) => measurement[key].length));
    for (const { what, measured, promise, kept } of measurements) {
      const verdictMark = kept === null ? '' : kept ? '✓' : '✗';
      console.log(
        `${what.padEnd(columnWidth('what'))}  ${measured.padEnd(columnWidth('measured'))}  ${promise} ${verdictMark}`.trimEnd(),
      );
    }
  }
  if (strict && (measurements.length === 0 || measurements.some(({ kept }) => kept === false))) process.exitCode = 1;
}

export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}
