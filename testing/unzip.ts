import { inflateRawSync } from 'node:zlib';

const endSignature = 0x06054b50;
const entrySize = 46;
const localHeaderSize = 30;

/** The files of a zip archive. */
export function unzip(archive: Buffer): { name: string; content: Buffer }[] {
  let end = archive.length - 22;
  while (end >= 0 && archive.readUInt32LE(end) !== endSignature) end--;
  if (end < 0) throw new Error('this is no zip archive');
  const files: { name: string; content: Buffer }[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let count = archive.readUInt16LE(end + 10); count > 0; count--) {
    const method = archive.readUInt16LE(at + 10);
    const size = archive.readUInt32LE(at + 20);
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + entrySize, at + entrySize + nameLength);
    const local = archive.readUInt32LE(at + 42);
    const start = local + localHeaderSize + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const data = archive.subarray(start, start + size);
    files.push({ name, content: method === 0 ? data : inflateRawSync(data) });
    at += entrySize + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}
