// Adds .br and .gz files, which the server sends.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

const compressibleExtensions = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt', '.wasm', '.webmanifest']);
const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/** Returns the number of files. */
export async function compress(folder: string): Promise<number> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && compressibleExtensions.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
  const counts = await Promise.all(
    files.map(async (file) => {
      const bytes = readFileSync(file);
      const [brotliBytes, gzipBytes] = await Promise.all([
        brotli(bytes, {
          params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 11, [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
        }),
        gzip(bytes, { level: 9 }),
      ]);
      if (brotliBytes.length < bytes.length) writeFileSync(`${file}.br`, brotliBytes);
      if (gzipBytes.length < bytes.length) writeFileSync(`${file}.gz`, gzipBytes);
      return brotliBytes.length < bytes.length || gzipBytes.length < bytes.length;
    }),
  );
  return counts.filter(Boolean).length;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(`${await compress(process.argv[2] ?? 'dist')} files compressed`);
}
