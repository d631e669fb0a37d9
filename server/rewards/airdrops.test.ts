import { describe, expect, test } from 'vitest';
import { airdropFields, type AirdropFilter, type AirdropRow } from '../../api/rewards/airdrops.ts';
import { toChecksumAddress } from '../../api/evm.ts';
import { readCsv } from '../platform/core/csv.ts';
import { newId } from '../platform/core/ids.ts';
import { send, signInAs, createTestApp, type TestApi } from '../testing/support.ts';

const app = await createTestApp();
const { api, headers } = await signInAs(app, 'all');
const analystSession = await signInAs(app, 'analyst');
const editorSession = await signInAs(app, 'editor');

let nextAddress = 1;
const createAddress = (number: number = nextAddress++) => toChecksumAddress(`0x${number.toString(16).padStart(40, 'b')}`);
const createFields = (overrides: Partial<AirdropRow> = {}) => ({
  address: overrides.address ?? createAddress(),
  berries: overrides.berries ?? '100',
  nftNumber: overrides.nftNumber ?? 2,
  nftLevel: overrides.nftLevel ?? 3,
  stage: overrides.stage ?? 'Stage 1',
});
const toItem = ({ id, version }: AirdropRow) => ({ id, version });

async function listAirdrops(
  filter: AirdropFilter,
  sort: 'createdAt' | 'berries' = 'createdAt',
  direction: 'asc' | 'desc' = 'desc',
) {
  const rows: AirdropRow[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<TestApi['airdrops']['list']>> = await api.airdrops.list({
      sort,
      direction,
      filter,
      cursor,
      limit: 2,
    });
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return rows;
}
const readHistory = async (id: string) => (await api.airdrops.history({ id })).entries;

test('an airdrop can be added, read and edited, and an outdated version conflicts', async () => {
  const row = await api.airdrops.add({ ...createFields(), address: createAddress(77).toLowerCase(), berries: '1,000' });
  expect(row).toMatchObject({
    address: createAddress(77),
    berries: '1000',
    nftNumber: 2,
    nftLevel: 3,
    stage: 'Stage 1',
    version: 1,
  });
  const editedAirdrop = await api.airdrops.edit({ ...createFields({ berries: '1000000000000' }), id: row.id, version: 1 });
  expect(editedAirdrop).toMatchObject({ berries: '1000000000000', version: 2 });
  await expect(api.airdrops.edit({ ...createFields(), id: row.id, version: 1 })).rejects.toMatchObject({
    code: 'CONFLICT',
    data: { current: editedAirdrop },
  });
  expect(await api.airdrops.many({ ids: [newId(), row.id] })).toEqual([editedAirdrop]);
});

test.each([
  [{ berries: '' }, 'berries', 'required'],
  [{ nftLevel: '' }, 'nftLevel', 'required'],
  [{ nftLevel: undefined }, 'nftLevel', 'required'],
  [{ nftNumber: '-1' }, 'nftNumber', 'range'],
  [{ nftLevel: '2147483648' }, 'nftLevel', 'range'],
  [{ nftLevel: 1.5 }, 'nftLevel', 'required'],
  [{ nftLevel: '1.5' }, 'nftLevel', 'whole'],
  [{ berries: '-1' }, 'berries', 'range'],
  [{ stage: '   ' }, 'stage', 'required'],
  [{ stage: 'x'.repeat(101) }, 'stage', 'tooLong'],
  [{ address: '0x1' }, 'address', 'address'],
])('%j is refused at %s: %s', (invalidFields, path, rule) => {
  const parseResult = airdropFields.safeParse({ ...createFields(), ...invalidFields });
  expect(parseResult.error?.issues[0]).toMatchObject({ path: [path], message: rule });
});

describe('level and stage', () => {
  test('can be set on many, with history, and an undo restores different values', async () => {
    const rows = await Promise.all([1, 2, 2].map((nftLevel) => api.airdrops.add(createFields({ nftLevel }))));
    const { done, failed } = await api.airdrops.setLevel({ items: rows.map(toItem), nftLevel: 2 });
    expect(failed).toEqual([]);
    expect(done.map(({ nftLevel, version }) => [nftLevel, version])).toEqual([
      [2, 2],
      [2, 1],
      [2, 1],
    ]);
    const otherLevelResult = await api.airdrops.setLevel({ items: done.map(toItem), nftLevel: 9 });
    const restoredLevels = await api.airdrops.setLevel({
      items: otherLevelResult.done.map(toItem),
      nftLevel: 0,
      each: Object.fromEntries(rows.map(({ id, nftLevel }) => [id, nftLevel])),
    });
    expect(restoredLevels.done.map(({ nftLevel }) => nftLevel)).toEqual([1, 2, 2]);
    expect((await readHistory(rows[0]?.id ?? '')).map(({ after }) => after?.['nftLevel'])).toEqual([1, 9, 2, 1]);
    const stageResult = await api.airdrops.setStage({ items: restoredLevels.done.map(toItem), stage: ' 第二阶段 ' });
    expect(new Set(stageResult.done.map(({ stage }) => stage))).toEqual(new Set(['第二阶段']));
  });

  test('fail only for rows that changed since', async () => {
    const [firstAirdrop, secondAirdrop] = [await api.airdrops.add(createFields()), await api.airdrops.add(createFields())];
    await api.airdrops.setStage({ items: [toItem(secondAirdrop)], stage: 'elsewhere' });
    const { done, failed } = await api.airdrops.setStage({ items: [toItem(firstAirdrop), toItem(secondAirdrop)], stage: 'here' });
    expect(done.map(({ id }) => id)).toEqual([firstAirdrop.id]);
    expect(failed).toEqual([{ id: secondAirdrop.id, code: 'CONFLICT' }]);
  });
});

test('a deleted airdrop is restored from its history under its id', async () => {
  const row = await api.airdrops.add(createFields({ stage: 'gone' }));
  expect(await api.airdrops.remove({ items: [toItem(row)] })).toMatchObject({ done: [{ id: row.id }], failed: [] });
  const [removeEntry] = await readHistory(row.id);
  const restoredAirdrop = await api.airdrops.restore({ entry: removeEntry?.id ?? '', state: 'before', version: null });
  expect(restoredAirdrop).toMatchObject({ ...createFields(row), id: row.id, version: 2, createdAt: row.createdAt });
  await api.airdrops.edit({ ...createFields({ stage: 'later' }), ...toItem(restoredAirdrop) });
  const addEntry = (await readHistory(row.id)).at(-1);
  expect(await api.airdrops.restore({ entry: addEntry?.id ?? '', state: 'after', version: 3 })).toMatchObject({
    stage: 'gone',
    version: 4,
  });
});

test('changes require their permissions', async () => {
  const row = await api.airdrops.add(createFields());
  const items = [toItem(row)];
  for (const attempt of [
    () => analystSession.api.airdrops.add(createFields()),
    () => analystSession.api.airdrops.edit({ ...createFields(), ...toItem(row) }),
    () => analystSession.api.airdrops.setLevel({ items, nftLevel: 1 }),
    () => analystSession.api.airdrops.setStage({ items, stage: 's' }),
    () => analystSession.api.airdrops.remove({ items }),
    () => editorSession.api.airdrops.export({ sort: 'createdAt', direction: 'desc', filter: {}, locale: 'zh-CN' }),
    () => editorSession.api.airdrops.history({ id: row.id }),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(await analystSession.api.airdrops.many({ ids: [row.id] })).toEqual([row]);
});

test('the list is filtered, sorted numerically by berries, and exported alike', async () => {
  for (const [berries, nftLevel, stage] of [
    ['9', 5, '=cmd'],
    ['1000', 5, '-1'],
    ['20', 5, 'x\r\ny,"z"'],
    ['30', 6, 'other'],
  ] as const) {
    await api.airdrops.add(createFields({ berries, nftLevel, stage, address: createAddress(0xabc00 + nftLevel) }));
    app.clock.now += 10;
  }
  const berriesOf = (rows: AirdropRow[]) => rows.map((row) => row.berries);
  expect(berriesOf(await listAirdrops({ nftLevel: '5' }, 'berries', 'asc'))).toEqual(['9', '20', '1000']);
  await expect(listAirdrops({ nftLevel: 'five' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(berriesOf(await listAirdrops({ nftLevel: '!5', berries: '..30' }))).toEqual(['30']);
  expect(berriesOf(await listAirdrops({ stage: 'other' }))).toEqual(['30']);
  expect(berriesOf(await listAirdrops({ address: createAddress(0xabc06).toLowerCase() }))).toEqual(['30']);
  expect(berriesOf(await listAirdrops({ address: createAddress(0xabc06).slice(0, 38) }))).toEqual(['30', '20', '1000', '9']);

  const { id, rows } = await api.airdrops.export({
    sort: 'berries',
    direction: 'desc',
    filter: { nftLevel: '5' },
    locale: 'zh-CN',
  });
  const response = await send(app, 'GET', `/api/NFTAirdrop/export/${id}`, undefined, headers);
  async function* text() {
    yield await response.text();
  }
  const records = [];
  for await (const record of readCsv(text())) records.push(record);
  expect(rows).toBe(3);
  expect(records[0]?.slice(0, 5)).toEqual(['地址', '积分', 'NFT 数量', 'NFT 等级', '阶段']);
  expect(records.slice(1).map(([, points, number, level, stage]) => [points, number, level, stage])).toEqual([
    ['1000', '2', '5', "'-1"],
    ['20', '2', '5', 'x\r\ny,"z"'],
    ['9', '2', '5', "'=cmd"],
  ]);
});
