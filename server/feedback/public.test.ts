import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { beforeEach, expect, test } from 'vitest';
import { createPeer, send, signInAs, createTestApp, type TestApp } from '../testing/support.ts';
import { feedback } from './tables.ts';
import { audit } from '../platform/audit/tables.ts';
import { cleanPicture } from '../platform/content/picture-codec.ts';
import { pictures } from '../platform/content/tables.ts';
import { shardedCounters } from '../platform/records/tables.ts';
import { longTest } from '../../scripts/suite/long-test.ts';

const website = 'https://www.protocol.example';
let app: TestApp;
beforeEach(async () => {
  app = await createTestApp({ PUBLIC_ORIGINS: `${website}, https://cn.protocol.example`, FEEDBACK_PER_NETWORK: '1000' });
});

let visitorCount = 0;
const nextEmail = () => `visitor${++visitorCount}@example.com`;

async function openForm(seconds = 10): Promise<string> {
  const { token } = (await (await send(app, 'GET', '/public/feedback/form')).json()) as { token: string };
  app.clock.now += seconds * 1000;
  return token;
}

const postJson = async (fields: Record<string, unknown>, headers: Record<string, string> = {}) =>
  send(
    app,
    'POST',
    '/public/feedback',
    { ...('token' in fields ? {} : { token: await openForm() }), email: nextEmail(), content: 'Some words', ...fields },
    headers,
  );

interface MultipartForm {
  files?: readonly (readonly [Uint8Array, string?, string?])[];
  fields?: Record<string, string>;
  headers?: Record<string, string>;
  ip?: string;
}
async function postMultipart({ files = [], fields = {}, headers = {}, ip = '203.0.113.7' }: MultipartForm) {
  const form = new FormData();
  const allFields = { token: await openForm(), email: nextEmail(), content: `With pictures ${visitorCount}`, ...fields };
  for (const [name, value] of Object.entries(allFields)) form.set(name, value);
  for (const [bytes, name = 'a.png', type = 'image/png'] of files)
    form.append('pictures', new File([new Uint8Array(bytes)], name, { type }));
  return app.http.fetch(new Request('http://localhost/public/feedback', { method: 'POST', body: form, headers }), createPeer(ip));
}

const readFeedback = async () =>
  (await app.database.db.select().from(feedback).orderBy(feedback.createdAt)).map(({ content }) => content);
const readResponse = async (response: Response) => [response.status, await response.json()];
const acceptedResponse = [202, { received: true }];
const readErrorCode = async (response: Response) => ((await response.json()) as { code: string }).code;
const files = () => readdir(join(app.config.dataDir, 'pictures')).catch(() => []);

let colorIndex = 0;
const createPicture = (width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: { r: ++colorIndex % 256, g: 90, b: 30 } } });

test('feedback as JSON is stored, audited without a name, and announced', async () => {
  const response = await postJson({ content: '  第一行\r\n第二行 \u202Etxt.exe\u0007 ', email: 'Guest.Li@Example.com' });
  expect(await readResponse(response)).toEqual(acceptedResponse);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const [row] = await app.database.db.select().from(feedback);
  expect(row).toMatchObject({ email: 'Guest.Li@Example.com', content: '第一行\n第二行 txt.exe', processed: false });
  expect(await app.database.db.select().from(shardedCounters)).toMatchObject([
    { counter: 'arrivals', resource: 'feedback', value: 1 },
  ]);
  const feedbackAudit = (await app.database.db.select().from(audit)).filter(({ entity }) => entity === 'feedback');
  expect(feedbackAudit).toMatchObject([{ action: 'add', actorEmail: '', route: 'POST /public/feedback', entityId: row?.id }]);
});

test('up to three pictures are stored re-encoded in their order', async () => {
  const [jpegBytes, pngBytes, webpBytes] = [
    await createPicture(41).jpeg().toBuffer(),
    await createPicture(42).png().toBuffer(),
    await createPicture(43).webp().toBuffer(),
  ];
  expect(await readResponse(await postMultipart({ files: [[jpegBytes], [pngBytes], [webpBytes]] }))).toEqual(acceptedResponse);
  const { api } = await signInAs(app, 'analyst');
  const { rows } = await api.feedback.list({ sort: 'createdAt', direction: 'desc', filter: {}, cursor: null, limit: 5 });
  const widths = await Promise.all(
    (rows[0]?.pictures ?? []).map(async (url) => {
      const file = await send(app, 'GET', new URL(url).pathname);
      expect(file.headers.get('content-type')).toBe('image/webp');
      return (await sharp(Buffer.from(await file.arrayBuffer())).metadata()).width;
    }),
  );
  expect(widths).toEqual([41, 42, 43]);
});

