import { page } from 'vitest/browser';

export async function capturePixels(element: Element): Promise<ImageData> {
  const base64 = await page.screenshot({ element, save: false });
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height);
}

export function countDifferentPixels(first: ImageData, second: ImageData): number {
  if (first.width !== second.width || first.height !== second.height) return Math.max(first.data.length, second.data.length) / 4;
  let count = 0;
  for (let offset = 0; offset < first.data.length; offset += 4)
    if (colorDistance(first.data, second.data, offset, offset) > 64) count++;
  return count;
}

/** Compared with the inside. A box may begin between two pixels. */
export function edgeContrast({ data, width, height }: ImageData): number {
  const centerOffset = (3 * width + Math.floor(width / 2)) * 4;
  const isEdge = (x: number, rows: readonly number[]) =>
    rows.some((y) => colorDistance(data, data, (y * width + x) * 4, centerOffset) > 64);
  let count = 0;
  for (let x = 8; x < width - 8; x++) count += Number(isEdge(x, [0, 1])) + Number(isEdge(x, [height - 2, height - 1]));
  return count / (2 * (width - 16));
}

function colorDistance(first: Uint8ClampedArray, second: Uint8ClampedArray, offset: number, secondOffset: number): number {
  let sum = 0;
  for (let channel = 0; channel < 3; channel++)
    sum += Math.abs((first[offset + channel] ?? 0) - (second[secondOffset + channel] ?? 0));
  return sum;
}
