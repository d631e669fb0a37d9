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
import { deleteExpiredDrafts } from './drafts.ts';
import { runImports } from './worker.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { signInAs, createTestApp } from '../testing/support.ts';
import { importFiles, importRows, imports } from './tables.ts';
import { audit } from '../platform/audit/tables.ts';
import { airdrops, pointBalances, points } from '../rewards/tables.ts';
import { longTest } from '../../scripts/suite/long-test.ts';

// Each test runs its own jobs.
const app = await createTestApp({}, { jobs: false });
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
    let hash = Math.imul(state ^ (state >>> 15), 1 | state);
    hash = (hash + Math.imul(hash ^ (hash >>> 7), 61 | hash)) ^ hash;
    return ((hash ^ (hash >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Unique in this file. */
let addressCount = 0;
const address = () =>
  toChecksumAddress(`0x${createHash('sha256').update(`imports ${addressCount++}`).digest('hex').slice(0, 40)}`);
const csv = (...rows: (string | number)[][]) => rows.map((cells) => cells.join(',')).join('\r\n');
const headerNames = ['address', 'berries', 'reason'];
const createFile = (content: string | Uint8Array<ArrayBuffer>, name = 'points.csv') => new File([content], name);
const addFile = (content: string | Uint8Array<ArrayBuffer>, name?: string) =>
  api.pointsImports.add({ file: createFile(content, name) });
const start = ({ row }: ImportDetails, acknowledgedId: string | null = null) =>
  api.pointsImports.start({ id: row.id, version: row.version, again: acknowledgedId });
const rereadFile = ({ row, reading, mapping, fills }: ImportDetails, choices: Partial<RereadInput>) =>
  api.pointsImports.reread({ id: row.id, version: row.version, ...reading, mapping, fills, answers: [], ...choices });
const editRows = ({ row }: ImportDetails, rows: EditRowsInput['rows']) =>
  api.pointsImports.editRows({ id: row.id, version: row.version, rows });
const cancelImport = async ({ id, version }: ImportRow): Promise<ImportRow> => {
  const { row } = await api.pointsImports.cancel({ id, version });
  if (!row) throw new Error('it was not started');
  return row;
};
const resumeImport = ({ id, version }: ImportRow) => api.pointsImports.resume({ id, version });
const readImport = async (id: string) => {
  const [row] = await api.pointsImports.many({ ids: [id] });
  if (!row) throw new Error('the import is gone');
  return row;
};
const importAll = async (content: string | Uint8Array<ArrayBuffer>) => {
  const { id } = await start(await addFile(content));
  await runImports(services);
  return readImport(id);
};
const entriesOf = (id: string) => db.select().from(points).where(eq(points.importId, id)).orderBy(points.importLine);
const readBalance = async (ownerAddress: string) =>
  (await db.select().from(pointBalances).where(eq(pointBalances.address, ownerAddress)))[0]?.berries ?? 0n;
const gb18030 = new Uint8Array([0xb5, 0xd8, 0xd6, 0xb7, 0x2c, 0xbb, 0xfd, 0xb7, 0xd6, 0x2c, 0xd4, 0xad, 0xd2, 0xf2, 0x0d, 0x0a]); // 地址,积分,原因

describe('reading an import', () => {
  test.each([
    ['by field id, with commas', ',', headerNames],
    ['by English names, with semicolons', ';', ['Address', 'Berries', 'Reason']],
    ['by Chinese names, with tabs', '\t', ['地址', '积分', '原因']],
    ['in any spelling', ',', ['ADDRESS', ' ＢＥＲＲＩＥＳ ', 're_ason']],
  ])('finds columns %s, and leaves unknown ones alone', async (_, delimiter, names) => {
    const ownerAddress = address();
    const text = [
      ['note', ...names.toReversed()],
      ['x', 'Quiz', '1,200', ownerAddress].map((cell) => (cell.includes(',') ? `"${cell}"` : cell)),
    ]
      .map((cells) => cells.join(delimiter))
      .join('\n');
    const details = await addFile(text);
    expect(details).toMatchObject({
      reading: { headed: true, firstLine: 1 },
      missing: [],
      mapping: { address: 3, berries: 2, reason: 1 },
      row: { delimiter, encoding: 'utf-8', total: 1, good: 1, bad: 0, state: 'checked' },
    });
  });

  test('is certain of UTF-8, and of GB18030 by known column names; asks about other bytes; refuses broken UTF-16', async () => {
    const row = new TextEncoder().encode(`${address()},5,x\r\n`);
    expect((await addFile(Buffer.concat([gb18030, row]))).row).toMatchObject({ encoding: 'gb18030', good: 1 });
    expect((await addFile(`\uFEFF地址,积分,原因\n${address()},5,奖励`)).row).toMatchObject({ encoding: 'utf-8', good: 1 });
    expect((await addFile(Buffer.concat([gb18030, row, Buffer.from([0xff, 0xff])]))).row.questions).toContain('encoding');
    await expect(addFile(Buffer.from([0xff, 0xfe, 0x00, 0xd8]))).rejects.toMatchObject({
      data: { issues: [{ path: 'file', rule: 'encoding' }] },
    });
  });

  test('imports GB18030 text exactly', async () => {
    const ownerAddress = address();
    const reason = Buffer.from([0xbb, 0xee, 0xb6, 0xaf, 0xbd, 0xb1, 0xc0, 0xf8]); // 活动奖励
    const { id } = await importAll(Buffer.concat([gb18030, Buffer.from(`${ownerAddress},5,`), reason]));
    expect(await entriesOf(id)).toMatchObject([
      { address: ownerAddress, berries: 5n, reason: '活动奖励', source: 'import', importLine: 2 },
    ]);
  });

  test.each(['\r\n', '\n', '\r'])('lines may end in %j, and cells hold line ends, delimiters and quotes', async (end) => {
    const ownerAddress = address();
    const { id, imported } = await importAll(
      [headerNames.join(','), `${ownerAddress},7,"a ""quoted"", long${end}reason"`, ''].join(end),
    );
    expect(imported).toBe(1);
    expect(await entriesOf(id)).toMatchObject([{ reason: `a "quoted", long${end}reason`.trim() }]);
  });

  test('reads rows without a header in the template’s order, which can be changed', async () => {
    const details = await addFile(`${address()}\t5\tQuiz\n${address()}\t6\tQuiz`);
    expect(details).toMatchObject({
      reading: { headed: false },
      head: ['A', 'B', 'C'],
      row: { total: 2, good: 2, delimiter: '\t' },
    });
    const detailsWithHeader = await rereadFile(details, { headed: true });
    expect(detailsWithHeader).toMatchObject({ reading: { headed: true }, row: { total: 1, good: 1 } });
  });

  test('lets a person choose a missing column, and starts nothing before', async () => {
    const details = await addFile(csv(['who', 'berries', 'reason'], [address(), 5, 'Quiz']));
    expect(details).toMatchObject({ missing: ['address'], row: { total: 1, good: 0, bad: 0 } });
    await expect(start(details)).rejects.toMatchObject({ code: 'INCOMPLETE' });
    const mappedDetails = await rereadFile(details, { mapping: { ...details.mapping, address: 0 } });
    expect(mappedDetails).toMatchObject({ missing: [], row: { good: 1, bad: 0 } });
    await expect(rereadFile(mappedDetails, { mapping: { address: 7 } })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
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
    await expect(addFile(content as string)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      data: { issues: [{ path: 'file', rule }] },
    });
  });

  test('refuses a file over the limit before reading it', async () => {
    await expect(addFile(`address,berries,reason\n${'x'.repeat(21 * 1024 * 1024)}`)).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
  });
});

describe('suspicious rows of an import', () => {
  const [firstAddress, secondAddress] = [address(), address()];

  test('an unquoted thousands comma makes a row bad, and its berries are not booked', async () => {
    const details = await addFile(csv(headerNames, [firstAddress, '1,200', 'Quiz'], [secondAddress, 300, 'Quiz']));
    expect(details).toMatchObject({
      row: { total: 2, good: 1, bad: 1 },
      badRows: [{ line: 2, cells: [firstAddress, '1', '200', 'Quiz'], issues: [{ path: '', rule: 'extraCells' }] }],
    });
    const { id } = await start(details);
    await runImports(services);
    expect(await entriesOf(id)).toMatchObject([{ address: secondAddress, berries: 300n, importLine: 3 }]);
    expect(await api.pointsImports.badRows({ id })).toMatchObject({
      rows: [{ line: 2, cells: [firstAddress, '1', '200', 'Quiz'], issues: [{ path: '', rule: 'extraCells' }] }],
    });
  });

  test('a row with more cells than the header is bad even when the last ones are empty', async () => {
    expect((await addFile(`address,berries,reason\n${firstAddress},1,200,\n${firstAddress},5,Quiz,,\n`)).row).toMatchObject({
      good: 0,
      bad: 2,
    });
    expect((await addFile(`address,berries,reason,,\n${firstAddress},5,Quiz,,\n`)).row).toMatchObject({ good: 1, bad: 0 });
  });

  test('an unquoted comma in the last column makes a row bad instead of cutting the reason', async () => {
    const { row, badRows } = await addFile(
      `address,berries,reason\n${firstAddress},5,"Hello, world"\n${secondAddress},5,Hello, world\n`,
    );
    expect(row).toMatchObject({ good: 1, bad: 1 });
    expect(badRows).toMatchObject([{ line: 3, cells: [secondAddress, '5', 'Hello', ' world'] }]);
  });

  test('rows without a header that are wider than the template have their columns chosen by a person', async () => {
    const details = await addFile(`${firstAddress},1,200,Quiz\n${secondAddress},300,Quiz\n`);
    expect(details).toMatchObject({ missing: ['address', 'berries', 'reason'], row: { good: 0 } });
  });

  test('a stray quote that joins two lines makes the row bad', async () => {
    const details = await addFile(
      `address,berries,reason\n${firstAddress},5,"Quiz\n${secondAddress},6,"Great\n${firstAddress},7,ok\n`,
    );
    expect(details.row).toMatchObject({ total: 2, good: 1, bad: 1 });
    expect(details.badRows).toMatchObject([{ line: 2, issues: [{ path: '', rule: 'joinedLines' }] }]);
    const texts = { address: firstAddress, berries: '5', reason: 'Quiz' };
    expect((await editRows(details, [{ line: 2, texts }])).row).toMatchObject({ good: 1, bad: 1 });
  });

  test('two quotes around the rest of a row and the start of another wait for a person', async () => {
    const details = await addFile(`address,berries,reason\n${firstAddress},10,"Quiz\n${secondAddress},20,Quiz"\n`);
    expect(details).toMatchObject({
      joinedRows: 1,
      row: { total: 1, good: 1, questions: ['joinedRows'] },
      uncertain: [{ line: 2 }],
    });
    await expect(start(details)).rejects.toMatchObject({ code: 'INCOMPLETE', data: { fields: ['joinedRows'] } });
    expect((await rereadFile(details, { answers: ['joinedRows'] })).row.questions).toEqual([]);
  });

  test('a repair of one field does not keep the others from following a change of column or value', async () => {
    const details = await addFile(`address,old,new\n${firstAddress},1,100\nnobody,2,200\n`);
    const initialDetails = await rereadFile(details, {
      mapping: { address: 0, berries: 1, reason: null },
      fills: { reason: 'One' },
    });
    const editedDetails = await editRows(initialDetails, [
      { line: 3, texts: { address: secondAddress, berries: '2', reason: 'One' } },
    ]);
    expect(editedDetails).toMatchObject({ row: { good: 2, edited: 1, totals: { added: '3' } } });
    const mapping = { ...editedDetails.mapping, berries: 2 };
    const remappedDetails = await rereadFile(editedDetails, { mapping, fills: { reason: 'Two' } });
    expect(remappedDetails).toMatchObject({ row: { good: 2, edited: 1, totals: { added: '300' } } });
    expect(remappedDetails.repaired).toMatchObject([
      { line: 3, texts: { address: secondAddress, berries: '200', reason: 'Two' } },
    ]);
  });

  test('a value that was typed goes when its column changes', async () => {
    const details = await addFile(`address,old,new,reason\n${firstAddress},many,100,Quiz\n`);
    const initialDetails = await rereadFile(details, { mapping: { address: 0, berries: 1, reason: 3 } });
    const editedDetails = await editRows(initialDetails, [
      { line: 2, texts: { address: firstAddress, berries: '7', reason: 'Quiz' } },
    ]);
    const remappedDetails = await rereadFile(editedDetails, { mapping: { ...editedDetails.mapping, berries: 2 } });
    expect(remappedDetails).toMatchObject({ row: { good: 1, edited: 0, totals: { added: '100' } } });
  });

  test('a repair of a line that the file lacks is refused, and so are NUL characters', async () => {
    const details = await addFile(`address,berries,reason\n${firstAddress},5,Quiz\n`);
    const texts = { address: firstAddress, berries: '5', reason: 'Quiz' };
    await expect(editRows(details, [{ line: 9, texts }])).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(editRows(details, [{ line: 2, texts: { ...texts, reason: 'a\u0000' } }])).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  test('a line with an address in it is no comment, and an answer about short rows ends when comments become rows', async () => {
    const text = `reason,address,berries,note\n#42 prize,${firstAddress},100\n# made by hand\nQuiz,${secondAddress},5,x\n`;
    const details = await addFile(text);
    expect(details).toMatchObject({ skipped: { comments: 1 }, row: { total: 2, good: 2, questions: ['shortRows'] } });
    const answeredDetails = await rereadFile(details, { answers: ['shortRows'] });
    expect(answeredDetails.row.questions).toEqual([]);
    expect((await rereadFile(answeredDetails, { comments: false })).row.questions).toEqual(['shortRows']);
  });

  test('a row of more than 20,000 characters stays bad and is stored shortened', async () => {
    const details = await addFile(`address,berries,reason\n${firstAddress},5,${'x'.repeat(30_000)}\n${firstAddress},5,Quiz\n`);
    expect(details.row).toMatchObject({ total: 2, good: 1, bad: 1 });
    expect(details.badRows).toMatchObject([{ line: 2, issues: [{ path: '', rule: 'longRow' }] }]);
    expect(JSON.stringify(details.badRows).length).toBeLessThan(2_000);
  });

  test('more than 300,000 blank lines are too many', async () => {
    await expect(addFile(`address,berries,reason\n${'\n'.repeat(300_001)}${firstAddress},5,Quiz\n`)).rejects.toMatchObject({
      data: { issues: [{ path: 'file', rule: 'tooManyRows' }] },
    });
  });

  test('rows with fewer cells than the table wait for a person, because their values may have moved', async () => {
    const details = await addFile(
      `address,season,berries,reason,note\n${firstAddress},1,500,Quiz,x\n${secondAddress},500,7,Quiz\n`,
    );
    expect(details).toMatchObject({ shortRows: 1, row: { good: 2, questions: ['shortRows'] } });
    await expect(start(details)).rejects.toMatchObject({ code: 'INCOMPLETE', data: { fields: ['shortRows'] } });
    const answeredDetails = await rereadFile(details, { answers: ['shortRows'] });
    expect(answeredDetails.row.questions).toEqual([]);
    const remappedDetails = await rereadFile(answeredDetails, { mapping: { ...answeredDetails.mapping, reason: 1 } });
    expect(remappedDetails.row.questions).toEqual(['shortRows']);
  });

  test('a row repaired in one field stays bad when another header line makes it too wide', async () => {
    const text = `address,berries,reason\naddress,berries,reason,note\n${firstAddress},many,Quiz,x\n${secondAddress},5,Quiz,x\n`;
    const details = await rereadFile(await addFile(text), { firstLine: 2, headed: true, mapping: null });
    const editedDetails = await editRows(details, [{ line: 3, texts: { address: firstAddress, berries: '7', reason: 'Quiz' } }]);
    expect(editedDetails).toMatchObject({ row: { good: 2, edited: 1 } });
    const detailsWithoutExtraColumn = await rereadFile(editedDetails, { firstLine: 1, headed: true });
    const row = detailsWithoutExtraColumn.badRows.find(({ line }) => line === 3);
    expect(row).toMatchObject({ edited: true, issues: [{ path: '', rule: 'extraCells' }] });
    expect(detailsWithoutExtraColumn.row).toMatchObject({ good: 0, totals: { added: '0' } });
  });

  test('two columns with the same name are told apart by a person', async () => {
    const details = await addFile(`address,berries,reason,Reason\n${firstAddress},5,a,b\n`);
    expect(details).toMatchObject({ mapping: { reason: null }, missing: ['reason'], row: { good: 0 } });
    expect(await rereadFile(details, { mapping: { ...details.mapping, reason: 3 } })).toMatchObject({
      row: { good: 1 },
      first: [{ texts: { reason: 'b' } }],
    });
  });
});

describe('detecting the format of a file', () => {
  const ownerAddress = address();

  test('pasted tab-separated rows with commas in the reason are read by tabs', async () => {
    expect(await addFile(`${ownerAddress}\t12\tHello, dear, friend\n${ownerAddress}\t5\tQuiz\n`)).toMatchObject({
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
    const text = [line, ['address', 'berries', 'reason'].join(delimiter), [ownerAddress, '5', 'a, b'].join(delimiter)].join(
      '\r\n',
    );
    expect(await addFile(text)).toMatchObject({
      reading: { delimiter, headed: true, firstLine: 2 },
      row: { total: 1, good: 1, questions: [] },
      first: [{ line: 3, texts: { reason: 'a, b' } }],
    });
  });

  test('title lines above the column names are skipped and shown', async () => {
    expect(await addFile(`Season report\n\nNovember 2026\naddress,berries,reason\n${ownerAddress},5,Quiz\n`)).toMatchObject({
      reading: { firstLine: 4, headed: true },
      skipped: { above: ['Season report', 'November 2026'] },
      row: { total: 1, good: 1, questions: [] },
    });
  });

  test('asks before skipping a line with data above the column names', async () => {
    const details = await addFile(`${ownerAddress},7,Quiz\naddress,berries,reason\n${ownerAddress},5,Quiz\n`);
    expect(details.row.questions).toContain('header');
    await expect(start(details)).rejects.toMatchObject({ code: 'INCOMPLETE' });
  });

  test('skips and counts comment lines, and keeps rows that begin with #', async () => {
    const text = `# exported by X\naddress,berries,reason\n${ownerAddress},5,Quiz\n# middle\n#${ownerAddress},6,old\n# end\n`;
    const details = await addFile(text);
    expect(details).toMatchObject({ skipped: { above: ['# exported by X'], comments: 2 }, row: { total: 2, good: 1, bad: 1 } });
    expect(await rereadFile(details, { comments: false })).toMatchObject({ skipped: { comments: 0 }, row: { total: 4, bad: 3 } });
    expect((await addFile(`reason,address,berries\n#1 place,${ownerAddress},5\n`)).row).toMatchObject({ good: 1 });
  });

  test('reads column names behind a #', async () => {
    expect(await addFile(`#address\tberries\treason\n${ownerAddress}\t5\tQuiz\n`)).toMatchObject({
      reading: { firstLine: 1, headed: true },
      row: { good: 1 },
    });
  });

  test.each([
    ['UTF-16 with a mark', 'utf-16le', [0xff, 0xfe]],
    ['UTF-16 without one', 'utf-16le', []],
    ['big-endian UTF-16', 'utf-16be', [0xfe, 0xff]],
  ] as const)('%s, as Excel saves Unicode text, is read', async (_, encoding, byteOrderMark) => {
    const text = Buffer.from(`地址\t积分\t原因\r\n${ownerAddress}\t5\t活动奖励\r\n`, 'utf16le');
    const bytes = new Uint8Array([...byteOrderMark, ...(encoding === 'utf-16be' ? text.swap16() : text)]);
    expect(await addFile(bytes)).toMatchObject({
      reading: { encoding, delimiter: '\t' },
      row: { good: 1, questions: [] },
      first: [{ texts: { reason: '活动奖励' } }],
    });
  });

  test('an uncertain encoding is asked about with the text in each, and nothing starts before', async () => {
    const text = `address,berries,reason\n${ownerAddress},5,Prämie für Spieler\n`;
    const details = await addFile(new Uint8Array(Buffer.from(text, 'latin1')));
    expect(details).toMatchObject({
      reading: { encoding: 'windows-1252' },
      row: { questions: ['encoding'] },
      first: [{ texts: { reason: 'Prämie für Spieler' } }],
    });
    expect(details.samples.map(({ encoding }) => encoding)).toEqual(expect.arrayContaining(['windows-1252', 'gb18030']));
    await expect(start(details)).rejects.toMatchObject({ code: 'INCOMPLETE', data: { fields: ['encoding'] } });
    const detailsInOtherEncoding = await rereadFile(details, { encoding: 'gb18030' });
    expect(detailsInOtherEncoding.row.questions).toEqual(['encoding']);
    expect(detailsInOtherEncoding.first[0]?.texts['reason']).not.toContain('Prämie');
    const detailsInChosenEncoding = await rereadFile(detailsInOtherEncoding, { encoding: 'windows-1252', answers: ['encoding'] });
    expect(detailsInChosenEncoding.row.questions).toEqual([]);
    const { id } = await start(detailsInChosenEncoding);
    await runImports(services);
    expect(await entriesOf(id)).toMatchObject([{ reason: 'Prämie für Spieler' }]);
  });

  test('refuses an encoding that contradicts the bytes, with the reason', async () => {
    const details = await addFile(new Uint8Array(Buffer.from(`address,berries,reason\n${ownerAddress},5,Prämie\n`, 'latin1')));
    await expect(rereadFile(details, { encoding: 'utf-8' })).rejects.toMatchObject({
      data: { issues: [{ path: 'encoding', rule: 'notReadableSo' }] },
    });
  });

  test('reads again with another delimiter or first line, and finds the columns', async () => {
    const details = await addFile(`Report;x\naddress;berries;reason\n${ownerAddress};5;a|b\n`);
    expect(details).toMatchObject({ reading: { delimiter: ';', firstLine: 2 }, row: { good: 1 } });
    const detailsWithWrongDelimiter = await rereadFile(details, { delimiter: '|', firstLine: null, headed: null, mapping: null });
    expect(detailsWithWrongDelimiter).toMatchObject({ reading: { delimiter: '|' }, row: { good: 0 } });
    const correctedDetails = await rereadFile(detailsWithWrongDelimiter, {
      delimiter: ';',
      firstLine: 2,
      headed: true,
      mapping: null,
    });
    expect(correctedDetails).toMatchObject({ mapping: { address: 0, berries: 1, reason: 2 }, row: { good: 1 } });
    expect(await rereadFile(correctedDetails, { firstLine: 3, headed: false, mapping: null })).toMatchObject({
      row: { total: 1, good: 1 },
      head: ['A', 'B', 'C'],
    });
  });

  test('fills a field without a column with one value for all rows', async () => {
    const details = await addFile(`address,berries\n${ownerAddress},5\n${ownerAddress},6\n`);
    expect(details).toMatchObject({ missing: ['reason'], row: { good: 0 } });
    const detailsWithFills = await rereadFile(details, { fills: { reason: 'Season 1' } });
    expect(detailsWithFills).toMatchObject({ missing: [], fills: { reason: 'Season 1' }, row: { good: 2 } });
    const { id } = await start(detailsWithFills);
    await runImports(services);
    expect((await entriesOf(id)).map(({ reason }) => reason)).toEqual(['Season 1', 'Season 1']);
  });

  test('shows totals of the valid rows before the start: sums, the largest and repeated rows', async () => {
    const { row } = await addFile(
      csv(
        headerNames,
        [ownerAddress, 500, 'a'],
        [ownerAddress, 1200, 'b'],
        [ownerAddress, 500, 'a'],
        [ownerAddress, -20, 'c'],
        [ownerAddress, 'x', 'd'],
        [ownerAddress, '9,999', 'e'],
      ),
    );
    expect(row).toMatchObject({
      good: 4,
      totals: { added: '2200', removed: '20', largest: { line: 3, amount: '1200' }, duplicates: 1 },
    });
  });
});

describe('ambiguous numbers of an import', () => {
  const ownerAddress = address();
  const table = (delimiter: string, ...cells: string[]) =>
    [headerNames, ...cells.map((cell) => [ownerAddress, cell, 'Quiz'])].map((row) => row.join(delimiter)).join('\n');

  test.each([';', '\t', '|'])('1,200 between %j waits for a person', async (delimiter) => {
    const details = await addFile(table(delimiter, '1,200', '300'));
    expect(details).toMatchObject({
      unclearNumbers: 1,
      reading: { decimal: '.' },
      row: { good: 2, questions: ['numbers'], totals: { added: '1500' } },
      first: [{ texts: { berries: '1,200' }, values: { berries: '1200' } }, {}],
    });
    await expect(start(details)).rejects.toMatchObject({ code: 'INCOMPLETE', data: { fields: ['numbers'] } });
    expect((await rereadFile(details, { answers: ['numbers'] })).row.questions).toEqual([]);
  });

  test('a quoted "1,200" between commas waits for a person too', async () => {
    expect((await addFile(table(',', '"1,200"', '300'))).row.questions).toEqual(['numbers']);
  });

  test('with a decimal comma 1,200 is no whole number, and an answer given before is asked for again', async () => {
    const details = await addFile(table(';', '1,200', '1.500', '300'));
    const answeredDetails = await rereadFile(details, { answers: ['numbers'] });
    const detailsWithComma = await rereadFile(answeredDetails, { decimal: ',' });
    expect(detailsWithComma).toMatchObject({
      row: { good: 2, bad: 1, questions: ['numbers'], totals: { added: '1800' } },
      badRows: [{ line: 2, issues: [{ path: 'berries', rule: 'whole' }] }],
      first: [{ values: null }, { texts: { berries: '1.500' }, values: { berries: '1500' } }, {}],
    });
    const confirmedDetails = await rereadFile(detailsWithComma, { answers: ['numbers'] });
    const { id } = await start(confirmedDetails);
    await runImports(services);
    expect((await entriesOf(id)).map(({ berries }) => berries)).toEqual([1500n, 300n]);
  });

  test('the rows that a question is about are shown wherever they stand in the file', async () => {
    const plainNumbers = Array.from({ length: 40 }, () => '300');
    expect((await addFile(table(';', ...plainNumbers, '1,200', '5'))).uncertain).toMatchObject([
      { line: 42, values: { berries: '1200' } },
    ]);
  });

  test('1.200 is no whole number with a decimal point', async () => {
    expect((await addFile(table(';', '1.200', '300'))).row).toMatchObject({ good: 1, bad: 1, questions: [] });
  });

  test.each([
    ['1,234,567', '.', '1235767'],
    ['1,234.56', '.', '1200'],
    ['12.5', '.', '1200'],
    ['1.234.567', ',', '1234567'],
    ['1.234,56', ',', '0'],
    ['0,200', ',', '0'],
    ['１.２３４,５６', ',', '0'],
  ])('next to %s nothing is asked about 1,200: the decimal mark is %s', async (proof, decimal, extraText) => {
    expect(await addFile(table(';', '1,200', proof))).toMatchObject({
      reading: { decimal },
      unclearNumbers: 0,
      row: { questions: [], totals: { added: extraText } },
    });
  });

  test('numbers that contradict each other settle nothing, and neither does a number of another column', async () => {
    expect((await addFile(table(';', '1,200', '1.234,5', '1,234.5'))).row.questions).toEqual(['numbers']);
    expect((await addFile(`address;berries;reason;price\n${ownerAddress};1,200;Quiz;12.5\n`)).row.questions).toEqual(['numbers']);
  });

  test('a decimal mark that contradicts the file is asked about', async () => {
    const details = await addFile(table(';', '1.200', '1.234,56'));
    expect(details.row).toMatchObject({ good: 1, questions: [] });
    const remappedDetails = await rereadFile(await addFile(table(';', '1,200', '1.234,56')), { decimal: '.' });
    expect(remappedDetails.row).toMatchObject({ good: 1, questions: ['numbers'] });
  });

  test('a number that a person types in a repair is not asked about, and one of the file is', async () => {
    const details = await addFile(`address;berries;reason\n${ownerAddress};many;Quiz\n0x12;1,200;Quiz\n`);
    expect(details.row).toMatchObject({ good: 0, questions: [] });
    const editedDetails = await editRows(details, [
      { line: 2, texts: { address: ownerAddress, berries: '1,200', reason: 'Quiz' } },
    ]);
    expect(editedDetails.row).toMatchObject({ good: 1, questions: [] });
    const secondEdit = await editRows(editedDetails, [
      { line: 3, texts: { address: ownerAddress, berries: '1,200', reason: 'Quiz' } },
    ]);
    expect(secondEdit.row).toMatchObject({ good: 2, questions: ['numbers'] });
  });
});

describe('repairs of an import', () => {
  test('check an invalid row again and import it as edited, with the text in the audit', async () => {
    const ownerAddress = address();
    const details = await addFile(
      csv(headerNames, [ownerAddress, '1,200', 'Quiz'], [ownerAddress, 300, 'Quiz'], ['0x12', 5, 'Quiz']),
    );
    const invalidDetails = await editRows(details, [
      { line: 2, texts: { address: ownerAddress, berries: '1200', reason: 'Quiz' } },
      { line: 4, texts: { address: '0x13', berries: '5', reason: 'Quiz' } },
    ]);
    expect(invalidDetails).toMatchObject({
      row: { good: 2, bad: 1, edited: 2, totals: { added: '1500' } },
      repaired: [{ line: 2, edited: true }],
      badRows: [{ line: 4, edited: true, cells: ['0x12', '5', 'Quiz'], texts: { address: '0x13' } }],
    });
    await expect(editRows(details, [{ line: 2, texts: null }])).rejects.toMatchObject({ code: 'CONFLICT' });
    const { id } = await start(invalidDetails);
    await runImports(services);
    expect(await entriesOf(id)).toMatchObject([
      { importLine: 2, berries: 1200n, reason: 'Quiz' },
      { importLine: 3, berries: 300n },
    ]);
    const [auditRow] = await db
      .select()
      .from(audit)
      .where(and(eq(audit.entityId, id), eq(audit.action, 'editRows')));
    expect(JSON.parse(auditRow?.after ?? '')).toMatchObject({
      edited: 2,
      repairs: [`2 · ${ownerAddress} · 1200 · Quiz`, '4 · 0x13 · 5 · Quiz'],
    });
  });

  test('can be reverted, and end with the reading they were made in', async () => {
    const ownerAddress = address();
    const details = await addFile(csv(headerNames, [ownerAddress, '1,200', 'Quiz'], [ownerAddress, 300, 'Quiz']));
    const editedDetails = await editRows(details, [
      { line: 2, texts: { address: ownerAddress, berries: '1200', reason: 'Quiz' } },
    ]);
    expect(editedDetails.row).toMatchObject({ good: 2, edited: 1 });
    expect((await editRows(editedDetails, [{ line: 2, texts: null }])).row).toMatchObject({ good: 1, bad: 1, edited: 0 });
    const secondEdit = await editRows(await api.pointsImports.details({ id: details.row.id }), [
      { line: 2, texts: { address: ownerAddress, berries: '1200', reason: 'Quiz' } },
    ]);
    expect((await rereadFile(secondEdit, { delimiter: ';', firstLine: null, headed: null, mapping: null })).row.edited).toBe(0);
  });

  test('appear in the download of invalid rows, which is from one moment', async () => {
    const ownerAddress = address();
    const details = await rereadFile(
      await addFile(csv(['address', 'berries', 'note'], ['x', 5, 'a'], [ownerAddress, 'many', 'b'])),
      {
        fills: { reason: 'One' },
      },
    );
    await editRows(details, [{ line: 3, texts: { address: ownerAddress, berries: 'few', reason: 'Two' } }]);
    expect(await api.pointsImports.badRows({ id: details.row.id })).toMatchObject({
      head: ['address', 'berries', 'note'],
      mapping: { address: 0, berries: 1, reason: null },
      rows: [
        { line: 2, cells: ['x', '5', 'a'], texts: { reason: 'One' }, edited: false },
        { line: 3, cells: [ownerAddress, 'many', 'b'], texts: { berries: 'few', reason: 'Two' }, edited: true },
      ],
    });
  });

  test('are refused after the start, as is another reading', async () => {
    const details = await addFile(csv(headerNames, [address(), 5, 'Quiz'], ['x', 5, 'Quiz']));
    const { id, version } = await start(details);
    const started = { ...details, row: { ...details.row, version } };
    await expect(editRows(started, [{ line: 3, texts: { address: address() } }])).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(rereadFile(started, { headed: false })).rejects.toMatchObject({ code: 'CONFLICT' });
    await runImports(services);
    expect((await readImport(id)).imported).toBe(1);
  });
});

describe('running an import', () => {
  test('imports 9,863 of 10,000 rows, and returns the 137 invalid ones with reasons', async () => {
    const invalidLines = new Set(Array.from({ length: 137 }, (_, index) => 3 + index * 71));
    const rows = Array.from({ length: 10_000 }, (_, index) =>
      invalidLines.has(index + 2) ? ['0x12', 'many', ''] : [address(), 1 + (index % 9), `row ${index}`],
    );
    const details = await addFile(csv(headerNames, ...rows));
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
    expect(await readImport(id)).toMatchObject({ state: 'done', worked: 10_000, imported: 9_863 });
    expect(await entriesOf(id)).toHaveLength(9_863);

    const invalidLineNumbers = (await api.pointsImports.badRows({ id })).rows.map(({ line }) => line);
    expect(invalidLineNumbers).toEqual([...invalidLines]);
    expect(await db.select().from(importFiles).where(eq(importFiles.importId, id))).toEqual([]);
  });

  test('has one audit row per step with counts and hash, in the name of the person who started it', async () => {
    const text = csv(headerNames, [address(), 5, 'Quiz'], ['x', 5, 'Quiz']);
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
    const ownerAddress = address();
    const cells = [
      '=1+1',
      '<img src=x onerror=alert(1)>',
      "'; drop table points; --",
      '@SUM(A1)',
      '\u202Eevil',
      '{{constructor}}',
    ];
    const { id, imported } = await importAll(csv(headerNames, ...cells.map((cell) => [ownerAddress, 1, cell])));
    expect(imported).toBe(cells.length);
    expect((await entriesOf(id)).map(({ reason }) => reason)).toEqual(cells);
    const nulImport = await importAll(csv(headerNames, [ownerAddress, 1, 'a\u0000b'], [ownerAddress, 1, 'fine']));
    expect(nulImport).toMatchObject({ imported: 1, worked: 2 });
    const { rows } = await api.pointsImports.badRows({ id: nulImport.id });
    expect(rows).toMatchObject([
      { line: 2, cells: [ownerAddress, '1', 'a\u0000b'], issues: [{ path: 'reason', rule: 'invalid' }] },
    ]);
  });

  test('refuses a row that exceeds the balance, in the order of the file', async () => {
    const ownerAddress = address();
    const details = await addFile(
      csv(
        headerNames,
        [ownerAddress, -1, 'too soon'],
        [ownerAddress, 10, 'gain'],
        [ownerAddress, -4, 'fine'],
        [ownerAddress, -7, 'too much'],
        [ownerAddress, 1, 'more'],
      ),
    );
    expect(details.row).toMatchObject({ good: 3, bad: 2 });
    const { id } = await start(details);
    await runImports(services, { size: 2 });
    expect((await entriesOf(id)).map(({ importLine }) => importLine)).toEqual([3, 4, 6]);
    expect(await readBalance(ownerAddress)).toBe(7n);
  });

  test('works the same for airdrops', async () => {
    const ownerAddress = address();
    const text = csv(
      ['地址', '积分', 'NFT 数量', 'NFT 等级', '阶段'],
      [ownerAddress, 100, 2, 3, 'S1'],
      [ownerAddress, 100, -2, 3, 'S1'],
    );
    const { row } = await api.airdropsImports.add({ file: createFile(text) });
    expect(row).toMatchObject({ total: 2, good: 1, bad: 1 });
    await api.airdropsImports.start({ id: row.id, version: row.version, again: null });
    await runImports(services);
    expect(await db.select().from(airdrops).where(eq(airdrops.importId, row.id))).toMatchObject([
      { address: ownerAddress, berries: 100n, nftNumber: 2, nftLevel: 3, stage: 'S1', importLine: 2 },
    ]);
    await expect(api.pointsImports.details({ id: row.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('importing the same file twice', () => {
  test('names who imported the file before and when, and starts only after that import is confirmed', async () => {
    const text = csv(headerNames, [address(), 5, 'Quiz']);
    const { id } = await importAll(text);
    const duplicateImport = await addFile(text, 'another name.csv');
    expect(duplicateImport.row.earlier).toMatchObject({ id, by: 'admin@demo.local', imported: 1 });
    await expect(start(duplicateImport)).rejects.toMatchObject({ code: 'ALREADY_IMPORTED' });
    await expect(start(duplicateImport, crypto.randomUUID())).rejects.toMatchObject({ code: 'ALREADY_IMPORTED' });
    await start(duplicateImport, id);
    await runImports(services);
    expect(await readImport(duplicateImport.row.id)).toMatchObject({ state: 'done', imported: 1 });
  });

  test('starts only one of two imports of the same file that start together', async () => {
    const text = csv(headerNames, [address(), 5, 'Quiz']);
    const duplicates = await Promise.all([addFile(text), addFile(text)]);
    const outcomes = await Promise.allSettled(duplicates.map((details) => start(details)));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await runImports(services);
  });

  test('is not resumed after another import of the file', async () => {
    const text = csv(headerNames, [address(), 5, 'Quiz']);
    const canceledImport = await cancelImport(await start(await addFile(text)));
    const { id } = await importAll(text);
    await expect(resumeImport(canceledImport)).rejects.toMatchObject({
      code: 'ALREADY_IMPORTED',
      data: { by: ['admin@demo.local'] },
    });
    expect(await readImport(canceledImport.id)).toMatchObject({ state: 'canceled', imported: 0 });
    await api.pointsImports.undo({ id, version: (await readImport(id)).version });
    await resumeImport(canceledImport);
    await runImports(services);
    expect(await readImport(canceledImport.id)).toMatchObject({ state: 'done', imported: 1 });
  });

  test('resumes one of two canceled imports', async () => {
    const text = csv(headerNames, [address(), 5, 'Quiz']);
    const firstCanceled = await cancelImport(await start(await addFile(text)));
    const secondCanceled = await cancelImport(await start(await addFile(text)));
    const outcomes = await Promise.allSettled([resumeImport(firstCanceled), resumeImport(secondCanceled)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await runImports(services);
    expect((await readImport(firstCanceled.id)).imported + (await readImport(secondCanceled.id)).imported).toBe(1);
  });

  test('resumes an import that was started after the earlier one was confirmed', async () => {
    const text = csv(headerNames, [address(), 5, 'Quiz']);
    const { id } = await importAll(text);
    const canceledImport = await cancelImport(await start(await addFile(text), id));
    await resumeImport(canceledImport);
    await runImports(services);
    expect(await readImport(canceledImport.id)).toMatchObject({ state: 'done', imported: 1 });
  });

  test('ignores an undone import of the same file', async () => {
    const text = csv(headerNames, [address(), 5, 'Quiz']);
    const { id, version } = await importAll(text);
    await api.pointsImports.undo({ id, version });
    expect((await addFile(text)).row.earlier).toBeNull();
  });
});

describe('canceling and resuming an import', () => {
  const rows = (count: number) =>
    csv(headerNames, ...Array.from({ length: count }, (_, index) => [address(), 1, `row ${index}`]));

  test('stops between two batches, and continues from there', async () => {
    const { id, version } = await start(await addFile(rows(50)));
    await runImports(services, {
      size: 10,
      continueImport: async (batches) => {
        if (batches === 2) await api.pointsImports.cancel({ id, version });
        return true;
      },
    });
    const canceledImport = await readImport(id);
    expect(canceledImport).toMatchObject({ state: 'canceled', worked: 20, imported: 20 });
    const resumedImport = await api.pointsImports.resume({ id, version: canceledImport.version });
    await expect(api.pointsImports.resume({ id, version: resumedImport.version })).rejects.toMatchObject({ code: 'CONFLICT' });
    await runImports(services, { size: 10 });
    expect(await readImport(id)).toMatchObject({ state: 'done', worked: 50, imported: 50 });
    expect((await entriesOf(id)).map(({ importLine }) => importLine)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 2),
    );
  });

  test('deletes an import that was not started, with its file', async () => {
    const { row } = await addFile(rows(2));
    expect(await api.pointsImports.cancel({ id: row.id, version: row.version })).toEqual({ row: null });
    expect(await api.pointsImports.many({ ids: [row.id] })).toEqual([]);
  });

  test('imports each row once with several runners', async () => {
    const startedImports = await Promise.all([1, 2, 3].map(async () => start(await addFile(rows(40)))));
    await Promise.all([1, 2, 3, 4].map(() => runImports(services, { size: 7 })));
    const ids = startedImports.map(({ id }) => id);
    expect(await db.select().from(points).where(inArray(points.importId, ids))).toHaveLength(120);
    expect((await api.pointsImports.many({ ids })).map(({ state, imported }) => [state, imported])).toEqual(
      ids.map(() => ['done', 40]),
    );
  });

  test('writes nothing after its lease was taken over', async () => {
    const { id } = await start(await addFile(rows(30)));
    let otherRunner: Promise<void> | null = null;
    await runImports(services, {
      size: 10,
      continueImport: async (batches) => {
        if (batches > 1) return true;
        app.clock.now += 30_001;
        otherRunner = runImports(services, { size: 5 });
        await otherRunner;
        return true;
      },
    });
    expect(await readImport(id)).toMatchObject({ state: 'done', worked: 30, imported: 30 });
    expect(await entriesOf(id)).toHaveLength(30);
  });

  longTest(
    'a runner that is killed at any moment loses nothing and doubles nothing',
    { timeout: inTier(60_000, 180_000) },
    async () => {
      const random = seededRandom(20_261_121);
      const size = inTier(1_000, 2_000);
      const { id } = await start(await addFile(rows(size)));
      let kills = 0;
      while ((await readImport(id)).state === 'running') {
        const child = fork(worker, {
          execArgv: [],
          env: { ...process.env, DATABASE_URL: app.database.url, DATA_DIR: app.config.dataDir },
        });
        const childExit = once(child, 'exit');
        // Several processes import up to five of the 20 or 40 batches and are killed during or after the next. The last one
        // finishes.
        const max = kills < inTier(3, 6) ? 1 + Math.floor(random() * 5) : Infinity;
        const killDelayMs = random() * 20;
        let batches = 0;
        child.on('message', (workerMessage) => {
          if (workerMessage === 'idle') child.kill('SIGKILL'); // nothing left: the lease of the one before, or the end
          if (workerMessage !== 'batch' || ++batches > max) return;
          child.send('go on');
          if (batches < max) return;
          kills++;
          setTimeout(() => child.kill('SIGKILL'), killDelayMs);
        });
        await childExit;
        await sleep(200);
      }
      expect(kills).toBeGreaterThan(inTier(2, 3));
      expect(await readImport(id)).toMatchObject({ state: 'done', worked: size, imported: size });
      expect((await entriesOf(id)).map(({ importLine }) => importLine)).toEqual(
        Array.from({ length: size }, (_, index) => index + 2),
      );
      const [auditCount] = await db
        .select({ value: count() })
        .from(audit)
        .where(and(eq(audit.entityId, id), eq(audit.action, 'done')));
      expect(auditCount?.value).toBe(1);
    },
  );

  test('interrupts an import after five failed attempts and lets it be resumed', async () => {
    const { id } = await start(await addFile(rows(5)));
    const [kept] = await db.select().from(importFiles).where(eq(importFiles.importId, id));
    await db.delete(importFiles).where(eq(importFiles.importId, id));
    for (let attempt = 0; attempt < 5; attempt++) {
      await runImports(services);
      app.clock.now += 60_000;
    }
    const failedImport = await readImport(id);
    expect(failedImport).toMatchObject({ state: 'failed', imported: 0 });
    if (kept) await db.insert(importFiles).values(kept);
    await api.pointsImports.resume({ id, version: failedImport.version });
    await runImports(services);
    expect(await readImport(id)).toMatchObject({ state: 'done', imported: 5 });
  });
});

test('limits the total size of the files of a person’s unfinished imports', async () => {
  const isWaiting = eq(imports.state, 'checked');
  await db.delete(imports).where(inArray(imports.state, ['checked', 'canceled', 'failed']));
  const { row } = await addFile(csv(headerNames, [address(), 1, 'waits']));
  const [waitingImport] = await db
    .update(imports)
    .set({ bytes: waitingLimit - 200 })
    .where(isWaiting)
    .returning();
  const addSmallFile = () => addFile(csv(headerNames, [address(), 1, 'some ninety bytes']));
  const expectedError = { code: 'BAD_REQUEST', data: { issues: [{ path: 'file', rule: 'tooMuchWaiting' }] } };
  const outcomes = await Promise.allSettled([addSmallFile(), addSmallFile(), addSmallFile(), addSmallFile()]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2); // also of concurrent ones
  await expect(addSmallFile()).rejects.toMatchObject(expectedError);
  await db.update(imports).set({ administratorId: null }).where(isWaiting); // other people's files do not count
  expect((await addSmallFile()).row.state).toBe('checked');
  await db.update(imports).set({ administratorId: waitingImport?.administratorId }).where(isWaiting);
  await expect(addSmallFile()).rejects.toMatchObject(expectedError);
  await api.pointsImports.cancel({ id: row.id, version: row.version });
  expect((await addSmallFile()).row.state).toBe('checked');
  await db.delete(imports).where(isWaiting);
});

test('deletes a file that was not started within a week', async () => {
  const draftDetails = await addFile(csv(headerNames, [address(), 5, 'Quiz']));
  const { id } = await importAll(csv(headerNames, [address(), 5, 'Quiz']));
  await deleteExpiredDrafts({ ...services, now: () => app.clock.now + 6 * 86_400_000 });
  expect(await api.pointsImports.many({ ids: [draftDetails.row.id, id] })).toHaveLength(2);
  await deleteExpiredDrafts({ ...services, now: () => app.clock.now + 8 * 86_400_000 });
  expect((await api.pointsImports.many({ ids: [draftDetails.row.id, id] })).map((row) => row.id)).toEqual([id]);
});

describe('undoing an import', () => {
  test('reverses every entry and restores the balances', async () => {
    const [firstAddress, secondAddress] = [address(), address()];
    const { id, version } = await importAll(
      csv(headerNames, [firstAddress, 5, 'a'], [secondAddress, 7, 'b'], [firstAddress, -2, 'c']),
    );
    const undoneImport = await api.pointsImports.undo({ id, version });
    expect(undoneImport.state).toBe('undone');
    expect([await readBalance(firstAddress), await readBalance(secondAddress)]).toEqual([0n, 0n]);
    const ids = (await entriesOf(id)).map((entry) => entry.id);
    expect(await db.select().from(points).where(inArray(points.reverses, ids))).toHaveLength(3);
    await expect(api.pointsImports.undo({ id, version: undoneImport.version })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('stops a running import and undoes it', async () => {
    const ownerAddress = address();
    const { id, version } = await start(
      await addFile(csv(headerNames, ...Array.from({ length: 30 }, () => [ownerAddress, 1, 'x']))),
    );
    await runImports(services, {
      size: 10,
      continueImport: async (batches) => {
        if (batches === 1) await api.pointsImports.undo({ id, version });
        return true;
      },
    });
    expect(await readImport(id)).toMatchObject({ state: 'undone', worked: 10 });
    expect(await readBalance(ownerAddress)).toBe(0n);
  });

  test('is refused without changes when berries were spent', async () => {
    const [spentAddress, kept] = [address(), address()];
    const { id, version } = await importAll(csv(headerNames, [spentAddress, 5, 'a'], [kept, 5, 'a']));
    await importAll(csv(headerNames, [spentAddress, -1, 'spent']));
    await expect(api.pointsImports.undo({ id, version })).rejects.toMatchObject({
      code: 'BALANCE_TOO_LOW',
      data: { addresses: [spentAddress] },
    });
    expect([await readBalance(spentAddress), await readBalance(kept)]).toEqual([4n, 5n]);
    expect(await readImport(id)).toMatchObject({ state: 'done' });
  });

  test('is refused when an entry was reversed or an airdrop edited', async () => {
    const ownerAddress = address();
    const { id, version } = await importAll(csv(headerNames, [ownerAddress, 5, 'a'], [ownerAddress, 50, 'b']));
    const [entry] = await entriesOf(id);
    await db.insert(points).values({
      id: crypto.randomUUID(),
      address: ownerAddress,
      berries: -5n,
      reason: 'by hand',
      source: 'reversal',
      reverses: entry?.id ?? '',
      administratorEmail: 'x@example.com',
      createdAt: new Date(),
    });
    await expect(api.pointsImports.undo({ id, version })).rejects.toMatchObject({ code: 'NOT_REVERSIBLE' });

    const { row } = await api.airdropsImports.add({
      file: createFile(csv(['address', 'berries', 'nftNumber', 'nftLevel', 'stage'], [ownerAddress, 1, 1, 1, 'x'])),
    });
    await api.airdropsImports.start({ id: row.id, version: row.version, again: null });
    await runImports(services);
    const isOfImport = eq(airdrops.importId, row.id);
    await db.update(airdrops).set({ version: 2 }).where(isOfImport);
    const [doneImport] = await api.airdropsImports.many({ ids: [row.id] });
    const expectedVersion = { id: row.id, version: doneImport?.version ?? 0 };
    await expect(api.airdropsImports.undo(expectedVersion)).rejects.toMatchObject({ code: 'BUILT_ON' });
    await db.update(airdrops).set({ version: 1 }).where(isOfImport);
    expect((await api.airdropsImports.undo(expectedVersion)).state).toBe('undone');
    expect(await db.select().from(airdrops).where(isOfImport)).toEqual([]);
  });
});

test('shows a read-only role the list of imports but nothing of their files', async () => {
  const { row } = await addFile(csv(headerNames, [address(), 5, 'Quiz']));
  const analyst = await signInAs(app, 'analyst');
  const list = await analyst.api.pointsImports.list({
    sort: 'createdAt',
    direction: 'desc',
    filter: {},
    cursor: null,
    limit: 50,
  });
  expect(list.rows.some(({ id }) => id === row.id)).toBe(true);
  const expectedVersion = { id: row.id, version: row.version };
  const { pointsImports: routes } = analyst.api;
  for (const call of [
    () => routes.add({ file: createFile('a') }),
    () => routes.details({ id: row.id }),
    () => routes.badRows({ id: row.id }),
    () => routes.start({ ...expectedVersion, again: null }),
    () => routes.cancel(expectedVersion),
    () => routes.editRows({ ...expectedVersion, rows: [{ line: 2, texts: null }] }),
    () => routes.undo(expectedVersion),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect((await db.select().from(importRows).where(eq(importRows.importId, row.id))).length).toBe(0);
  expect(await db.select({ state: imports.state }).from(imports).where(eq(imports.id, row.id))).toEqual([{ state: 'checked' }]);
});
