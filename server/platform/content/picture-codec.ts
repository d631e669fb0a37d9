import { pictureLimit } from '../../../api/pictures/contract.ts';

/** Re-encoded as WebP. Pixels. */
export interface CleanPicture {
  bytes: Uint8Array;
  width: number;
  height: number;
}

export type PictureRefusal = 'type' | 'size' | 'pixels' | 'broken';

export class PictureRefusedError extends Error {
  readonly reason: PictureRefusal;
  constructor(reason: PictureRefusal, options?: ErrorOptions) {
    super(`picture refused: ${reason}`, options);
    this.reason = reason;
  }
}

const maxSide = 2560;
/** A very long side would occupy a decoder for seconds. */
const maxInputSide = 12_000;

/** JPEG, PNG or WebP to WebP, upright, without metadata. Throws `PictureRefusedError`. */
export async function cleanPicture(upload: Uint8Array): Promise<CleanPicture> {
  if (upload.byteLength > pictureLimit.bytes) throw new PictureRefusedError('size');
  if (!isPicture(upload)) throw new PictureRefusedError('type');
  await checkDimensions(upload);
  return runExclusively(() => reencode(upload));
}

async function checkDimensions(upload: Uint8Array): Promise<void> {
  const { default: sharp } = await import('sharp'); // loaded late to keep startup fast
  const { width, height } = await sharp(upload, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw new PictureRefusedError('broken', { cause: error });
    });
  if (width > maxInputSide || height > maxInputSide) throw new PictureRefusedError('pixels');
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
    throw new PictureRefusedError(isTooLarge ? 'pixels' : 'broken', { cause: error });
  }
}

/** sharp alone would accept SVG, GIF and more. */
function isPicture(bytes: Uint8Array): boolean {
  const firstBytes = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 12));
  const isJpeg = firstBytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]));
  const isPng = firstBytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  const isWebp = firstBytes.toString('latin1', 0, 4) === 'RIFF' && firstBytes.toString('latin1', 8, 12) === 'WEBP';
  return isJpeg || isPng || isWebp;
}

let lastTask: Promise<unknown> = Promise.resolve();

/** The largest pictures take 100 MB to decode. */
function runExclusively<Result>(task: () => Promise<Result>): Promise<Result> {
  const result = lastTask.then(task);
  lastTask = result.catch(() => {});
  return result;
}