test('storing a picture takes no second database connection while its feedback is written', async () => {
  const files = [[await createPicture().png().toBuffer()]] as const;
  const { pool } = app.database;
  const heldConnections = await Promise.all(Array.from({ length: (pool.options.max ?? 0) - 1 }, () => pool.connect()));
  const response = await postMultipart({ files });
  for (const connection of heldConnections) connection.release();
  expect(await readResponse(response)).toEqual(acceptedResponse);
  expect(await app.database.db.$count(pictures)).toBe(1);
});

test('refused feedback leaves no picture, and accepted feedback one file each', async () => {
  const [token, picture] = [await openForm(), await createPicture().png().toBuffer()];
  expect(await readResponse(await postMultipart({ fields: { token }, files: [[picture], [picture]] }))).toEqual(acceptedResponse);
  expect(await files()).toHaveLength(1);
  expect(
    await readResponse(await postMultipart({ fields: { token }, files: [[await createPicture().png().toBuffer()]] })),
  ).toEqual(acceptedResponse);
  expect(await readResponse(await postMultipart({ fields: { token }, files: [[picture]] }))).toEqual(acceptedResponse);
  expect(await files()).toHaveLength(1);
  expect(await app.database.db.$count(pictures)).toBe(1);
});

test('an empty file input counts as no picture, in Node’s and browsers’ spellings', async () => {
  expect(await readResponse(await postMultipart({ files: [[new Uint8Array(), '', 'application/octet-stream']] }))).toEqual(
    acceptedResponse,
  );
  const feedbackFields = { token: await openForm(), email: nextEmail(), content: `Without pictures ${visitorCount}` };
  const boundary = '----WebKitFormBoundaryAbCdEfGhIjKlMnOp';
  const body = [
    ...Object.entries(feedbackFields).map(
      ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
    `--${boundary}\r\nContent-Disposition: form-data; name="pictures"; filename=""\r\n`,
    `Content-Type: application/octet-stream\r\n\r\n\r\n--${boundary}--\r\n`,
  ].join('');
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const request = new Request('http://localhost/public/feedback', { method: 'POST', body, headers });
  expect(await readResponse(await app.http.fetch(request, createPeer('203.0.113.7')))).toEqual(acceptedResponse);
  expect(await readFeedback()).toHaveLength(2);
  expect(await app.database.db.$count(pictures)).toBe(0);
});

test('invalid feedback is refused by field, and nothing is stored', async () => {
  const invalidCases: [Record<string, unknown>, string, string][] = [
    [{ email: 'no mailbox' }, 'email', 'email'],
    [{ email: 'a@b.example\r\nBcc: c@d.example' }, 'email', 'email'],
    [{ email: 'Name <a@b.example>' }, 'email', 'email'],
    [{ email: 'a@b..example' }, 'email', 'email'],
    [{ email: `${'x'.repeat(250)}@e.example` }, 'email', 'tooLong'],
    [{ content: ' \u0000\u0007 ' }, 'content', 'required'],
    [{ content: 'x'.repeat(5001) }, 'content', 'tooLong'],
    [{ content: '\uD800' }, 'content', 'invalid'],
    [{ content: { toString: 'x' } }, 'content', 'required'],
    [{ token: undefined }, 'token', 'required'],
    [{ token: 'made up' }, 'token', 'invalid'],
    [{ processed: true }, '', 'invalid'],
  ];
  for (const [invalidFields, path, rule] of invalidCases) {
    const response = await postJson(invalidFields);
    expect([invalidFields, response.status]).toEqual([invalidFields, 400]);
    expect(await response.json()).toMatchObject({ code: 'BAD_REQUEST', data: { issues: [{ path, rule }] } });
  }
  for (const body of ['{', '[]', 'null', '"x"', '']) {
    const response = await send(app, 'POST', '/public/feedback', body, { 'content-type': 'application/json' });
    expect([body, response.status]).toEqual([body, 400]);
  }
  const formResponse = await send(app, 'POST', '/public/feedback', 'content=x', {
    'content-type': 'application/x-www-form-urlencoded',
  });
  expect(formResponse.status).toBe(415);
  expect(await readFeedback()).toEqual([]);
});

test('a very long email is refused quickly', async () => {
  const response = await postMultipart({ fields: { email: `a@${'.'.repeat(200_000)}@` } });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ data: { issues: [{ path: 'email', rule: 'tooLong' }] } });
});

