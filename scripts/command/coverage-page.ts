import type { CoverageCell, Coverage } from './coverage-entries.ts';

/** Self-contained HTML: a row per command, a column per account. */
export function coveragePage({ given, commands, percent, accounts, surfaces, rows }: Coverage): string {
  const head = accounts.map(
    ({ email, ran, offered }) => `<th scope="col">${escapeHtml(email)}<br><small>${ran} / ${offered}</small></th>`,
  );
  const body = rows.map(({ id, by }) => {
    const cells = accounts.map(({ email }) => cellOf(by[email] ?? null));
    return `<tr><th scope="row">${escapeHtml(id)}</th>${cells.join('')}</tr>`;
  });
  const surfaceTexts = Object.entries(surfaces).map(([how, count]) => `${escapeHtml(how)} ${count}`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Coverage of commands</title><style>${style}</style>
<h1>${given} of ${commands} commands (${percent}%)</h1><p>${surfaceTexts.join(' · ')}</p>
<table><thead><tr><th></th>${head.join('')}</tr></thead><tbody>
${body.join('\n')}
</tbody></table></html>
`;
}

function cellOf(cell: CoverageCell | null): string {
  if (cell === null) return '<td class="none">–</td>';
  const surfaceTexts = Object.entries(cell.done).map(([how, count]) => `${escapeHtml(how)} ${count}`);
  const refusalTexts = cell.refused > 0 ? [`refused ${cell.refused}`] : [];
  return `<td class="${surfaceTexts.length > 0 ? 'done' : 'open'}">${[...surfaceTexts, ...refusalTexts].join('<br>')}</td>`;
}

const style =
  'body{font:13px system-ui;margin:16px}table{border-collapse:collapse}th{text-align:left;font-weight:500}th,td{border:1px solid #ccc;padding:2px 6px;vertical-align:top}thead th{position:sticky;top:0;background:#fff}.done{background:#d8f0d8}.open{background:#fbe8e8}.none{color:#999}';

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
