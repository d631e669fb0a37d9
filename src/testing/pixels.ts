import { page } from 'vitest/browser';

export async function pixelsOf(element: Element): Promise<ImageData> {
  const base64 = await page.screenshot({ element, save: false });
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height);
}

export function countDifferentPixels(one: ImageData, other: ImageData): number {
  if (one.width !== other.width || one.height !== other.height) return Math.max(one.data.length, other.data.length) / 4;
  let count = 0;
  for (let at = 0; at < one.data.length; at += 4) if (distance(one.data, other.data, at, at) > 64) count++;
  return count;
}

/** Compared with the inside. A box may begin between two pixels. */
export function edgeContrast({ data, width, height }: ImageData): number {
  const inside = (3 * width + Math.floor(width / 2)) * 4;
  const isEdge = (x: number, rows: readonly number[]) => rows.some((y) => distance(data, data, (y * width + x) * 4, inside) > 64);
  let count = 0;
  for (let x = 8; x < width - 8; x++) count += Number(isEdge(x, [0, 1])) + Number(isEdge(x, [height - 2, height - 1]));
  return count / (2 * (width - 16));
}

function distance(one: Uint8ClampedArray, other: Uint8ClampedArray, at: number, otherAt: number): number {
  let sum = 0;
  for (let channel = 0; channel < 3; channel++) sum += Math.abs((one[at + channel] ?? 0) - (other[otherAt + channel] ?? 0));
  return sum;
}