test('a token must be ours, and is valid for a day', async () => {
  const token = await openForm();
  const [time = '', nonce = '', mark = ''] = token.split('.');
  const recentTime = (app.clock.now - 60_000).toString(36);
  const forgedTokens = [
    `${recentTime}.${nonce}.${mark}`,
    `${time}.${nonce}.${mark.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))}`,
    token.slice(0, -1),
  ];
  for (const forgedToken of forgedTokens) expect((await postJson({ token: forgedToken })).status).toBe(400);
  app.clock.now += 86_400_000;
  expect((await postJson({ token })).status).toBe(400);
});

test('bots get the normal response, and nothing is stored', async () => {
  const responses: [string, Response][] = [];
  responses.push(['the hidden field filled in', await postJson({ website: 'https://buy.example' })]);
  responses.push(['sent at once', await postJson({ token: await openForm(1) })]);
  const token = await openForm();
  expect(await readResponse(await postJson({ token, content: 'the first of this form' }))).toEqual(acceptedResponse);
  responses.push(['the same form again', await postJson({ token, content: 'others of this form' })]);
  const email = nextEmail();
  expect(await readResponse(await postJson({ email, content: 'Cannot log in' }))).toEqual(acceptedResponse);
  responses.push(['the same words again', await postJson({ email: email.toUpperCase(), content: ' cannot  LOG in ' })]);
  const spamText = 'Earn three per cent a day with our certified trading robots at once';
  expect(await readResponse(await postJson({ content: spamText }))).toEqual(acceptedResponse);
  responses.push(['long words under another mailbox from the same network', await postJson({ content: spamText })]);
  const picture = await createPicture().png().toBuffer();
  responses.push(['with a picture', await postMultipart({ files: [[picture]], fields: { website: 'x' } })]);
  for (const [caseName, response] of responses)
    expect([caseName, ...(await readResponse(response))]).toEqual([caseName, ...acceptedResponse]);
  expect(await postJson({ content: 'Cannot log in' }).then(readResponse)).toEqual(acceptedResponse); // short texts are common
  expect(await readFeedback()).toEqual(['the first of this form', 'Cannot log in', spamText, 'Cannot log in']);
  expect(await files()).toEqual([]);
  expect(await app.database.db.$count(pictures)).toBe(0);
  const headers = responses.map(([, response]) => [...response.headers.keys()].toSorted());
  expect(new Set(headers.map(String)).size).toBe(1);
});

test('a form sent twice concurrently is stored once', async () => {
  const [token, email] = [await openForm(), nextEmail()];
  const concurrentResponses = await Promise.all([
    postJson({ token, email, content: 'once' }),
    postJson({ token, email, content: 'once' }),
  ]);
  expect(await Promise.all(concurrentResponses.map(readResponse))).toEqual([acceptedResponse, acceptedResponse]);
  expect(await readFeedback()).toEqual(['once']);
});

test('after a refused picture the same text can be sent with a better one', async () => {
  const fields = { email: nextEmail(), content: 'See the picture' };
  const refusedResponse = await postMultipart({ fields, files: [[Buffer.from('no picture')]] });
  expect([refusedResponse.status, await readErrorCode(refusedResponse)]).toEqual([422, 'PICTURE_REFUSED']);
  expect(await readFeedback()).toEqual([]);
  expect(await readResponse(await postMultipart({ fields, files: [[await createPicture().png().toBuffer()]] }))).toEqual(
    acceptedResponse,
  );
  expect(await readFeedback()).toEqual(['See the picture']);
});

