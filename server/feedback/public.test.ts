import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { beforeEach, expect, test } from 'vitest';
import { peerAt, send, signInAs, testApp, type TestApp } from '../testing/support.ts';
import { feedback } from './tables.ts';
import { audit } from '../platform/audit/tables.ts';
import { cleanPicture } from '../platform/content/picture-codec.ts';
import { pictures } from '../platform/content/tables.ts';
import { shardedCounters } from '../platform/records/tables.ts';
import { longTest } from '../../scripts/suite/long-test.ts';

const website = 'https://www.protocol.example';
let app: TestApp;
beforeEach(async () => {
  app = await testApp({ PUBLIC_ORIGINS: `${website}, https://cn.protocol.example`, FEEDBACK_PER_NETWORK: '1000' });
});

let visitor = 0;
const mailbox = () => `visitor${++visitor}@example.com`;

async function openForm(seconds = 10): Promise<string> {
  const { token } = (await (await send(app, 'GET', '/public/feedback/form')).json()) as { token: string };
  app.clock.now += seconds * 1000;
  return token;
}

const json = async (provided: Record<string, unknown>, headers: Record<string, string> = {}) =>
  send(
    app,
    'POST',
    '/public/feedback',
    { ...('token' in provided ? {} : { token: await openForm() }), email: mailbox(), content: 'Some words', ...provided },
    headers,
  );

interface Form {
  files?: readonly (readonly [Uint8Array, string?, string?])[];
  fields?: Record<string, string>;
  headers?: Record<string, string>;
  ip?: string;
}
async function multipart({ files = [], fields = {}, headers = {}, ip = '203.0.113.7' }: Form) {
  const form = new FormData();
  const all = { token: await openForm(), email: mailbox(), content: `With pictures ${visitor}`, ...fields };
  for (const [name, value] of Object.entries(all)) form.set(name, value);
  for (const [bytes, name = 'a.png', type = 'image/png'] of files)
    form.append('pictures', new File([new Uint8Array(bytes)], name, { type }));
  return app.http.fetch(new Request('http://localhost/public/feedback', { method: 'POST', body: form, headers }), peerAt(ip));
}

const kept = async () =>
  (await app.database.db.select().from(feedback).orderBy(feedback.createdAt)).map(({ content }) => content);
const answerOf = async (response: Response) => [response.status, await response.json()];
const accepted = [202, { received: true }];
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;
const files = () => readdir(join(app.config.dataDir, 'pictures')).catch(() => []);

let colour = 0;
const fresh = (width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: { r: ++colour % 256, g: 90, b: 30 } } });

test('feedback as JSON is stored, audited without a name, and announced', async () => {
  const response = await json({ content: '  第一行\r\n第二行 \u202Etxt.exe\u0007 ', email: 'Guest.Li@Example.com' });
  expect(await answerOf(response)).toEqual(accepted);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const [row] = await app.database.db.select().from(feedback);
  expect(row).toMatchObject({ email: 'Guest.Li@Example.com', content: '第一行\n第二行 txt.exe', processed: false });
  expect(await app.database.db.select().from(shardedCounters)).toMatchObject([
    { counter: 'arrivals', resource: 'feedback', value: 1 },
  ]);
  const written = (await app.database.db.select().from(audit)).filter(({ entity }) => entity === 'feedback');
  expect(written).toMatchObject([{ action: 'add', actorEmail: '', route: 'POST /public/feedback', entityId: row?.id }]);
});

test('up to three pictures are stored re-encoded in their order', async () => {
  const [a, b, c] = [await fresh(41).jpeg().toBuffer(), await fresh(42).png().toBuffer(), await fresh(43).webp().toBuffer()];
  expect(await answerOf(await multipart({ files: [[a], [b], [c]] }))).toEqual(accepted);
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
  const files = [[await fresh().png().toBuffer()]] as const;
  const { pool } = app.database;
  const others = await Promise.all(Array.from({ length: (pool.options.max ?? 0) - 1 }, () => pool.connect()));
  const response = await multipart({ files });
  for (const other of others) other.release();
  expect(await answerOf(response)).toEqual(accepted);
  expect(await app.database.db.$count(pictures)).toBe(1);
});

test('refused feedback leaves no picture, and accepted feedback one file each', async () => {
  const [token, picture] = [await openForm(), await fresh().png().toBuffer()];
  expect(await answerOf(await multipart({ fields: { token }, files: [[picture], [picture]] }))).toEqual(accepted);
  expect(await files()).toHaveLength(1);
  expect(await answerOf(await multipart({ fields: { token }, files: [[await fresh().png().toBuffer()]] }))).toEqual(accepted);
  expect(await answerOf(await multipart({ fields: { token }, files: [[picture]] }))).toEqual(accepted);
  expect(await files()).toHaveLength(1);
  expect(await app.database.db.$count(pictures)).toBe(1);
});

