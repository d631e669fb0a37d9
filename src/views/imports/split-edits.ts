import type { EditRowsInput } from '../../../api/imports/contract.ts';

type Rows = EditRowsInput['rows'];

const maxBytes = 59_000; // the server accepts 65,536 with the envelope
const maxRows = 200;

/** Splits edited rows into requests. A single row that is too large stays alone. */
export function splitEdits(rows: Rows): Rows[] {
  const encoder = new TextEncoder();
  const parts: Rows[] = [];
  let size = 0;
  for (const row of rows) {
    const bytes = encoder.encode(JSON.stringify(row)).length + 1;
    const part = parts.at(-1);
    if (part && part.length < maxRows && size + bytes <= maxBytes) {
      part.push(row);
      size += bytes;
    } else {
      parts.push([row]);
      size = bytes;
    }
  }
  return parts;
}
