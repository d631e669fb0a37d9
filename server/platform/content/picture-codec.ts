import { pictureLimit } from '../../../api/pictures/contract.ts';

/** Re-encoded as WebP. Pixels. */
export interface CleanPicture {
  bytes: Uint8Array;
  width: number;
  height: number;
}

export type PictureRefusal = 'type' | 'size' | 'pixels' | 'broken';

export class PictureRefused extends Error {
  readonly reason: PictureRefusal;
  constructor(reason: PictureRefusal, options?: ErrorOptions) {
    super(`picture refused: ${reason}`, options);
    this.reason = reason;
  }
}

const maxSide = 2560;
/** A very long side would occupy a decoder for seconds. */
const maxSideIn = 12_000;

/** JPEG, PNG or WebP to WebP, upright, without metadata. Throws `PictureRefused`. */
export async function cleanPicture(upload: Uint8Array): Promise<CleanPicture> {
  if (upload.byteLength > pictureLimit.bytes) throw new PictureRefused('size');
  if (!isPicture(upload)) throw new PictureRefused('type');
  await refuseSides(upload);
  return oneAtATime(() => reencode(upload));
}

async function refuseSides(upload: Uint8Array): Promise<void> {
  const { default: sharp } = await import('sharp'); // loaded late to keep startup fast
  const { width, height } = await sharp(upload, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw new PictureRefused('broken', { cause: error });
    });
  if (width > maxSideIn || height > maxSideIn) throw new PictureRefused('pixels');
}

async function reencode(upload: Uint8Array): Promise<CleanPicture> {
  const options = { limitInputPixels: pictureLimit.pixels, failOn: 'error', sequentialRead: true } as const;
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  try {
    const { data, info } = await sharp(upload, options)
      .rotate()
      .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 85 })
      .timeout({ seconds: 10 })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height };
  } catch (error) {
    const isTooLarge = error instanceof Error && /pixel limit/i.test(error.message);
    throw new PictureRefused(isTooLarge ? 'pixels' : 'broken', { cause: error });
  }
}

/** sharp alone would accept SVG, GIF and more. */
function isPicture(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 12));
  const isJpeg = head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]));
  const isPng = head.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  const isWebp = head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP';
  return isJpeg || isPng || isWebp;
}

let last: Promise<unknown> = Promise.resolve();

/** The largest pictures take 100 MB to decode. */
function oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = last.then(work);
  last = result.catch(() => {});
  return result;
}
