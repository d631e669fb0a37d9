import { spawnSync } from 'node:child_process';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { root } from '../../../scripts/setup.mjs';
import { cleanPicture, PictureRefusedError } from './picture-codec.ts';

const red = { r: 200, g: 30, b: 40 };
const createSolidImage = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: red } });

async function catchRefusal(upload: Uint8Array): Promise<string> {
  const error = await cleanPicture(upload).then(
    () => 'was not refused',
    (reason: unknown) => reason,
  );
  return error instanceof PictureRefusedError ? error.reason : String(error);
}

/** A tiny PNG whose header claims a huge size. */
function createPngWithDeclaredSize(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, crc]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(64))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test('converts JPEG, PNG and WebP to WebP of the same size', async () => {
  for (const upload of [createSolidImage(40, 30).jpeg(), createSolidImage(40, 30).png(), createSolidImage(40, 30).webp()]) {
    const picture = await cleanPicture(await upload.toBuffer());
    expect(picture).toMatchObject({ width: 40, height: 30 });
    expect((await sharp(picture.bytes).metadata()).format).toBe('webp');
  }
});

test('a picture lying on its side is turned upright and loses its metadata', async () => {
  const upload = await createSolidImage(40, 30)
    .withExif({ IFD0: { Copyright: 'secret-place' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  expect((await sharp(upload).metadata()).exif).toBeDefined();
  const picture = await cleanPicture(upload);
  expect(picture).toMatchObject({ width: 30, height: 40 });
  const metadata = await sharp(picture.bytes).metadata();
  expect([metadata.exif, metadata.xmp, metadata.icc, metadata.orientation]).toEqual([undefined, undefined, undefined, undefined]);
});

test('removes data appended to a picture', async () => {
  const html = Buffer.from('<script>alert(1)</script>');
  const zip = Buffer.from('PK\u0003\u0004 hidden archive');
  for (const trailingBytes of [html, zip]) {
    const upload = Buffer.concat([await createSolidImage(20, 20).jpeg().toBuffer(), trailingBytes]);
    const { bytes } = await cleanPicture(upload);
    expect(Buffer.from(bytes).includes(trailingBytes)).toBe(false);
    expect(Buffer.from(bytes).includes('script')).toBe(false);
  }
});

test('refuses content that is not JPEG, PNG or WebP', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  const uploads = [
    Buffer.from(svg),
    Buffer.from(`<?xml version="1.0"?>${svg}`),
    Buffer.from('GIF89a/*<script>alert(1)</script>*/=1;'),
    await createSolidImage(9, 9).gif().toBuffer(),
    await createSolidImage(9, 9).tiff().toBuffer(),
    await createSolidImage(9, 9).avif().toBuffer(),
    Buffer.from('PK\u0003\u0004\u0014\u0000'),
    Buffer.from('just text in a file named picture.png'),
    Buffer.from('RIFF\u0000\u0000\u0000\u0000WAVEfmt '),
    Buffer.alloc(0),
  ];
  expect(await Promise.all(uploads.map(catchRefusal))).toEqual(uploads.map(() => 'type'));
});

test('refuses more than 5 MiB', async () => {
  const picture = await createSolidImage(9, 9).png().toBuffer();
  expect(await catchRefusal(Buffer.concat([picture, Buffer.alloc(6 * 1024 * 1024)]))).toBe('size');
});

test('refuses truncated and corrupt pictures', async () => {
  const noiseImage = {
    create: {
      width: 200,
      height: 200,
      channels: 3 as const,
      background: red,
      noise: { type: 'gaussian' as const, mean: 128, sigma: 40 },
    },
  };
  const png = await sharp(noiseImage).png().toBuffer();
  const jpeg = await sharp(noiseImage).jpeg().toBuffer();
  const uploads = [png.subarray(0, png.length / 2), jpeg.subarray(0, jpeg.length / 2), png.subarray(0, 8), jpeg.subarray(0, 3)];
  expect(await Promise.all(uploads.map(catchRefusal))).toEqual(uploads.map(() => 'broken'));
});

test('refuses too many pixels, real or claimed', async () => {
  const largeImage = await createSolidImage(5000, 5000).png().toBuffer();
  expect(largeImage.length).toBeLessThan(1024 * 1024);
  expect(await catchRefusal(largeImage)).toBe('pixels');
  expect(await catchRefusal(createPngWithDeclaredSize(60_000, 60_000))).toBe('pixels');
});

test('refuses a small file of 1 × 16,000,000 pixels without decoding it', async () => {
  // Valid and within the pixel limit, but a million pixels high. A normal picture must not wait behind it.
  const tallImage = await sharp({ create: { width: 1, height: 1_000_000, channels: 3, background: red } })
    .png()
    .toBuffer();
  expect(await catchRefusal(tallImage)).toBe('pixels');
  expect(await catchRefusal(createPngWithDeclaredSize(1, 16_000_000))).toBe('pixels');
  expect(await catchRefusal(createPngWithDeclaredSize(16_000_000, 1))).toBe('pixels');
});

test('scales a large picture down and keeps its proportions', async () => {
  expect(await cleanPicture(await createSolidImage(5120, 2560).jpeg().toBuffer())).toMatchObject({ width: 2560, height: 1280 });
});

test('converts many concurrent pictures', async () => {
  const upload = await createSolidImage(60, 60).png().toBuffer();
  const pictures = await Promise.all(Array.from({ length: 12 }, () => cleanPicture(upload)));
  expect(new Set(pictures.map(({ width }) => width))).toEqual(new Set([60]));
  expect(await catchRefusal(Buffer.from('no'))).toBe('type');
});

test('fifteen concurrent largest pictures take less than 400 MB, which is released', { timeout: 300_000 }, () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'server/testing/picture-memory.ts'], {
    cwd: root,
    env: { ...process.env, MALLOC_ARENA_MAX: '2' }, // as in the service units and the image
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const { now: currentMb, peak: peakMb } = JSON.parse(stdout) as { now: number; peak: number };
  expect(peakMb).toBeLessThan(400);
  expect(currentMb).toBeLessThan(330);
});
