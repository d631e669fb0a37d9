import type { ChartTableData as Table } from './charts.ts';

/** Oldest first, as in the chart. */
export function ChartTable({ table: { head, rows }, label, text = 1 }: { table: Table; label: string; text?: number }) {
  return (
    // The table scrolls, so a keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="max-h-80 overflow-auto rounded-card border border-hairline" tabIndex={0} role="region" aria-label={label}>
      <table className="w-full border-collapse text-body tabular-nums" data-chart-table>
        <thead>
          <tr>
            {head.map((name, index) => (
              <th
                key={name}
                scope="col"
                className={`sticky top-0 h-thead border-b border-hairline bg-surface px-cell text-meta font-medium whitespace-nowrap text-2 ${index < text ? 'text-start' : 'text-end'}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ shown, plain }, row) => (
            <tr key={plain[0] || row} className="border-b border-hairline last:border-b-0">
              {shown.map((cellText, index) =>
                index < text ? (
                  <th key={index} scope="row" className="h-row px-cell text-start font-regular whitespace-nowrap">
                    {cellText}
                  </th>
                ) : (
                  <td key={index} className="px-cell text-end whitespace-nowrap">
                    <bdi>{cellText}</bdi>
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
