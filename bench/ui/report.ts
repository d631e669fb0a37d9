interface Line {
  what: string;
  ours: number;
  /** What it is measured against in the same run; null: a limit of its own. */
  peer: number | null;
  unit: 'ms' | 's' | 'kB';
  /** Ours to the peer's, or ours itself, at most. Null: only told. */
  limit: number | null;
  detail?: string;
}

const lines: Line[] = [];

const found = ({ ours, peer }: Line): number => (peer === null ? ours : ours / peer);
const isKept = (line: Line): boolean => line.limit === null || found(line) <= line.limit;

/** Ours beside the peer of the same run. */
export const report = (line: Line): void => void lines.push(line);

export function percentile(times: readonly number[], percent: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

/** The middle and the slow end of what was taken in turn. */
export function reportTimes(what: string, ours: readonly number[], peer: readonly number[], limit: number | null): void {
  for (const percent of [50, 95])
    report({
      what: `${what}, p${percent}`,
      ours: percentile(ours, percent),
      peer: percentile(peer, percent),
      unit: 'ms',
      limit,
      detail: `${ours.length} and ${peer.length} times`,
    });
}

/** Prints a table, or JSON; answers whether every promise is kept. */
export function printReport(json: boolean): boolean {
  if (json)
    console.log(
      JSON.stringify(
        lines.map((line) => ({ ...line, ratio: line.peer && found(line), kept: isKept(line) })),
        null,
        2,
      ),
    );
  else for (const row of tableOf(lines)) console.log(row);
  return lines.every(isKept);
}

function tableOf(all: readonly Line[]): string[] {
  const rows = all.map((line) => {
    const { what, ours, peer, unit, limit, detail = '' } = line;
    const value = `${ours.toFixed(unit === 's' ? 2 : 1)} ${unit}`;
    const [beside, ratio] = peer === null ? ['', ''] : [`${peer.toFixed(1)} ${unit}`, `${found(line).toFixed(2)} ×`];
    const promise = limit === null ? '' : `≤ ${limit} ${peer === null ? unit : '×'} ${isKept(line) ? '✓' : '✗'}`;
    return [what, value, beside, ratio, promise, detail];
  });
  const head = ['', 'ours', 'peer', 'ratio', 'promise', ''];
  const wide = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  return [head, ...rows].map((row) =>
    row
      .map((text, at) => text.padEnd(wide[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