test('a mailbox can send five a day in any spelling', async () => {
  for (let n = 0; n < 5; n++)
    expect((await postJson({ email: n % 2 ? 'Busy@example.com' : 'busy@EXAMPLE.com', content: `no ${n}` })).status).toBe(202);
  const sixthResponse = await postJson({ email: 'busy@example.com', content: 'no 6' });
  expect(sixthResponse.status).toBe(429);
  expect(await sixthResponse.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS', data: { retryAfter: expect.any(Number) } });
  app.clock.now += 86_400_000;
  expect((await postJson({ email: 'busy@example.com', content: 'no 7' })).status).toBe(202);
  const { rows } = await app.database.pool.query(`select key from rate_limits where key ilike '%busy%'`);
  expect(rows).toEqual([]); // limits store no addresses
});

test('a network is limited per ten minutes, before the body is read', async () => {
  app = await createTestApp({ FEEDBACK_PER_NETWORK: '2' });
  const postFrom = (ip: string) => postMultipart({ ip, fields: { content: `words ${++visitorCount}` } });
  expect([(await postFrom('198.51.100.1')).status, (await postFrom('198.51.100.1')).status]).toEqual([202, 202]);
  expect((await postFrom('198.51.100.1')).status).toBe(429);
  expect((await postFrom('198.51.100.2')).status).toBe(202);
  expect((await postFrom('2001:db8::1')).status + (await postFrom('2001:db8::2')).status).toBe(404);
  expect((await postFrom('2001:db8::3')).status).toBe(429);
  app.clock.now += 600_000;
  expect((await postFrom('198.51.100.1')).status).toBe(202);
});

longTest('hostile files are refused and leave nothing behind', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>';
  const png = await createPicture().png().toBuffer();
  const jpeg = await createPicture().jpeg().toBuffer();
  const pictureCases: [string, Uint8Array, string][] = [
    ['SVG', Buffer.from(svg), 'type'],
    ['SVG after white space', Buffer.from(`\n\n  ${svg}`), 'type'],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), 'type'],
    ['PDF', Buffer.from('%PDF-1.7\n1 0 obj'), 'type'],
    ['GIF that is also a script', Buffer.from('GIF89a/*<script>*/=alert(1)'), 'type'],
    ['JPEG’s first bytes before a script', Buffer.concat([jpeg.subarray(0, 20), Buffer.from('*/=alert(1);/*')]), 'broken'],
    ['PNG’s first bytes before a page', Buffer.concat([png.subarray(0, 8), Buffer.from('<script>alert(1)</script>')]), 'broken'],
    ['half a JPEG', (await createNoisePicture().jpeg().toBuffer()).subarray(0, 900), 'broken'],
    ['half a WebP', (await createNoisePicture().webp().toBuffer()).subarray(0, 900), 'broken'],
    ['PNG of 60,000 × 60,000 in its head alone', encodePng(60_000, 60_000, deflateSync(Buffer.alloc(64))), 'pixels'],
    ['a bomb: 36 megapixels in 40 kB', await createPicture(6000, 6000).png({ compressionLevel: 9 }).toBuffer(), 'pixels'],
    ['a bomb: more data than its size says', encodePng(8, 8, deflateSync(Buffer.alloc(60_000_000))), 'any'],
    ['PNG over 5 MiB', Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]), 'size'],
  ];
  for (const [caseName, bytes, reason] of pictureCases) {
    const response = await postMultipart({ files: [[png], [bytes]] });
    if (reason === 'any' && response.status === 202) continue; // decoded with its declared size of 8 × 8
    const { code, data } = (await response.json()) as { code: string; data: { reason: string } };
    expect([caseName, response.status, code]).toEqual([caseName, 422, 'PICTURE_REFUSED']);
    if (reason !== 'any') expect([caseName, data.reason]).toEqual([caseName, reason]);
  }
  expect((await readFeedback()).length).toBeLessThanOrEqual(1);
});

test('metadata and trailing content of a picture are removed', async () => {
  const pictureWithGps = await createPicture()
    .withExif({ IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitude: '31/1 13/1 0/1', GPSLongitude: '121/1 28/1 0/1' } })
    .jpeg()
    .toBuffer();
  expect((await sharp(pictureWithGps).metadata()).exif).toBeDefined();
  expect(
    (await postMultipart({ files: [[Buffer.concat([pictureWithGps, Buffer.from('<script>alert(1)</script>')])]] })).status,
  ).toBe(202);
  const [row] = await app.database.db.select().from(pictures);
  const file = Buffer.from(await (await send(app, 'GET', `/pictures/${row?.id}.webp`)).arrayBuffer());
  const { exif, xmp, iptc } = await sharp(file).metadata();
  expect([exif, xmp, iptc]).toEqual([undefined, undefined, undefined]);
  for (const trace of ['script', 'somebody', 'Exif', 'GPS']) expect(file.includes(trace)).toBe(false);
});