test('an empty file input counts as no picture, in Node’s and browsers’ spellings', async () => {
  expect(await answerOf(await multipart({ files: [[new Uint8Array(), '', 'application/octet-stream']] }))).toEqual(accepted);
  const reported = { token: await openForm(), email: mailbox(), content: `Without pictures ${visitor}` };
  const boundary = '----WebKitFormBoundaryAbCdEfGhIjKlMnOp';
  const body = [
    ...Object.entries(reported).map(
      ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
    `--${boundary}\r\nContent-Disposition: form-data; name="pictures"; filename=""\r\n`,
    `Content-Type: application/octet-stream\r\n\r\n\r\n--${boundary}--\r\n`,
  ].join('');
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const request = new Request('http://localhost/public/feedback', { method: 'POST', body, headers });
  expect(await answerOf(await app.http.fetch(request, peerAt('203.0.113.7')))).toEqual(accepted);
  expect(await kept()).toHaveLength(2);
  expect(await app.database.db.$count(pictures)).toBe(0);
});

test('invalid feedback is refused by field, and nothing is stored', async () => {
  const wrong: [Record<string, unknown>, string, string][] = [
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
  for (const [given, path, rule] of wrong) {
    const response = await json(given);
    expect([given, response.status]).toEqual([given, 400]);
    expect(await response.json()).toMatchObject({ code: 'BAD_REQUEST', data: { issues: [{ path, rule }] } });
  }
  for (const body of ['{', '[]', 'null', '"x"', '']) {
    const response = await send(app, 'POST', '/public/feedback', body, { 'content-type': 'application/json' });
    expect([body, response.status]).toEqual([body, 400]);
  }
  const plain = await send(app, 'POST', '/public/feedback', 'content=x', { 'content-type': 'application/x-www-form-urlencoded' });
  expect(plain.status).toBe(415);
  expect(await kept()).toEqual([]);
});

test('a very long email is refused quickly', async () => {
  const response = await multipart({ fields: { email: `a@${'.'.repeat(200_000)}@` } });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ data: { issues: [{ path: 'email', rule: 'tooLong' }] } });
});

test('a token must be ours, and is valid for a day', async () => {
  const token = await openForm();
  const [time = '', nonce = '', mark = ''] = token.split('.');
  const later = (app.clock.now - 60_000).toString(36);
  const forged = [
    `${later}.${nonce}.${mark}`,
    `${time}.${nonce}.${mark.replace(/^./, (c) => (c === '0' ? '1' : '0'))}`,
    token.slice(0, -1),
  ];
  for (const one of forged) expect((await json({ token: one })).status).toBe(400);
  app.clock.now += 86_400_000;
  expect((await json({ token })).status).toBe(400);
});

test('bots get the normal response, and nothing is stored', async () => {
  const answers: [string, Response][] = [];
  answers.push(['the hidden field filled in', await json({ website: 'https://buy.example' })]);
  answers.push(['sent at once', await json({ token: await openForm(1) })]);
  const token = await openForm();
  expect(await answerOf(await json({ token, content: 'the first of this form' }))).toEqual(accepted);
  answers.push(['the same form again', await json({ token, content: 'others of this form' })]);
  const email = mailbox();
  expect(await answerOf(await json({ email, content: 'Cannot log in' }))).toEqual(accepted);
  answers.push(['the same words again', await json({ email: email.toUpperCase(), content: ' cannot  LOG in ' })]);
  const long = 'Earn three per cent a day with our certified trading robots at once';
  expect(await answerOf(await json({ content: long }))).toEqual(accepted);
  answers.push(['long words under another mailbox from the same network', await json({ content: long })]);
  const picture = await fresh().png().toBuffer();
  answers.push(['with a picture', await multipart({ files: [[picture]], fields: { website: 'x' } })]);
  for (const [how, response] of answers) expect([how, ...(await answerOf(response))]).toEqual([how, ...accepted]);
  expect(await json({ content: 'Cannot log in' }).then(answerOf)).toEqual(accepted); // short texts are common
  expect(await kept()).toEqual(['the first of this form', 'Cannot log in', long, 'Cannot log in']);
  expect(await files()).toEqual([]);
  expect(await app.database.db.$count(pictures)).toBe(0);
  const headers = answers.map(([, response]) => [...response.headers.keys()].toSorted());
  expect(new Set(headers.map(String)).size).toBe(1);
});

test('a form sent twice concurrently is stored once', async () => {
  const [token, email] = [await openForm(), mailbox()];
  const both = await Promise.all([json({ token, email, content: 'once' }), json({ token, email, content: 'once' })]);
  expect(await Promise.all(both.map(answerOf))).toEqual([accepted, accepted]);
  expect(await kept()).toEqual(['once']);
});

