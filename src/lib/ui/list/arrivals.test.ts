import { beforeEach, describe, expect, it } from 'vitest';
import { holdArrivals } from './arrivals.tsx';
import type { PageInput } from './use-list.ts';

interface Row {
  id: string;
  at: string;
  open: boolean;
}
type Input = PageInput<'at' | 'name'>;

let rows: Row[] = [];
const row = (n: number, open = true): Row => ({ id: `r${n}`, at: `2025-01-01T00:${String(n).padStart(2, '0')}`, open });
const asked = (rest: Partial<Input> = {}): Input => ({
  sort: 'at',
  direction: 'desc',
  filter: {},
  cursor: null,
  limit: 3,
  ...rest,
});
const never = new AbortController().signal;

const server = (input: Input) => {
  const fitting = rows.filter(({ open }) => input.filter['open'] === undefined || String(open) === input.filter['open']);
  const ordered = input.direction === 'desc' ? fitting.toReversed() : fitting;
  const from = input.cursor === null ? 0 : ordered.findIndex(({ id }) => id === input.cursor) + 1;
  const page = ordered.slice(from, from + input.limit);
  const hasMore = from + input.limit < ordered.length;
  return Promise.resolve({
    rows: page,
    nextCursor: hasMore ? (page.at(-1)?.id ?? null) : null,
    count: input.cursor === null ? { value: fitting.length, kind: 'exact' as const } : null,
  });
};
const make = () =>
  holdArrivals<Row, 'at' | 'name'>({
    resource: 'rows',
    sort: 'at',
    at: ({ at }) => at,
    load: server,
  });
const idsOf = (page: { rows: Row[] }) => page.rows.map(({ id }) => id);

beforeEach(() => {
  rows = [1, 2, 3, 4, 5].map((n) => row(n));
});

describe('a list with new rows from outside', () => {
  it('shows existing rows and holds back newer ones, on every page and in the count', async () => {
    const arrivals = make();
    const first = await arrivals.load(asked(), never);
    expect([idsOf(first), first.count?.value, arrivals.$waiting.get()]).toEqual([['r5', 'r4', 'r3'], 5, 0]);
    rows.push(row(6), row(7), row(8), row(9));
    const again = await arrivals.load(asked(), never);
    expect([idsOf(again), again.nextCursor, arrivals.$waiting.get()]).toEqual([[], 'r7', 3]);
    expect(idsOf(await arrivals.load(asked({ cursor: 'r7' }), never))).toEqual(['r5', 'r4']);
    rows.pop();
    rows.pop();
    const fewer = await arrivals.load(asked(), never);
    expect([idsOf(fewer), fewer.count?.value, arrivals.$waiting.get()]).toEqual([['r5'], 5, 2]);
  });

  it('counts waiting rows without a refetch, and shows them on request', async () => {
    const arrivals = make();
    await arrivals.load(asked(), never);
    rows.push(row(6));
    await arrivals.look();
    expect(arrivals.$waiting.get()).toBe(1);
    await arrivals.show();
    expect(arrivals.$waiting.get()).toBe(0);
    expect(idsOf(await arrivals.load(asked(), never))).toEqual(['r6', 'r5', 'r4']);
  });

  it('shows earlier rows that an undo restores', async () => {
    const arrivals = make();
    const shut = row(4, false);
    rows = [row(1), row(2), row(3), shut, row(5)];
    expect(idsOf(await arrivals.load(asked({ filter: { open: 'true' } }), never))).toEqual(['r5', 'r3', 'r2']);
    shut.open = true;
    expect(idsOf(await arrivals.load(asked({ filter: { open: 'true' } }), never))).toEqual(['r5', 'r4', 'r3']);
  });

  it('shows all rows for another query, and sorts new rows in place under another order', async () => {
    const arrivals = make();
    await arrivals.load(asked(), never);
    rows.push(row(6));
    expect(idsOf(await arrivals.load(asked({ filter: { open: 'true' } }), never))).toEqual(['r6', 'r5', 'r4']);
    await arrivals.load(asked({ direction: 'asc', limit: 9 }), never);
    rows.push(row(7));
    expect(idsOf(await arrivals.load(asked({ direction: 'asc', limit: 9 }), never)).at(-1)).toBe('r7');
  });

  it('holds back nothing in an empty list', async () => {
    rows = [];
    const arrivals = make();
    await arrivals.load(asked(), never);
    rows.push(row(1));
    expect(idsOf(await arrivals.load(asked(), never))).toEqual(['r1']);
  });
});
