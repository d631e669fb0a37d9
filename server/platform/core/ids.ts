import { randomFillSync } from 'node:crypto';

let lastTime = 0;
let counter = 0;

/** A UUIDv7 (RFC 9562 §5.7, method 1), monotonic within a millisecond of one process. */
export function newId(currentTime: number = Date.now()): string {
  const bytes = randomBytes16();
  if (currentTime > lastTime) {
    lastTime = currentTime;
    counter = ((bytes[6] ?? 0) << 3) & 0x7ff; // leaves room for counting
  } else if (++counter > 0xfff) {
    lastTime += 1;
    counter = 0;
  }
  const timeHex = lastTime.toString(16).padStart(12, '0');
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const randomHex = bytes.toString('hex', 8);
  return `${timeHex.slice(0, 8)}-${timeHex.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${randomHex.slice(0, 4)}-${randomHex.slice(4)}`;
}

// Fetching randomness in bulk is much faster.
const randomPool = Buffer.alloc(16 * 256);
let usedBytes = randomPool.length;

function randomBytes16(): Buffer {
  if (usedBytes === randomPool.length) {
    randomFillSync(randomPool);
    usedBytes = 0;
  }
  usedBytes += 16;
  return randomPool.subarray(usedBytes - 16, usedBytes);
}
