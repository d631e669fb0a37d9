import { describe, expect, test } from 'vitest';
import { airdropFields, type AirdropFilter, type AirdropRow } from '../../api/rewards/airdrops.ts';
import { toChecksumAddress } from '../../api/evm.ts';
import { readCsv } from '../platform/core/csv.ts';
import { newId } from '../platform/core/ids.ts';
import { send, signInAs, testApp, type TestApi } from '../testing/support.ts';

const app = await testApp();
const { api, headers } = await signInAs(app, 'all');
const analyst = await signInAs(app, 'analyst');
const editor = await signInAs(app, 'editor');

let next = 1;
const address = (number: number = next++) => toChecksumAddress(`0x${number.toString(16).padStart(40, 'b')}`);
const fields = (more: Partial<AirdropRow> = {}) => ({
  address: more.address ?? address(),
  berries: more.berries ?? '100',
  nftNumber: more.nftNumber ?? 2,
  nftLevel: more.nftLevel ?? 3,
  stage: more.stage ?? 'Stage 1',
});
const itemOf = ({ id, version }: AirdropRow) => ({ id, version });

async function listed(filter: AirdropFilter, sort: 'createdAt' | 'berries' = 'createdAt', direction: 'asc' | 'desc' = 'desc') {
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
const historyOf = async (id: string) => (await api.airdrops.history({ id })).entries;

test('an airdrop can be added, read and edited, and an outdated version conflicts', async () => {
  const row = await api.airdrops.add({ ...fields(), address: address(77).toLowerCase(), berries: '1,000' });
  expect(row).toMatchObject({ address: address(77), berries: '1000', nftNumber: 2, nftLevel: 3, stage: 'Stage 1', version: 1 });
  const edited = await api.airdrops.edit({ ...fields({ berries: '1000000000000' }), id: row.id, version: 1 });
  expect(edited).toMatchObject({ berries: '1000000000000', version: 2 });
  await expect(api.airdrops.edit({ ...fields(), id: row.id, version: 1 })).rejects.toMatchObject({
    code: 'CONFLICT',
    data: { current: edited },
  });
  expect(await api.airdrops.many({ ids: [newId(), row.id] })).toEqual([edited]);
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
])('%j is refused at %s: %s', (wrong, path, rule) => {
  const parsed = airdropFields.safeParse({ ...fields(), ...wrong });
  expect(parsed.error?.issues[0]).toMatchObject({ path: [path], message: rule });
});

describe('level and stage', () => {
  test('can be set on many, with history, and an undo restores different values', async () => {
    const rows = await Promise.all([1, 2, 2].map((nftLevel) => api.airdrops.add(fields({ nftLevel }))));
    const { done, failed } = await api.airdrops.setLevel({ items: rows.map(itemOf), nftLevel: 2 });
    expect(failed).toEqual([]);
    expect(done.map(({ nftLevel, version }) => [nftLevel, version])).toEqual([
      [2, 2],
      [2, 1],
      [2, 1],
    ]);
    const other = await api.airdrops.setLevel({ items: done.map(itemOf), nftLevel: 9 });
    const back = await api.airdrops.setLevel({
      items: other.done.map(itemOf),
      nftLevel: 0,
      each: Object.fromEntries(rows.map(({ id, nftLevel }) => [id, nftLevel])),
    });
    expect(back.done.map(({ nftLevel }) => nftLevel)).toEqual([1, 2, 2]);
    expect((await historyOf(rows[0]?.id ?? '')).map(({ after }) => after?.['nftLevel'])).toEqual([1, 9, 2, 1]);
    const staged = await api.airdrops.setStage({ items: back.done.map(itemOf), stage: ' 第二阶段 ' });
    expect(new Set(staged.done.map(({ stage }) => stage))).toEqual(new Set(['第二阶段']));
  });

  test('fail only for rows that changed since', async () => {
    const [one, two] = [await api.airdrops.add(fields()), await api.airdrops.add(fields())];
    await api.airdrops.setStage({ items: [itemOf(two)], stage: 'elsewhere' });
    const { done, failed } = await api.airdrops.setStage({ items: [itemOf(one), itemOf(two)], stage: 'here' });
    expect(done.map(({ id }) => id)).toEqual([one.id]);
    expect(failed).toEqual([{ id: two.id, code: 'CONFLICT' }]);
  });
});

test('a deleted airdrop is restored from its history under its id', async () => {
  const row = await api.airdrops.add(fields({ stage: 'gone' }));
  expect(await api.airdrops.remove({ items: [itemOf(row)] })).toMatchObject({ done: [{ id: row.id }], failed: [] });
  const [removed] = await historyOf(row.id);
  const back = await api.airdrops.restore({ entry: removed?.id ?? '', state: 'before', version: null });
  expect(back).toMatchObject({ ...fields(row), id: row.id, version: 2, createdAt: row.createdAt });
  await api.airdrops.edit({ ...fields({ stage: 'later' }), ...itemOf(back) });
  const added = (await historyOf(row.id)).at(-1);
  expect(await api.airdrops.restore({ entry: added?.id ?? '', state: 'after', version: 3 })).toMatchObject({
    stage: 'gone',
    version: 4,
  });
});

test('changes require their permissions', async () => {
  const row = await api.airdrops.add(fields());
  const items = [itemOf(row)];
  for (const attempt of [
    () => analyst.api.airdrops.add(fields()),
    () => analyst.api.airdrops.edit({ ...fields(), ...itemOf(row) }),
    () => analyst.api.airdrops.setLevel({ items, nftLevel: 1 }),
    () => analyst.api.airdrops.setStage({ items, stage: 's' }),
    () => analyst.api.airdrops.remove({ items }),
    () => editor.api.airdrops.export({ sort: 'createdAt', direction: 'desc', filter: {}, locale: 'zh-CN' }),
    () => editor.api.airdrops.history({ id: row.id }),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(await analyst.api.airdrops.many({ ids: [row.id] })).toEqual([row]);
});

test('the list is filtered, sorted numerically by berries, and exported alike', async () => {
  for (const [berries, nftLevel, stage] of [
    ['9', 5, '=cmd'],
    ['1000', 5, '-1'],
    ['20', 5, 'x\r\ny,"z"'],
    ['30', 6, 'other'],
  ] as const) {
    await api.airdrops.add(fields({ berries, nftLevel, stage, address: address(0xabc00 + nftLevel) }));
    app.clock.now += 10;
  }
  const berries = (rows: AirdropRow[]) => rows.map((row) => row.berries);
  expect(berries(await listed({ nftLevel: '5' }, 'berries', 'asc'))).toEqual(['9', '20', '1000']);
  await expect(listed({ nftLevel: 'five' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(berries(await listed({ nftLevel: '!5', berries: '..30' }))).toEqual(['30']);
  expect(berries(await listed({ stage: 'other' }))).toEqual(['30']);
  expect(berries(await listed({ address: address(0xabc06).toLowerCase() }))).toEqual(['30']);
  expect(berries(await listed({ address: address(0xabc06).slice(0, 38) }))).toEqual(['30', '20', '1000', '9']);

  const { id, rows } = await api.airdrops.export({
    sort: 'berries',
    direction: 'desc',
    filter: { nftLevel: '5' },
    locale: 'zh-CN',
  });
  const answer = await send(app, 'GET', `/api/NFTAirdrop/export/${id}`, undefined, headers);
  async function* text() {
    yield await answer.text();
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
