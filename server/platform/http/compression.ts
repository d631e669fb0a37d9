import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const gzipAsync = promisify(gzip);

// Secrets are in smaller responses: none is compressed beside chosen text (BREACH).
const minGzipBytes = 4_096;

export const shouldCompress = (headers: Headers, bytes: number): boolean =>
  bytes >= minGzipBytes && /\bgzip\b/.test(headers.get('accept-encoding') ?? '');

export const gzipBody = async (body: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await gzipAsync(body, { level: 1 }));