test('after a refused picture the same text can be sent with a better one', async () => {
  const fields = { email: mailbox(), content: 'See the picture' };
  const refused = await multipart({ fields, files: [[Buffer.from('no picture')]] });
  expect([refused.status, await codeOf(refused)]).toEqual([422, 'PICTURE_REFUSED']);
  expect(await kept()).toEqual([]);
  expect(await answerOf(await multipart({ fields, files: [[await fresh().png().toBuffer()]] }))).toEqual(accepted);
  expect(await kept()).toEqual(['See the picture']);
});

test('a mailbox can send five a day in any spelling', async () => {
  for (let n = 0; n < 5; n++)
    expect((await json({ email: n % 2 ? 'Busy@example.com' : 'busy@EXAMPLE.com', content: `no ${n}` })).status).toBe(202);
  const sixth = await json({ email: 'busy@example.com', content: 'no 6' });
  expect(sixth.status).toBe(429);
  expect(await sixth.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS', data: { retryAfter: expect.any(Number) } });
  app.clock.now += 86_400_000;
  expect((await json({ email: 'busy@example.com', content: 'no 7' })).status).toBe(202);
  const { rows } = await app.database.pool.query(`select key from rate_limits where key ilike '%busy%'`);
  expect(rows).toEqual([]); // limits store no addresses
});

test('a network is limited per ten minutes, before the body is read', async () => {
  app = await testApp({ FEEDBACK_PER_NETWORK: '2' });
  const from = (ip: string) => multipart({ ip, fields: { content: `words ${++visitor}` } });
  expect([(await from('198.51.100.1')).status, (await from('198.51.100.1')).status]).toEqual([202, 202]);
  expect((await from('198.51.100.1')).status).toBe(429);
  expect((await from('198.51.100.2')).status).toBe(202);
  expect((await from('2001:db8::1')).status + (await from('2001:db8::2')).status).toBe(404);
  expect((await from('2001:db8::3')).status).toBe(429);
  app.clock.now += 600_000;
  expect((await from('198.51.100.1')).status).toBe(202);
});

longTest('hostile files are refused and leave nothing behind', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>';
  const png = await fresh().png().toBuffer();
  const jpeg = await fresh().jpeg().toBuffer();
  const corpus: [string, Uint8Array, string][] = [
    ['SVG', Buffer.from(svg), 'type'],
    ['SVG after white space', Buffer.from(`\n\n  ${svg}`), 'type'],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), 'type'],
    ['PDF', Buffer.from('%PDF-1.7\n1 0 obj'), 'type'],
    ['GIF that is also a script', Buffer.from('GIF89a/*<script>*/=alert(1)'), 'type'],
    ['JPEG’s first bytes before a script', Buffer.concat([jpeg.subarray(0, 20), Buffer.from('*/=alert(1);/*')]), 'broken'],
    ['PNG’s first bytes before a page', Buffer.concat([png.subarray(0, 8), Buffer.from('<script>alert(1)</script>')]), 'broken'],
    ['half a JPEG', (await noise().jpeg().toBuffer()).subarray(0, 900), 'broken'],
    ['half a WebP', (await noise().webp().toBuffer()).subarray(0, 900), 'broken'],
    ['PNG of 60,000 × 60,000 in its head alone', pngOf(60_000, 60_000, deflateSync(Buffer.alloc(64))), 'pixels'],
    ['a bomb: 36 megapixels in 40 kB', await fresh(6000, 6000).png({ compressionLevel: 9 }).toBuffer(), 'pixels'],
    ['a bomb: more data than its size says', pngOf(8, 8, deflateSync(Buffer.alloc(60_000_000))), 'any'],
    ['PNG over 5 MiB', Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]), 'size'],
  ];
  for (const [what, bytes, reason] of corpus) {
    const response = await multipart({ files: [[png], [bytes]] });
    if (reason === 'any' && response.status === 202) continue; // decoded with its declared size of 8 × 8
    const { code, data } = (await response.json()) as { code: string; data: { reason: string } };
    expect([what, response.status, code]).toEqual([what, 422, 'PICTURE_REFUSED']);
    if (reason !== 'any') expect([what, data.reason]).toEqual([what, reason]);
  }
  expect((await kept()).length).toBeLessThanOrEqual(1);
});

