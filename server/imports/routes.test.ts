import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { and, count, eq, inArray } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { toChecksumAddress } from '../../api/evm.ts';
import {
  waitingLimit,
  type EditRowsInput,
  type ImportDetails,
  type ImportRow,
  type RereadInput,
} from '../../api/imports/contract.ts';
import { bundleOf } from '../../scripts/setup.mjs';
import { inTier } from '../../scripts/suite/tier.ts';
import { forgetDrafts } from './drafts.ts';
import { runImports } from './worker.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { signInAs, testApp } from '../testing/support.ts';
import { importFiles, importRows, imports } from './tables.ts';
import { audit } from '../platform/audit/tables.ts';
import { airdrops, pointBalances, points } from '../rewards/tables.ts';
import { longTest } from '../../scripts/suite/long-test.ts';

// Each test runs its own jobs.
const app = await testApp({}, { jobs: false });
const { db } = app.database;
const services = {
  config: app.config,
  log: createLogger({ level: 'silent' }),
  database: app.database,
  now: () => app.clock.now,
  ...openExternalServices(app.config),
};
const { api } = await signInAs(app, 'all');

const worker = bundleOf('test-import-worker');

/** mulberry32, deterministic */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Unique in this file. */
let made = 0;
const address = () => toChecksumAddress(`0x${createHash('sha256').update(`imports ${made++}`).digest('hex').slice(0, 40)}`);
const csv = (...rows: (string | number)[][]) => rows.map((cells) => cells.join(',')).join('\r\n');
const head = ['address', 'berries', 'reason'];
const fileOf = (content: string | Uint8Array<ArrayBuffer>, name = 'points.csv') => new File([content], name);
const add = (content: string | Uint8Array<ArrayBuffer>, name?: string) => api.pointsImports.add({ file: fileOf(content, name) });
const start = ({ row }: ImportDetails, again: string | null = null) =>
  api.pointsImports.start({ id: row.id, version: row.version, again });
const reread = ({ row, reading, mapping, fills }: ImportDetails, choices: Partial<RereadInput>) =>
  api.pointsImports.reread({ id: row.id, version: row.version, ...reading, mapping, fills, answers: [], ...choices });
const repair = ({ row }: ImportDetails, rows: EditRowsInput['rows']) =>
  api.pointsImports.editRows({ id: row.id, version: row.version, rows });
const cancel = async ({ id, version }: ImportRow): Promise<ImportRow> => {
  const { row } = await api.pointsImports.cancel({ id, version });
  if (!row) throw new Error('it was not started');
  return row;
};
const resume = ({ id, version }: ImportRow) => api.pointsImports.resume({ id, version });
const one = async (id: string) => {
  const [row] = await api.pointsImports.many({ ids: [id] });
  if (!row) throw new Error('the import is gone');
  return row;
};
const importAll = async (content: string | Uint8Array<ArrayBuffer>) => {
  const { id } = await start(await add(content));
  await runImports(services);
  return one(id);
};
const entriesOf = (id: string) => db.select().from(points).where(eq(points.importId, id)).orderBy(points.importLine);
const balanceOf = async (who: string) =>
  (await db.select().from(pointBalances).where(eq(pointBalances.address, who)))[0]?.berries ?? 0n;
const gb18030 = new Uint8Array([0xb5, 0xd8, 0xd6, 0xb7, 0x2c, 0xbb, 0xfd, 0xb7, 0xd6, 0x2c, 0xd4, 0xad, 0xd2, 0xf2, 0x0d, 0x0a]); // 地址,积分,原因

