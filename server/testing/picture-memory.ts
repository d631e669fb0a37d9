import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { cleanPicture } from '../platform/content/picture-codec.ts';

/** Decodes fifteen of the largest pictures concurrently, like five hostile uploads, and prints memory in megabytes. */
const readMemory = () => {
  const status = readFileSync('/proc/self/status', 'utf8');
  const readMegabytes = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  return { now: readMegabytes('VmRSS'), peak: readMegabytes('VmHWM') };
};

const sideLength = 4_472;
const picture = await sharp({ create: { width: sideLength, height: sideLength, channels: 4, background: '#1e2a5a80' } })
  .png()
  .toBuffer();
await Promise.all(Array.from({ length: 15 }, () => cleanPicture(picture)));
console.log(JSON.stringify(readMemory()));