test('metadata and trailing content of a picture are removed', async () => {
  const placed = await fresh()
    .withExif({ IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitude: '31/1 13/1 0/1', GPSLongitude: '121/1 28/1 0/1' } })
    .jpeg()
    .toBuffer();
  expect((await sharp(placed).metadata()).exif).toBeDefined();
  expect((await multipart({ files: [[Buffer.concat([placed, Buffer.from('<script>alert(1)</script>')])]] })).status).toBe(202);
  const [row] = await app.database.db.select().from(pictures);
  const file = Buffer.from(await (await send(app, 'GET', `/pictures/${row?.id}.webp`)).arrayBuffer());
  const { exif, xmp, iptc } = await sharp(file).metadata();
  expect([exif, xmp, iptc]).toEqual([undefined, undefined, undefined]);
  for (const trace of ['script', 'somebody', 'Exif', 'GPS']) expect(file.includes(trace)).toBe(false);
});

test('too many pictures, parts, fields or bytes are refused', async () => {
  const png = await fresh().png().toBuffer();
  const four = await multipart({ files: [[png], [png], [png], [png]] });
  expect([four.status, await four.json()]).toMatchObject([400, { data: { issues: [{ path: 'pictures', rule: 'tooLong' }] } }]);
  expect((await multipart({ fields: { surprise: 'x' } })).status).toBe(400);
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`f${n}`, 'x']));
  expect((await multipart({ fields: many })).status).toBe(400);
  const heavy = await multipart({ files: Array.from({ length: 3 }, () => [Buffer.alloc(5.2 * 1024 * 1024)] as const) });
  expect([heavy.status, await codeOf(heavy)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  const text = await json({ content: 'x'.repeat(70_000) });
  expect([text.status, await codeOf(text)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  const unbounded = await send(app, 'POST', '/public/feedback', 'x', { 'content-type': 'multipart/form-data' });
  expect(unbounded.status).toBe(400);
  expect(await kept()).toEqual([]);
  expect(await files()).toEqual([]);
});

longTest('sixteen forms with pictures are in memory and no more, until their pictures are drawn', async () => {
  const files = [[await fresh().png().toBuffer()]] as const;
  const heavy = await fresh(4400, 4400).png({ compressionLevel: 1 }).toBuffer();
  let isBusy = true;
  const busy = Promise.all(Array.from({ length: 16 }, () => cleanPicture(heavy))).then(() => (isBusy = false));
  const sent: Promise<Response>[] = [];
  for (let n = 0; n < 16; n++) {
    sent.push(multipart({ files }));
    await setTimeout(20); // read, and waiting for the decoder
  }
  const next = await multipart({ files });
  expect([next.status, await codeOf(next), isBusy]).toEqual([503, 'UNAVAILABLE', true]);
  expect((await json({ content: 'words take no room' })).status).toBe(202);
  await busy;
  expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([202]));
  expect((await multipart({ files })).status).toBe(202);
});

test('only pages of the configured websites can send', async () => {
  const from = (origin: string) => ({ origin, 'sec-fetch-site': 'cross-site' });
  const requested = await send(app, 'OPTIONS', '/public/feedback', undefined, from(website));
  expect(requested.status).toBe(204);
  expect(Object.fromEntries(requested.headers)).toMatchObject({
    'access-control-allow-origin': website,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type',
    vary: 'origin',
  });
  expect(requested.headers.get('access-control-allow-credentials')).toBeNull();
  for (const origin of [website, 'https://cn.protocol.example', app.config.publicUrl]) {
    const response = await json({ content: `from ${origin}` }, from(origin));
    expect([origin, response.status]).toEqual([origin, 202]);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
  }
  const refused = await json({ email: 'wrong' }, from(website));
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([400, website]); // CORS lets the page read the error
  for (const origin of ['https://evil.example', `${website}.evil.example`, 'null', 'http://www.protocol.example']) {
    const response = await json({}, from(origin));
    expect([origin, response.status]).toEqual([origin, 403]);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  }
  expect((await json({ content: 'from a server, without an origin' })).status).toBe(202);
  expect((await send(app, 'POST', '/api/session', {}, from(website))).status).toBe(403);
});

test('feedback ignores a session and its Idempotency-Key', async () => {
  const { headers } = await signInAs(app, 'editor');
  expect((await json({}, { ...headers, 'idempotency-key': 'k' })).status).toBe(202);
  expect(await app.database.db.select().from(audit)).not.toContainEqual(
    expect.objectContaining({ entity: 'feedback', actorEmail: 'editor@demo.local' }),
  );
});

const noise = () =>
  sharp({
    create: { width: 120, height: 120, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 50 } },
  });

/** Declares one size and contains other data. */
function pngOf(width: number, height: number, data: Buffer): Buffer {
  const chunk = (type: string, body: Buffer) => {
    const whole = Buffer.concat([Buffer.from(type, 'latin1'), body]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(body.length);
    sum.writeUInt32BE(crc32(whole));
    return Buffer.concat([length, whole, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}
