interface Line {
  what: string;
  measured: string;
  promise: string;
  /** Null: measured, not promised. */
  kept: boolean | null;
}

const lines: Line[] = [];

export function report(what: string, measured: string, promise = '', kept: boolean | null = null): void {
  lines.push({ what, measured, promise, kept });
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

/** Prints all lines. With `strict`, the process exits with 1 if a promise is broken or nothing was measured. */
export function printReport({ json, strict }: { json: boolean; strict: boolean }): void {
  if (json) console.log(JSON.stringify(lines, null, 2));
  else {
    const widthOf = (key: 'what' | 'measured') => Math.max(0, ...lines.map((line) => line[key].length));
    for (const { what, measured, promise, kept } of lines) {
      const verdict = kept === null ? '' : kept ? '✓' : '✗';
      console.log(`${what.padEnd(widthOf('what'))}  ${measured.padEnd(widthOf('measured'))}  ${promise} ${verdict}`.trimEnd());
    }
  }
  if (strict && (lines.length === 0 || lines.some(({ kept }) => kept === false))) process.exitCode = 1;
}

export function recordCount(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}
