import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const gzipped = promisify(gzip);

// Lists shrink to a fifth. Answers with a secret in them are smaller than this, so none is ever compressed beside chosen text.
const packFrom = 4_096;

/** Whether an answer of so many bytes goes out compressed to whoever asked like this. */
export const isWorthPacking = (headers: Headers, bytes: number): boolean =>
  bytes >= packFrom && /\bgzip\b/.test(headers.get('accept-encoding') ?? '');

export const packed = async (body: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await gzipped(body, { level: 1 }));