describe('reading an import', () => {
  test.each([
    ['by field id, with commas', ',', head],
    ['by English names, with semicolons', ';', ['Address', 'Berries', 'Reason']],
    ['by Chinese names, with tabs', '\t', ['地址', '积分', '原因']],
    ['in any spelling', ',', ['ADDRESS', ' ＢＥＲＲＩＥＳ ', 're_ason']],
  ])('finds columns %s, and leaves unknown ones alone', async (_, delimiter, names) => {
    const who = address();
    const text = [
      ['note', ...names.toReversed()],
      ['x', 'Quiz', '1,200', who].map((cell) => (cell.includes(',') ? `"${cell}"` : cell)),
    ]
      .map((cells) => cells.join(delimiter))
      .join('\n');
    const details = await add(text);
    expect(details).toMatchObject({
      reading: { headed: true, firstLine: 1 },
      missing: [],
      mapping: { address: 3, berries: 2, reason: 1 },
      row: { delimiter, encoding: 'utf-8', total: 1, good: 1, bad: 0, state: 'checked' },
    });
  });

  test('is certain of UTF-8, and of GB18030 by known column names; asks about other bytes; refuses broken UTF-16', async () => {
    const row = new TextEncoder().encode(`${address()},5,x\r\n`);
    expect((await add(Buffer.concat([gb18030, row]))).row).toMatchObject({ encoding: 'gb18030', good: 1 });
    expect((await add(`\uFEFF地址,积分,原因\n${address()},5,奖励`)).row).toMatchObject({ encoding: 'utf-8', good: 1 });
    expect((await add(Buffer.concat([gb18030, row, Buffer.from([0xff, 0xff])]))).row.questions).toContain('encoding');
    await expect(add(Buffer.from([0xff, 0xfe, 0x00, 0xd8]))).rejects.toMatchObject({
      data: { issues: [{ path: 'file', rule: 'encoding' }] },
    });
  });

  test('imports GB18030 text exactly', async () => {
    const who = address();
    const reason = Buffer.from([0xbb, 0xee, 0xb6, 0xaf, 0xbd, 0xb1, 0xc0, 0xf8]); // 活动奖励
    const { id } = await importAll(Buffer.concat([gb18030, Buffer.from(`${who},5,`), reason]));
    expect(await entriesOf(id)).toMatchObject([
      { address: who, berries: 5n, reason: '活动奖励', source: 'import', importLine: 2 },
    ]);
  });

  test.each(['\r\n', '\n', '\r'])('lines may end in %j, and cells hold line ends, delimiters and quotes', async (end) => {
    const who = address();
    const { id, imported } = await importAll([head.join(','), `${who},7,"a ""quoted"", long${end}reason"`, ''].join(end));
    expect(imported).toBe(1);
    expect(await entriesOf(id)).toMatchObject([{ reason: `a "quoted", long${end}reason`.trim() }]);
  });

  test('reads rows without a header in the template’s order, which can be changed', async () => {
    const details = await add(`${address()}\t5\tQuiz\n${address()}\t6\tQuiz`);
    expect(details).toMatchObject({
      reading: { headed: false },
      head: ['A', 'B', 'C'],
      row: { total: 2, good: 2, delimiter: '\t' },
    });
    const headed = await reread(details, { headed: true });
    expect(headed).toMatchObject({ reading: { headed: true }, row: { total: 1, good: 1 } });
  });

  test('lets a person choose a missing column, and starts nothing before', async () => {
    const details = await add(csv(['who', 'berries', 'reason'], [address(), 5, 'Quiz']));
    expect(details).toMatchObject({ missing: ['address'], row: { total: 1, good: 0, bad: 0 } });
    await expect(start(details)).rejects.toMatchObject({ code: 'INCOMPLETE' });
    const mapped = await reread(details, { mapping: { ...details.mapping, address: 0 } });
    expect(mapped).toMatchObject({ missing: [], row: { good: 1, bad: 0 } });
    await expect(reread(mapped, { mapping: { address: 7 } })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test.each([
    ['nothing', '', 'fileEmpty'],
    ['a head alone', 'address,berries,reason\n\n', 'fileEmpty'],
    ['a workbook', Buffer.from('504b030414000600', 'hex'), 'notCsv'],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'notCsv'],
    ['a compressed file', Buffer.from('1f8b0800', 'hex'), 'notCsv'],
    ['a quote that is never closed', 'address,berries,reason\n"0x,1,x\n', 'openQuote'],
    ['too many columns', `${'a,'.repeat(300)}\n`, 'tooManyColumns'],
    ['too many rows', `address,berries,reason\n${'x,1,x\n'.repeat(100_001)}`, 'tooManyRows'],
  ])('%s is refused with why', async (_, content, rule) => {
    await expect(add(content as string)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      data: { issues: [{ path: 'file', rule }] },
    });
  });

  test('refuses a file over the limit before reading it', async () => {
    await expect(add(`address,berries,reason\n${'x'.repeat(21 * 1024 * 1024)}`)).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
  });
});

describe('suspicious rows of an import', () => {
  const [first, second] = [address(), address()];

  test('an unquoted thousands comma makes a row bad, and its berries are not booked', async () => {
    const details = await add(csv(head, [first, '1,200', 'Quiz'], [second, 300, 'Quiz']));
    expect(details).toMatchObject({
      row: { total: 2, good: 1, bad: 1 },
      badRows: [{ line: 2, cells: [first, '1', '200', 'Quiz'], issues: [{ path: '', rule: 'extraCells' }] }],
    });
    const { id } = await start(details);
    await runImports(services);
    expect(await entriesOf(id)).toMatchObject([{ address: second, berries: 300n, importLine: 3 }]);
    expect(await api.pointsImports.badRows({ id })).toMatchObject({
      rows: [{ line: 2, cells: [first, '1', '200', 'Quiz'], issues: [{ path: '', rule: 'extraCells' }] }],
    });
  });

  test('a row with more cells than the header is bad even when the last ones are empty', async () => {
    expect((await add(`address,berries,reason\n${first},1,200,\n${first},5,Quiz,,\n`)).row).toMatchObject({ good: 0, bad: 2 });
    expect((await add(`address,berries,reason,,\n${first},5,Quiz,,\n`)).row).toMatchObject({ good: 1, bad: 0 });
  });

  test('an unquoted comma in the last column makes a row bad instead of cutting the reason', async () => {
    const { row, badRows } = await add(`address,berries,reason\n${first},5,"Hello, world"\n${second},5,Hello, world\n`);
    expect(row).toMatchObject({ good: 1, bad: 1 });
    expect(badRows).toMatchObject([{ line: 3, cells: [second, '5', 'Hello', ' world'] }]);
  });

  test('rows without a header that are wider than the template have their columns chosen by a person', async () => {
    const details = await add(`${first},1,200,Quiz\n${second},300,Quiz\n`);
    expect(details).toMatchObject({ missing: ['address', 'berries', 'reason'], row: { good: 0 } });
  });

  test('a stray quote that joins two lines makes the row bad', async () => {
    const details = await add(`address,berries,reason\n${first},5,"Quiz\n${second},6,"Great\n${first},7,ok\n`);
    expect(details.row).toMatchObject({ total: 2, good: 1, bad: 1 });
    expect(details.badRows).toMatchObject([{ line: 2, issues: [{ path: '', rule: 'joinedLines' }] }]);
    const texts = { address: first, berries: '5', reason: 'Quiz' };
    expect((await repair(details, [{ line: 2, texts }])).row).toMatchObject({ good: 1, bad: 1 });
  });

  test('two quotes around the rest of a row and the start of another wait for a person', async () => {
    const details = await add(`address,berries,reason\n${first},10,"Quiz\n${second},20,Quiz"\n`);
    expect(details).toMatchObject({
      joinedRows: 1,
      row: { total: 1, good: 1, questions: ['joinedRows'] },
      uncertain: [{ line: 2 }],
    });
    await expect(start(details)).rejects.toMatchObject({ code: 'INCOMPLETE', data: { fields: ['joinedRows'] } });
    expect((await reread(details, { answers: ['joinedRows'] })).row.questions).toEqual([]);
  });

  test('a repair of one field does not keep the others from following a change of column or value', async () => {
    const details = await add(`address,old,new\n${first},1,100\nnobody,2,200\n`);
    const old = await reread(details, { mapping: { address: 0, berries: 1, reason: null }, fills: { reason: 'One' } });
    const repaired = await repair(old, [{ line: 3, texts: { address: second, berries: '2', reason: 'One' } }]);
    expect(repaired).toMatchObject({ row: { good: 2, edited: 1, totals: { added: '3' } } });
    const mapping = { ...repaired.mapping, berries: 2 };
    const moved = await reread(repaired, { mapping, fills: { reason: 'Two' } });
    expect(moved).toMatchObject({ row: { good: 2, edited: 1, totals: { added: '300' } } });
    expect(moved.repaired).toMatchObject([{ line: 3, texts: { address: second, berries: '200', reason: 'Two' } }]);
  });

  test('a value that was typed goes when its column changes', async () => {
    const details = await add(`address,old,new,reason\n${first},many,100,Quiz\n`);
    const old = await reread(details, { mapping: { address: 0, berries: 1, reason: 3 } });
    const repaired = await repair(old, [{ line: 2, texts: { address: first, berries: '7', reason: 'Quiz' } }]);
    const moved = await reread(repaired, { mapping: { ...repaired.mapping, berries: 2 } });
    expect(moved).toMatchObject({ row: { good: 1, edited: 0, totals: { added: '100' } } });
  });

  test('a repair of a line that the file lacks is refused, and so are NUL characters', async () => {
    const details = await add(`address,berries,reason\n${first},5,Quiz\n`);
    const texts = { address: first, berries: '5', reason: 'Quiz' };
    await expect(repair(details, [{ line: 9, texts }])).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(repair(details, [{ line: 2, texts: { ...texts, reason: 'a\u0000' } }])).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  test('a line with an address in it is no comment, and an answer about short rows ends when comments become rows', async () => {
    const text = `reason,address,berries,note\n#42 prize,${first},100\n# made by hand\nQuiz,${second},5,x\n`;
    const details = await add(text);
    expect(details).toMatchObject({ skipped: { comments: 1 }, row: { total: 2, good: 2, questions: ['shortRows'] } });
    const answered = await reread(details, { answers: ['shortRows'] });
    expect(answered.row.questions).toEqual([]);
    expect((await reread(answered, { comments: false })).row.questions).toEqual(['shortRows']);
  });

  test('a row of more than 20,000 characters stays bad and is stored shortened', async () => {
    const details = await add(`address,berries,reason\n${first},5,${'x'.repeat(30_000)}\n${first},5,Quiz\n`);
    expect(details.row).toMatchObject({ total: 2, good: 1, bad: 1 });
    expect(details.badRows).toMatchObject([{ line: 2, issues: [{ path: '', rule: 'longRow' }] }]);
    expect(JSON.stringify(details.badRows).length).toBeLessThan(2_000);
  });

  test('more than 300,000 blank lines are too many', async () => {
    await expect(add(`address,berries,reason\n${'\n'.repeat(300_001)}${first},5,Quiz\n`)).rejects.toMatchObject({
      data: { issues: [{ path: 'file', rule: 'tooManyRows' }] },
    });
  });

  test('rows with fewer cells than the table wait for a person, because their values may have moved', async () => {
    const details = await add(`address,season,berries,reason,note\n${first},1,500,Quiz,x\n${second},500,7,Quiz\n`);
    expect(details).toMatchObject({ shortRows: 1, row: { good: 2, questions: ['shortRows'] } });
    await expect(start(details)).rejects.toMatchObject({ code: 'INCOMPLETE', data: { fields: ['shortRows'] } });
    const answered = await reread(details, { answers: ['shortRows'] });
    expect(answered.row.questions).toEqual([]);
    const moved = await reread(answered, { mapping: { ...answered.mapping, reason: 1 } });
    expect(moved.row.questions).toEqual(['shortRows']);
  });

  test('a row repaired in one field stays bad when another header line makes it too wide', async () => {
    const text = `address,berries,reason\naddress,berries,reason,note\n${first},many,Quiz,x\n${second},5,Quiz,x\n`;
    const details = await reread(await add(text), { firstLine: 2, headed: true, mapping: null });
    const repaired = await repair(details, [{ line: 3, texts: { address: first, berries: '7', reason: 'Quiz' } }]);
    expect(repaired).toMatchObject({ row: { good: 2, edited: 1 } });
    const narrower = await reread(repaired, { firstLine: 1, headed: true });
    const row = narrower.badRows.find(({ line }) => line === 3);
    expect(row).toMatchObject({ edited: true, issues: [{ path: '', rule: 'extraCells' }] });
    expect(narrower.row).toMatchObject({ good: 0, totals: { added: '0' } });
  });

  test('two columns with the same name are told apart by a person', async () => {
    const details = await add(`address,berries,reason,Reason\n${first},5,a,b\n`);
    expect(details).toMatchObject({ mapping: { reason: null }, missing: ['reason'], row: { good: 0 } });
    expect(await reread(details, { mapping: { ...details.mapping, reason: 3 } })).toMatchObject({
      row: { good: 1 },
      first: [{ texts: { reason: 'b' } }],
    });
  });
});

describe('detecting the format of a file', () => {
  const who = address();

  test('pasted tab-separated rows with commas in the reason are read by tabs', async () => {
    expect(await add(`${who}\t12\tHello, dear, friend\n${who}\t5\tQuiz\n`)).toMatchObject({
      reading: { delimiter: '\t', headed: false },
      row: { good: 2, bad: 0, questions: [] },
      first: [{ texts: { reason: 'Hello, dear, friend' } }, {}],
    });
  });

  test.each([
    ['sep=;', ';'],
    ['SEP=;', ';'],
    ['"sep=;"', ';'],
    ['sep=\t', '\t'],
    ['\uFEFFsep=|', '|'],
  ])('Excel’s first line %j is skipped, and names the delimiter', async (line, delimiter) => {
    const text = [line, ['address', 'berries', 'reason'].join(delimiter), [who, '5', 'a, b'].join(delimiter)].join('\r\n');
    expect(await add(text)).toMatchObject({
      reading: { delimiter, headed: true, firstLine: 2 },
      row: { total: 1, good: 1, questions: [] },
      first: [{ line: 3, texts: { reason: 'a, b' } }],
    });
  });

  test('title lines above the column names are skipped and shown', async () => {
    expect(await add(`Season report\n\nNovember 2026\naddress,berries,reason\n${who},5,Quiz\n`)).toMatchObject({
      reading: { firstLine: 4, headed: true },
      skipped: { above: ['Season report', 'November 2026'] },
      row: { total: 1, good: 1, questions: [] },
    });
  });

  test('asks before skipping a line with data above the column names', async () => {
    const details = await add(`${who},7,Quiz\naddress,berries,reason\n${who},5,Quiz\n`);
    expect(details.row.questions).toContain('header');
    await expect(start(details)).rejects.toMatchObject({ code: 'INCOMPLETE' });
  });

  test('skips and counts comment lines, and keeps rows that begin with #', async () => {
    const text = `# exported by X\naddress,berries,reason\n${who},5,Quiz\n# middle\n#${who},6,old\n# end\n`;
    const details = await add(text);
    expect(details).toMatchObject({ skipped: { above: ['# exported by X'], comments: 2 }, row: { total: 2, good: 1, bad: 1 } });
    expect(await reread(details, { comments: false })).toMatchObject({ skipped: { comments: 0 }, row: { total: 4, bad: 3 } });
    expect((await add(`reason,address,berries\n#1 place,${who},5\n`)).row).toMatchObject({ good: 1 });
  });

  test('reads column names behind a #', async () => {
    expect(await add(`#address\tberries\treason\n${who}\t5\tQuiz\n`)).toMatchObject({
      reading: { firstLine: 1, headed: true },
      row: { good: 1 },
    });
  });

  test.each([
    ['UTF-16 with a mark', 'utf-16le', [0xff, 0xfe]],
    ['UTF-16 without one', 'utf-16le', []],
    ['big-endian UTF-16', 'utf-16be', [0xfe, 0xff]],
  ] as const)('%s, as Excel saves Unicode text, is read', async (_, encoding, mark) => {
    const text = Buffer.from(`地址\t积分\t原因\r\n${who}\t5\t活动奖励\r\n`, 'utf16le');
    const bytes = new Uint8Array([...mark, ...(encoding === 'utf-16be' ? text.swap16() : text)]);
    expect(await add(bytes)).toMatchObject({
      reading: { encoding, delimiter: '\t' },
      row: { good: 1, questions: [] },
      first: [{ texts: { reason: '活动奖励' } }],
    });
  });

  test('an uncertain encoding is asked about with the text in each, and nothing starts before', async () => {
    const text = `address,berries,reason\n${who},5,Prämie für Spieler\n`;
    const details = await add(new Uint8Array(Buffer.from(text, 'latin1')));
    expect(details).toMatchObject({
      reading: { encoding: 'windows-1252' },
      row: { questions: ['encoding'] },
      first: [{ texts: { reason: 'Prämie für Spieler' } }],
    });
    expect(details.samples.map(({ encoding }) => encoding)).toEqual(expect.arrayContaining(['windows-1252', 'gb18030']));
    await expect(start(details)).rejects.toMatchObject({ code: 'INCOMPLETE', data: { fields: ['encoding'] } });
    const other = await reread(details, { encoding: 'gb18030' });
    expect(other.row.questions).toEqual(['encoding']);
    expect(other.first[0]?.texts['reason']).not.toContain('Prämie');
    const chosen = await reread(other, { encoding: 'windows-1252', answers: ['encoding'] });
    expect(chosen.row.questions).toEqual([]);
    const { id } = await start(chosen);
    await runImports(services);
    expect(await entriesOf(id)).toMatchObject([{ reason: 'Prämie für Spieler' }]);
  });

  test('refuses an encoding that contradicts the bytes, with the reason', async () => {
    const details = await add(new Uint8Array(Buffer.from(`address,berries,reason\n${who},5,Prämie\n`, 'latin1')));
    await expect(reread(details, { encoding: 'utf-8' })).rejects.toMatchObject({
      data: { issues: [{ path: 'encoding', rule: 'notReadableSo' }] },
    });
  });

  test('reads again with another delimiter or first line, and finds the columns', async () => {
    const details = await add(`Report;x\naddress;berries;reason\n${who};5;a|b\n`);
    expect(details).toMatchObject({ reading: { delimiter: ';', firstLine: 2 }, row: { good: 1 } });
    const wrong = await reread(details, { delimiter: '|', firstLine: null, headed: null, mapping: null });
    expect(wrong).toMatchObject({ reading: { delimiter: '|' }, row: { good: 0 } });
    const back = await reread(wrong, { delimiter: ';', firstLine: 2, headed: true, mapping: null });
    expect(back).toMatchObject({ mapping: { address: 0, berries: 1, reason: 2 }, row: { good: 1 } });
    expect(await reread(back, { firstLine: 3, headed: false, mapping: null })).toMatchObject({
      row: { total: 1, good: 1 },
      head: ['A', 'B', 'C'],
    });
  });

  test('fills a field without a column with one value for all rows', async () => {
    const details = await add(`address,berries\n${who},5\n${who},6\n`);
    expect(details).toMatchObject({ missing: ['reason'], row: { good: 0 } });
    const filled = await reread(details, { fills: { reason: 'Season 1' } });
    expect(filled).toMatchObject({ missing: [], fills: { reason: 'Season 1' }, row: { good: 2 } });
    const { id } = await start(filled);
    await runImports(services);
    expect((await entriesOf(id)).map(({ reason }) => reason)).toEqual(['Season 1', 'Season 1']);
  });

  test('shows totals of the valid rows before the start: sums, the largest and repeated rows', async () => {
    const { row } = await add(
      csv(head, [who, 500, 'a'], [who, 1200, 'b'], [who, 500, 'a'], [who, -20, 'c'], [who, 'x', 'd'], [who, '9,999', 'e']),
    );
    expect(row).toMatchObject({
      good: 4,
      totals: { added: '2200', removed: '20', largest: { line: 3, amount: '1200' }, duplicates: 1 },
    });
  });
});

describe('ambiguous numbers of an import', () => {
  const who = address();
  const table = (delimiter: string, ...cells: string[]) =>
    [head, ...cells.map((cell) => [who, cell, 'Quiz'])].map((row) => row.join(delimiter)).join('\n');

  test.each([';', '\t', '|'])('1,200 between %j waits for a person', async (delimiter) => {
    const details = await add(table(delimiter, '1,200', '300'));
    expect(details).toMatchObject({
      unclearNumbers: 1,
      reading: { decimal: '.' },
      row: { good: 2, questions: ['numbers'], totals: { added: '1500' } },
      first: [{ texts: { berries: '1,200' }, values: { berries: '1200' } }, {}],
    });
    await expect(start(details)).rejects.toMatchObject({ code: 'INCOMPLETE', data: { fields: ['numbers'] } });
    expect((await reread(details, { answers: ['numbers'] })).row.questions).toEqual([]);
  });

  test('a quoted "1,200" between commas waits for a person too', async () => {
    expect((await add(table(',', '"1,200"', '300'))).row.questions).toEqual(['numbers']);
  });

  test('with a decimal comma 1,200 is no whole number, and an answer given before is asked for again', async () => {
    const details = await add(table(';', '1,200', '1.500', '300'));
    const answered = await reread(details, { answers: ['numbers'] });
    const german = await reread(answered, { decimal: ',' });
    expect(german).toMatchObject({
      row: { good: 2, bad: 1, questions: ['numbers'], totals: { added: '1800' } },
      badRows: [{ line: 2, issues: [{ path: 'berries', rule: 'whole' }] }],
      first: [{ values: null }, { texts: { berries: '1.500' }, values: { berries: '1500' } }, {}],
    });
    const chosen = await reread(german, { answers: ['numbers'] });
    const { id } = await start(chosen);
    await runImports(services);
    expect((await entriesOf(id)).map(({ berries }) => berries)).toEqual([1500n, 300n]);
  });

  test('the rows that a question is about are shown wherever they stand in the file', async () => {
    const plain = Array.from({ length: 40 }, () => '300');
    expect((await add(table(';', ...plain, '1,200', '5'))).uncertain).toMatchObject([{ line: 42, values: { berries: '1200' } }]);
  });

  test('1.200 is no whole number with a decimal point', async () => {
    expect((await add(table(';', '1.200', '300'))).row).toMatchObject({ good: 1, bad: 1, questions: [] });
  });

  test.each([
    ['1,234,567', '.', '1235767'],
    ['1,234.56', '.', '1200'],
    ['12.5', '.', '1200'],
    ['1.234.567', ',', '1234567'],
    ['1.234,56', ',', '0'],
    ['0,200', ',', '0'],
    ['１.２３４,５６', ',', '0'],
  ])('next to %s nothing is asked about 1,200: the decimal mark is %s', async (proof, decimal, added) => {
    expect(await add(table(';', '1,200', proof))).toMatchObject({
      reading: { decimal },
      unclearNumbers: 0,
      row: { questions: [], totals: { added } },
    });
  });

  test('numbers that contradict each other settle nothing, and neither does a number of another column', async () => {
    expect((await add(table(';', '1,200', '1.234,5', '1,234.5'))).row.questions).toEqual(['numbers']);
    expect((await add(`address;berries;reason;price\n${who};1,200;Quiz;12.5\n`)).row.questions).toEqual(['numbers']);
  });

  test('a decimal mark that contradicts the file is asked about', async () => {
    const details = await add(table(';', '1.200', '1.234,56'));
    expect(details.row).toMatchObject({ good: 1, questions: [] });
    const moved = await reread(await add(table(';', '1,200', '1.234,56')), { decimal: '.' });
    expect(moved.row).toMatchObject({ good: 1, questions: ['numbers'] });
  });

  test('a number that a person types in a repair is not asked about, and one of the file is', async () => {
    const details = await add(`address;berries;reason\n${who};many;Quiz\n0x12;1,200;Quiz\n`);
    expect(details.row).toMatchObject({ good: 0, questions: [] });
    const typed = await repair(details, [{ line: 2, texts: { address: who, berries: '1,200', reason: 'Quiz' } }]);
    expect(typed.row).toMatchObject({ good: 1, questions: [] });
    const other = await repair(typed, [{ line: 3, texts: { address: who, berries: '1,200', reason: 'Quiz' } }]);
    expect(other.row).toMatchObject({ good: 2, questions: ['numbers'] });
  });
});

describe('repairs of an import', () => {
  test('check an invalid row again and import it as edited, with the text in the audit', async () => {
    const who = address();
    const details = await add(csv(head, [who, '1,200', 'Quiz'], [who, 300, 'Quiz'], ['0x12', 5, 'Quiz']));
    const still = await repair(details, [
      { line: 2, texts: { address: who, berries: '1200', reason: 'Quiz' } },
      { line: 4, texts: { address: '0x13', berries: '5', reason: 'Quiz' } },
    ]);
    expect(still).toMatchObject({
      row: { good: 2, bad: 1, edited: 2, totals: { added: '1500' } },
      repaired: [{ line: 2, edited: true }],
      badRows: [{ line: 4, edited: true, cells: ['0x12', '5', 'Quiz'], texts: { address: '0x13' } }],
    });
    await expect(repair(details, [{ line: 2, texts: null }])).rejects.toMatchObject({ code: 'CONFLICT' });
    const { id } = await start(still);
    await runImports(services);
    expect(await entriesOf(id)).toMatchObject([
      { importLine: 2, berries: 1200n, reason: 'Quiz' },
      { importLine: 3, berries: 300n },
    ]);
    const [noted] = await db
      .select()
      .from(audit)
      .where(and(eq(audit.entityId, id), eq(audit.action, 'editRows')));
    expect(JSON.parse(noted?.after ?? '')).toMatchObject({
      edited: 2,
      repairs: [`2 · ${who} · 1200 · Quiz`, '4 · 0x13 · 5 · Quiz'],
    });
  });

  test('can be reverted, and end with the reading they were made in', async () => {
    const who = address();
    const details = await add(csv(head, [who, '1,200', 'Quiz'], [who, 300, 'Quiz']));
    const repaired = await repair(details, [{ line: 2, texts: { address: who, berries: '1200', reason: 'Quiz' } }]);
    expect(repaired.row).toMatchObject({ good: 2, edited: 1 });
    expect((await repair(repaired, [{ line: 2, texts: null }])).row).toMatchObject({ good: 1, bad: 1, edited: 0 });
    const again = await repair(await api.pointsImports.details({ id: details.row.id }), [
      { line: 2, texts: { address: who, berries: '1200', reason: 'Quiz' } },
    ]);
    expect((await reread(again, { delimiter: ';', firstLine: null, headed: null, mapping: null })).row.edited).toBe(0);
  });

  test('appear in the download of invalid rows, which is from one moment', async () => {
    const who = address();
    const details = await reread(await add(csv(['address', 'berries', 'note'], ['x', 5, 'a'], [who, 'many', 'b'])), {
      fills: { reason: 'One' },
    });
    await repair(details, [{ line: 3, texts: { address: who, berries: 'few', reason: 'Two' } }]);
    expect(await api.pointsImports.badRows({ id: details.row.id })).toMatchObject({
      head: ['address', 'berries', 'note'],
      mapping: { address: 0, berries: 1, reason: null },
      rows: [
        { line: 2, cells: ['x', '5', 'a'], texts: { reason: 'One' }, edited: false },
        { line: 3, cells: [who, 'many', 'b'], texts: { berries: 'few', reason: 'Two' }, edited: true },
      ],
    });
  });

  test('are refused after the start, as is another reading', async () => {
    const details = await add(csv(head, [address(), 5, 'Quiz'], ['x', 5, 'Quiz']));
    const { id, version } = await start(details);
    const started = { ...details, row: { ...details.row, version } };
    await expect(repair(started, [{ line: 3, texts: { address: address() } }])).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(reread(started, { headed: false })).rejects.toMatchObject({ code: 'CONFLICT' });
    await runImports(services);
    expect((await one(id)).imported).toBe(1);
  });
});

describe('running an import', () => {
  test('imports 9,863 of 10,000 rows, and returns the 137 invalid ones with reasons', async () => {
    const bad = new Set(Array.from({ length: 137 }, (_, at) => 3 + at * 71));
    const rows = Array.from({ length: 10_000 }, (_, at) =>
      bad.has(at + 2) ? ['0x12', 'many', ''] : [address(), 1 + (at % 9), `row ${at}`],
    );
    const details = await add(csv(head, ...rows));
    expect(details.row).toMatchObject({ total: 10_000, good: 9_863, bad: 137 });
    expect(details.badRows[0]).toEqual({
      line: 3,
      cells: ['0x12', 'many', ''],
      texts: { address: '0x12', berries: 'many', reason: '' },
      values: null,
      edited: false,
      issues: [
        { path: 'address', rule: 'address' },
        { path: 'berries', rule: 'whole' },
        { path: 'reason', rule: 'required' },
      ],
    });
    const { id } = await start(details);
    await runImports(services);
    expect(await one(id)).toMatchObject({ state: 'done', worked: 10_000, imported: 9_863 });
    expect(await entriesOf(id)).toHaveLength(9_863);

    const back = (await api.pointsImports.badRows({ id })).rows.map(({ line }) => line);
    expect(back).toEqual([...bad]);
    expect(await db.select().from(importFiles).where(eq(importFiles.importId, id))).toEqual([]);
  });

  test('has one audit row per step with counts and hash, in the name of the person who started it', async () => {
    const text = csv(head, [address(), 5, 'Quiz'], ['x', 5, 'Quiz']);
    const { id } = await importAll(text);
    const rows = await db.select().from(audit).where(eq(audit.entityId, id)).orderBy(audit.seq);
    expect(rows.map(({ action, actorEmail, command }) => [action, actorEmail, command])).toEqual([
      ['add', 'admin@demo.local', null],
      ['start', 'admin@demo.local', null],
      ['done', 'admin@demo.local', 'points.import'],
    ]);
    expect(JSON.parse(rows.at(-1)?.after ?? '')).toMatchObject({
      sha256: createHash('sha256').update(text).digest('hex'),
      total: 2,
      imported: 1,
      refused: 1,
      state: 'done',
    });
  });

  test('keeps hostile cells as text', async () => {
    const who = address();
    const cells = [
      '=1+1',
      '<img src=x onerror=alert(1)>',
      "'; drop table points; --",
      '@SUM(A1)',
      '\u202Eevil',
      '{{constructor}}',
    ];
    const { id, imported } = await importAll(csv(head, ...cells.map((cell) => [who, 1, cell])));
    expect(imported).toBe(cells.length);
    expect((await entriesOf(id)).map(({ reason }) => reason)).toEqual(cells);
    const nul = await importAll(csv(head, [who, 1, 'a\u0000b'], [who, 1, 'fine']));
    expect(nul).toMatchObject({ imported: 1, worked: 2 });
    const { rows } = await api.pointsImports.badRows({ id: nul.id });
    expect(rows).toMatchObject([{ line: 2, cells: [who, '1', 'a\u0000b'], issues: [{ path: 'reason', rule: 'invalid' }] }]);
  });

  test('refuses a row that exceeds the balance, in the order of the file', async () => {
    const who = address();
    const details = await add(
      csv(head, [who, -1, 'too soon'], [who, 10, 'gain'], [who, -4, 'fine'], [who, -7, 'too much'], [who, 1, 'more']),
    );
    expect(details.row).toMatchObject({ good: 3, bad: 2 });
    const { id } = await start(details);
    await runImports(services, { size: 2 });
    expect((await entriesOf(id)).map(({ importLine }) => importLine)).toEqual([3, 4, 6]);
    expect(await balanceOf(who)).toBe(7n);
  });

  test('works the same for airdrops', async () => {
    const who = address();
    const text = csv(['地址', '积分', 'NFT 数量', 'NFT 等级', '阶段'], [who, 100, 2, 3, 'S1'], [who, 100, -2, 3, 'S1']);
    const { row } = await api.airdropsImports.add({ file: fileOf(text) });
    expect(row).toMatchObject({ total: 2, good: 1, bad: 1 });
    await api.airdropsImports.start({ id: row.id, version: row.version, again: null });
    await runImports(services);
    expect(await db.select().from(airdrops).where(eq(airdrops.importId, row.id))).toMatchObject([
      { address: who, berries: 100n, nftNumber: 2, nftLevel: 3, stage: 'S1', importLine: 2 },
    ]);
    await expect(api.pointsImports.details({ id: row.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('importing the same file twice', () => {
  test('names who imported the file before and when, and starts only after that import is confirmed', async () => {
    const text = csv(head, [address(), 5, 'Quiz']);
    const { id } = await importAll(text);
    const again = await add(text, 'another name.csv');
    expect(again.row.earlier).toMatchObject({ id, by: 'admin@demo.local', imported: 1 });
    await expect(start(again)).rejects.toMatchObject({ code: 'ALREADY_IMPORTED' });
    await expect(start(again, crypto.randomUUID())).rejects.toMatchObject({ code: 'ALREADY_IMPORTED' });
    await start(again, id);
    await runImports(services);
    expect(await one(again.row.id)).toMatchObject({ state: 'done', imported: 1 });
  });

  test('starts only one of two imports of the same file that start together', async () => {
    const text = csv(head, [address(), 5, 'Quiz']);
    const both = await Promise.all([add(text), add(text)]);
    const answers = await Promise.allSettled(both.map((details) => start(details)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await runImports(services);
  });

  test('is not resumed after another import of the file', async () => {
    const text = csv(head, [address(), 5, 'Quiz']);
    const stopped = await cancel(await start(await add(text)));
    const { id } = await importAll(text);
    await expect(resume(stopped)).rejects.toMatchObject({ code: 'ALREADY_IMPORTED', data: { by: ['admin@demo.local'] } });
    expect(await one(stopped.id)).toMatchObject({ state: 'canceled', imported: 0 });
    await api.pointsImports.undo({ id, version: (await one(id)).version });
    await resume(stopped);
    await runImports(services);
    expect(await one(stopped.id)).toMatchObject({ state: 'done', imported: 1 });
  });

  test('resumes one of two canceled imports', async () => {
    const text = csv(head, [address(), 5, 'Quiz']);
    const first = await cancel(await start(await add(text)));
    const second = await cancel(await start(await add(text)));
    const answers = await Promise.allSettled([resume(first), resume(second)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await runImports(services);
    expect((await one(first.id)).imported + (await one(second.id)).imported).toBe(1);
  });

  test('resumes an import that was started after the earlier one was confirmed', async () => {
    const text = csv(head, [address(), 5, 'Quiz']);
    const { id } = await importAll(text);
    const stopped = await cancel(await start(await add(text), id));
    await resume(stopped);
    await runImports(services);
    expect(await one(stopped.id)).toMatchObject({ state: 'done', imported: 1 });
  });

  test('ignores an undone import of the same file', async () => {
    const text = csv(head, [address(), 5, 'Quiz']);
    const { id, version } = await importAll(text);
    await api.pointsImports.undo({ id, version });
    expect((await add(text)).row.earlier).toBeNull();
  });
});

describe('canceling and resuming an import', () => {
  const rows = (count: number) => csv(head, ...Array.from({ length: count }, (_, at) => [address(), 1, `row ${at}`]));

  test('stops between two batches, and continues from there', async () => {
    const { id, version } = await start(await add(rows(50)));
    await runImports(services, {
      size: 10,
      continueImport: async (batches) => {
        if (batches === 2) await api.pointsImports.cancel({ id, version });
        return true;
      },
    });
    const canceled = await one(id);
    expect(canceled).toMatchObject({ state: 'canceled', worked: 20, imported: 20 });
    const resumed = await api.pointsImports.resume({ id, version: canceled.version });
    await expect(api.pointsImports.resume({ id, version: resumed.version })).rejects.toMatchObject({ code: 'CONFLICT' });
    await runImports(services, { size: 10 });
    expect(await one(id)).toMatchObject({ state: 'done', worked: 50, imported: 50 });
    expect((await entriesOf(id)).map(({ importLine }) => importLine)).toEqual(Array.from({ length: 50 }, (_, at) => at + 2));
  });

  test('deletes an import that was not started, with its file', async () => {
    const { row } = await add(rows(2));
    expect(await api.pointsImports.cancel({ id: row.id, version: row.version })).toEqual({ row: null });
    expect(await api.pointsImports.many({ ids: [row.id] })).toEqual([]);
  });

  test('imports each row once with several runners', async () => {
    const started = await Promise.all([1, 2, 3].map(async () => start(await add(rows(40)))));
    await Promise.all([1, 2, 3, 4].map(() => runImports(services, { size: 7 })));
    const ids = started.map(({ id }) => id);
    expect(await db.select().from(points).where(inArray(points.importId, ids))).toHaveLength(120);
    expect((await api.pointsImports.many({ ids })).map(({ state, imported }) => [state, imported])).toEqual(
      ids.map(() => ['done', 40]),
    );
  });

  test('writes nothing after its lease was taken over', async () => {
    const { id } = await start(await add(rows(30)));
    let second: Promise<void> | null = null;
    await runImports(services, {
      size: 10,
      continueImport: async (batches) => {
        if (batches > 1) return true;
        app.clock.now += 30_001;
        second = runImports(services, { size: 5 });
        await second;
        return true;
      },
    });
    expect(await one(id)).toMatchObject({ state: 'done', worked: 30, imported: 30 });
    expect(await entriesOf(id)).toHaveLength(30);
  });

  longTest(
    'a runner that is killed at any moment loses nothing and doubles nothing',
    { timeout: inTier(60_000, 180_000) },
    async () => {
      const random = seededRandom(20_261_121);
      const size = inTier(1_000, 2_000);
      const { id } = await start(await add(rows(size)));
      let kills = 0;
      while ((await one(id)).state === 'running') {
        const child = fork(worker, {
          execArgv: [],
          env: { ...process.env, DATABASE_URL: app.database.url, DATA_DIR: app.config.dataDir },
        });
        const removed = once(child, 'exit');
        // Several processes import up to five of the 20 or 40 batches and are killed during or after the next. The last one
        // finishes.
        const max = kills < inTier(3, 6) ? 1 + Math.floor(random() * 5) : Infinity;
        const within = random() * 20;
        let batches = 0;
        child.on('message', (reported) => {
          if (reported === 'idle') child.kill('SIGKILL'); // nothing left: the lease of the one before, or the end
          if (reported !== 'batch' || ++batches > max) return;
          child.send('go on');
          if (batches < max) return;
          kills++;
          setTimeout(() => child.kill('SIGKILL'), within);
        });
        await removed;
        await sleep(200);
      }
      expect(kills).toBeGreaterThan(inTier(2, 3));
      expect(await one(id)).toMatchObject({ state: 'done', worked: size, imported: size });
      expect((await entriesOf(id)).map(({ importLine }) => importLine)).toEqual(Array.from({ length: size }, (_, at) => at + 2));
      const [ended] = await db
        .select({ value: count() })
        .from(audit)
        .where(and(eq(audit.entityId, id), eq(audit.action, 'done')));
      expect(ended?.value).toBe(1);
    },
  );

  test('interrupts an import after five failed attempts and lets it be resumed', async () => {
    const { id } = await start(await add(rows(5)));
    const [kept] = await db.select().from(importFiles).where(eq(importFiles.importId, id));
    await db.delete(importFiles).where(eq(importFiles.importId, id));
    for (let tries = 0; tries < 5; tries++) {
      await runImports(services);
      app.clock.now += 60_000;
    }
    const failed = await one(id);
    expect(failed).toMatchObject({ state: 'failed', imported: 0 });
    if (kept) await db.insert(importFiles).values(kept);
    await api.pointsImports.resume({ id, version: failed.version });
    await runImports(services);
    expect(await one(id)).toMatchObject({ state: 'done', imported: 5 });
  });
});

test('limits the total size of the files of a person’s unfinished imports', async () => {
  const waits = eq(imports.state, 'checked');
  await db.delete(imports).where(inArray(imports.state, ['checked', 'canceled', 'failed']));
  const { row } = await add(csv(head, [address(), 1, 'waits']));
  const [own] = await db
    .update(imports)
    .set({ bytes: waitingLimit - 200 })
    .where(waits)
    .returning();
  const small = () => add(csv(head, [address(), 1, 'some ninety bytes']));
  const refused = { code: 'BAD_REQUEST', data: { issues: [{ path: 'file', rule: 'tooMuchWaiting' }] } };
  const many = await Promise.allSettled([small(), small(), small(), small()]);
  expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(2); // also of concurrent ones
  await expect(small()).rejects.toMatchObject(refused);
  await db.update(imports).set({ administratorId: null }).where(waits); // other people's files do not count
  expect((await small()).row.state).toBe('checked');
  await db.update(imports).set({ administratorId: own?.administratorId }).where(waits);
  await expect(small()).rejects.toMatchObject(refused);
  await api.pointsImports.cancel({ id: row.id, version: row.version });
  expect((await small()).row.state).toBe('checked');
  await db.delete(imports).where(waits);
});

test('deletes a file that was not started within a week', async () => {
  const draft = await add(csv(head, [address(), 5, 'Quiz']));
  const { id } = await importAll(csv(head, [address(), 5, 'Quiz']));
  await forgetDrafts({ ...services, now: () => app.clock.now + 6 * 86_400_000 });
  expect(await api.pointsImports.many({ ids: [draft.row.id, id] })).toHaveLength(2);
  await forgetDrafts({ ...services, now: () => app.clock.now + 8 * 86_400_000 });
  expect((await api.pointsImports.many({ ids: [draft.row.id, id] })).map((row) => row.id)).toEqual([id]);
});

describe('undoing an import', () => {
  test('reverses every entry and restores the balances', async () => {
    const [first, second] = [address(), address()];
    const { id, version } = await importAll(csv(head, [first, 5, 'a'], [second, 7, 'b'], [first, -2, 'c']));
    const undone = await api.pointsImports.undo({ id, version });
    expect(undone.state).toBe('undone');
    expect([await balanceOf(first), await balanceOf(second)]).toEqual([0n, 0n]);
    const ids = (await entriesOf(id)).map((entry) => entry.id);
    expect(await db.select().from(points).where(inArray(points.reverses, ids))).toHaveLength(3);
    await expect(api.pointsImports.undo({ id, version: undone.version })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('stops a running import and undoes it', async () => {
    const who = address();
    const { id, version } = await start(await add(csv(head, ...Array.from({ length: 30 }, () => [who, 1, 'x']))));
    await runImports(services, {
      size: 10,
      continueImport: async (batches) => {
        if (batches === 1) await api.pointsImports.undo({ id, version });
        return true;
      },
    });
    expect(await one(id)).toMatchObject({ state: 'undone', worked: 10 });
    expect(await balanceOf(who)).toBe(0n);
  });

  test('is refused without changes when berries were spent', async () => {
    const [spent, kept] = [address(), address()];
    const { id, version } = await importAll(csv(head, [spent, 5, 'a'], [kept, 5, 'a']));
    await importAll(csv(head, [spent, -1, 'spent']));
    await expect(api.pointsImports.undo({ id, version })).rejects.toMatchObject({
      code: 'BALANCE_TOO_LOW',
      data: { addresses: [spent] },
    });
    expect([await balanceOf(spent), await balanceOf(kept)]).toEqual([4n, 5n]);
    expect(await one(id)).toMatchObject({ state: 'done' });
  });

  test('is refused when an entry was reversed or an airdrop edited', async () => {
    const who = address();
    const { id, version } = await importAll(csv(head, [who, 5, 'a'], [who, 50, 'b']));
    const [entry] = await entriesOf(id);
    await db.insert(points).values({
      id: crypto.randomUUID(),
      address: who,
      berries: -5n,
      reason: 'by hand',
      source: 'reversal',
      reverses: entry?.id ?? '',
      administratorEmail: 'x@example.com',
      createdAt: new Date(),
    });
    await expect(api.pointsImports.undo({ id, version })).rejects.toMatchObject({ code: 'NOT_REVERSIBLE' });

    const { row } = await api.airdropsImports.add({
      file: fileOf(csv(['address', 'berries', 'nftNumber', 'nftLevel', 'stage'], [who, 1, 1, 1, 'x'])),
    });
    await api.airdropsImports.start({ id: row.id, version: row.version, again: null });
    await runImports(services);
    const own = eq(airdrops.importId, row.id);
    await db.update(airdrops).set({ version: 2 }).where(own);
    const [done] = await api.airdropsImports.many({ ids: [row.id] });
    const seen = { id: row.id, version: done?.version ?? 0 };
    await expect(api.airdropsImports.undo(seen)).rejects.toMatchObject({ code: 'BUILT_ON' });
    await db.update(airdrops).set({ version: 1 }).where(own);
    expect((await api.airdropsImports.undo(seen)).state).toBe('undone');
    expect(await db.select().from(airdrops).where(own)).toEqual([]);
  });
});

test('shows a read-only role the list of imports but nothing of their files', async () => {
  const { row } = await add(csv(head, [address(), 5, 'Quiz']));
  const analyst = await signInAs(app, 'analyst');
  const list = await analyst.api.pointsImports.list({
    sort: 'createdAt',
    direction: 'desc',
    filter: {},
    cursor: null,
    limit: 50,
  });
  expect(list.rows.some(({ id }) => id === row.id)).toBe(true);
  const seen = { id: row.id, version: row.version };
  const { pointsImports: routes } = analyst.api;
  for (const call of [
    () => routes.add({ file: fileOf('a') }),
    () => routes.details({ id: row.id }),
    () => routes.badRows({ id: row.id }),
    () => routes.start({ ...seen, again: null }),
    () => routes.cancel(seen),
    () => routes.editRows({ ...seen, rows: [{ line: 2, texts: null }] }),
    () => routes.undo(seen),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect((await db.select().from(importRows).where(eq(importRows.importId, row.id))).length).toBe(0);
  expect(await db.select({ state: imports.state }).from(imports).where(eq(imports.id, row.id))).toEqual([{ state: 'checked' }]);
});
