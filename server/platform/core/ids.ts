import { randomFillSync } from 'node:crypto';

let lastTime = 0;
let counter = 0;

/** A UUIDv7 (RFC 9562 §5.7, method 1), monotonic within a millisecond of one process. */
export function newId(now: number = Date.now()): string {
  const bytes = randomBytes16();
  if (now > lastTime) {
    lastTime = now;
    counter = ((bytes[6] ?? 0) << 3) & 0x7ff; // leaves room for counting
  } else if (++counter > 0xfff) {
    lastTime += 1;
    counter = 0;
  }
  const time = lastTime.toString(16).padStart(12, '0');
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const tail = bytes.toString('hex', 8);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

// Fetching randomness in bulk is much faster.
const pool = Buffer.alloc(16 * 256);
let used = pool.length;

function randomBytes16(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 16;
  return pool.subarray(used - 16, used);
}