test('too many pictures, parts, fields or bytes are refused', async () => {
  const png = await createPicture().png().toBuffer();
  const fourPicturesResponse = await postMultipart({ files: [[png], [png], [png], [png]] });
  expect([fourPicturesResponse.status, await fourPicturesResponse.json()]).toMatchObject([
    400,
    { data: { issues: [{ path: 'pictures', rule: 'tooLong' }] } },
  ]);
  expect((await postMultipart({ fields: { surprise: 'x' } })).status).toBe(400);
  const manyFields = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`f${n}`, 'x']));
  expect((await postMultipart({ fields: manyFields })).status).toBe(400);
  const heavyResponse = await postMultipart({
    files: Array.from({ length: 3 }, () => [Buffer.alloc(5.2 * 1024 * 1024)] as const),
  });
  expect([heavyResponse.status, await readErrorCode(heavyResponse)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  const text = await postJson({ content: 'x'.repeat(70_000) });
  expect([text.status, await readErrorCode(text)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  const noBoundaryResponse = await send(app, 'POST', '/public/feedback', 'x', { 'content-type': 'multipart/form-data' });
  expect(noBoundaryResponse.status).toBe(400);
  expect(await readFeedback()).toEqual([]);
  expect(await files()).toEqual([]);
});

longTest('sixteen forms with pictures are in memory and no more, until their pictures are drawn', async () => {
  const files = [[await createPicture().png().toBuffer()]] as const;
  const heavyPicture = await createPicture(4400, 4400).png({ compressionLevel: 1 }).toBuffer();
  let isCodecBusy = true;
  const busyCodec = Promise.all(Array.from({ length: 16 }, () => cleanPicture(heavyPicture))).then(() => (isCodecBusy = false));
  const pendingResponses: Promise<Response>[] = [];
  for (let n = 0; n < 16; n++) {
    pendingResponses.push(postMultipart({ files }));
    await setTimeout(20); // read, and waiting for the decoder
  }
  const nextResponse = await postMultipart({ files });
  expect([nextResponse.status, await readErrorCode(nextResponse), isCodecBusy]).toEqual([503, 'UNAVAILABLE', true]);
  expect((await postJson({ content: 'words take no room' })).status).toBe(202);
  await busyCodec;
  expect(new Set((await Promise.all(pendingResponses)).map(({ status }) => status))).toEqual(new Set([202]));
  expect((await postMultipart({ files })).status).toBe(202);
});

test('only pages of the configured websites can send', async () => {
  const from = (origin: string) => ({ origin, 'sec-fetch-site': 'cross-site' });
  const preflightResponse = await send(app, 'OPTIONS', '/public/feedback', undefined, from(website));
  expect(preflightResponse.status).toBe(204);
  expect(Object.fromEntries(preflightResponse.headers)).toMatchObject({
    'access-control-allow-origin': website,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type',
    vary: 'origin',
  });
  expect(preflightResponse.headers.get('access-control-allow-credentials')).toBeNull();
  for (const origin of [website, 'https://cn.protocol.example', app.config.publicUrl]) {
    const response = await postJson({ content: `from ${origin}` }, from(origin));
    expect([origin, response.status]).toEqual([origin, 202]);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
  }
  const corsRefusal = await postJson({ email: 'wrong' }, from(website));
  expect([corsRefusal.status, corsRefusal.headers.get('access-control-allow-origin')]).toEqual([400, website]); // CORS lets the page read the error
  for (const origin of ['https://evil.example', `${website}.evil.example`, 'null', 'http://www.protocol.example']) {
    const response = await postJson({}, from(origin));
    expect([origin, response.status]).toEqual([origin, 403]);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  }
  expect((await postJson({ content: 'from a server, without an origin' })).status).toBe(202);
  expect((await send(app, 'POST', '/api/session', {}, from(website))).status).toBe(403);
});

test('feedback ignores a session and its Idempotency-Key', async () => {
  const { headers } = await signInAs(app, 'editor');
  expect((await postJson({}, { ...headers, 'idempotency-key': 'k' })).status).toBe(202);
  expect(await app.database.db.select().from(audit)).not.toContainEqual(
    expect.objectContaining({ entity: 'feedback', actorEmail: 'editor@demo.local' }),
  );
});

const createNoisePicture = () =>
  sharp({
    create: { width: 120, height: 120, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 50 } },
  });

/** Declares one size and contains other data. */
function encodePng(width: number, height: number, data: Buffer): Buffer {
  const chunk = (type: string, body: Buffer) => {
    const chunkContent = Buffer.concat([Buffer.from(type, 'latin1'), body]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(body.length);
    sum.writeUInt32BE(crc32(chunkContent));
    return Buffer.concat([length, chunkContent, sum]);
  };
  const headerChunk = Buffer.alloc(13);
  headerChunk.writeUInt32BE(width, 0);
  headerChunk.writeUInt32BE(height, 4);
  headerChunk.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', headerChunk), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}
