import type { EditRowsInput } from '../../../api/imports/contract.ts';

type Rows = EditRowsInput['rows'];

const maxBytes = 59_000; // the server accepts 65,536 with the envelope
const maxRows = 200;

/** Splits edited rows into requests. A single row that is too large stays alone. */
export function splitEdits(rows: Rows): Rows[] {
  const encoder = new TextEncoder();
  const requestParts: Rows[] = [];
  let size = 0;
  for (const row of rows) {
    const bytes = encoder.encode(JSON.stringify(row)).length + 1;
    const lastPart = requestParts.at(-1);
    if (lastPart && lastPart.length < maxRows && size + bytes <= maxBytes) {
      lastPart.push(row);
      size += bytes;
    } else {
      requestParts.push([row]);
      size = bytes;
    }
  }
  return requestParts;
}
