import { beforeEach, describe, expect, it } from 'vitest';
import { createArrivalsStore } from './arrivals.tsx';
import type { PageInput } from './use-list.ts';

interface Row {
  id: string;
  at: string;
  open: boolean;
}
type Input = PageInput<'at' | 'name'>;

let rows: Row[] = [];
const createRow = (n: number, isOpen = true): Row => ({
  id: `r${n}`,
  at: `2025-01-01T00:${String(n).padStart(2, '0')}`,
  open: isOpen,
});
const createInput = (overrides: Partial<Input> = {}): Input => ({
  sort: 'at',
  direction: 'desc',
  filter: {},
  cursor: null,
  limit: 3,
  ...overrides,
});
const neverAborted = new AbortController().signal;

const server = (input: Input) => {
  const matchingRows = rows.filter(({ open }) => input.filter['open'] === undefined || String(open) === input.filter['open']);
  const orderedRows = input.direction === 'desc' ? matchingRows.toReversed() : matchingRows;
  const from = input.cursor === null ? 0 : orderedRows.findIndex(({ id }) => id === input.cursor) + 1;
  const page = orderedRows.slice(from, from + input.limit);
  const hasMore = from + input.limit < orderedRows.length;
  return Promise.resolve({
    rows: page,
    nextCursor: hasMore ? (page.at(-1)?.id ?? null) : null,
    count: input.cursor === null ? { value: matchingRows.length, kind: 'exact' as const } : null,
  });
};
const createArrivals = () =>
  createArrivalsStore<Row, 'at' | 'name'>({
    resource: 'rows',
    sort: 'at',
    at: ({ at }) => at,
    load: server,
  });
const readIds = (page: { rows: Row[] }) => page.rows.map(({ id }) => id);

beforeEach(() => {
  rows = [1, 2, 3, 4, 5].map((n) => createRow(n));
});

describe('a list with new rows from outside', () => {
  it('shows existing rows and holds back newer ones, on every page and in the count', async () => {
    const arrivals = createArrivals();
    const firstPage = await arrivals.load(createInput(), neverAborted);
    expect([readIds(firstPage), firstPage.count?.value, arrivals.$waiting.get()]).toEqual([['r5', 'r4', 'r3'], 5, 0]);
    rows.push(createRow(6), createRow(7), createRow(8), createRow(9));
    const repeatedPage = await arrivals.load(createInput(), neverAborted);
    expect([readIds(repeatedPage), repeatedPage.nextCursor, arrivals.$waiting.get()]).toEqual([[], 'r7', 3]);
    expect(readIds(await arrivals.load(createInput({ cursor: 'r7' }), neverAborted))).toEqual(['r5', 'r4']);
    rows.pop();
    rows.pop();
    const smallerPage = await arrivals.load(createInput(), neverAborted);
    expect([readIds(smallerPage), smallerPage.count?.value, arrivals.$waiting.get()]).toEqual([['r5'], 5, 2]);
  });

  it('counts waiting rows without a refetch, and shows them on request', async () => {
    const arrivals = createArrivals();
    await arrivals.load(createInput(), neverAborted);
    rows.push(createRow(6));
    await arrivals.look();
    expect(arrivals.$waiting.get()).toBe(1);
    await arrivals.show();
    expect(arrivals.$waiting.get()).toBe(0);
    expect(readIds(await arrivals.load(createInput(), neverAborted))).toEqual(['r6', 'r5', 'r4']);
  });

  it('shows earlier rows that an undo restores', async () => {
    const arrivals = createArrivals();
    const closedRow = createRow(4, false);
    rows = [createRow(1), createRow(2), createRow(3), closedRow, createRow(5)];
    expect(readIds(await arrivals.load(createInput({ filter: { open: 'true' } }), neverAborted))).toEqual(['r5', 'r3', 'r2']);
    closedRow.open = true;
    expect(readIds(await arrivals.load(createInput({ filter: { open: 'true' } }), neverAborted))).toEqual(['r5', 'r4', 'r3']);
  });

  it('shows all rows for another query, and sorts new rows in place under another order', async () => {
    const arrivals = createArrivals();
    await arrivals.load(createInput(), neverAborted);
    rows.push(createRow(6));
    expect(readIds(await arrivals.load(createInput({ filter: { open: 'true' } }), neverAborted))).toEqual(['r6', 'r5', 'r4']);
    await arrivals.load(createInput({ direction: 'asc', limit: 9 }), neverAborted);
    rows.push(createRow(7));
    expect(readIds(await arrivals.load(createInput({ direction: 'asc', limit: 9 }), neverAborted)).at(-1)).toBe('r7');
  });

  it('holds back nothing in an empty list', async () => {
    rows = [];
    const arrivals = createArrivals();
    await arrivals.load(createInput(), neverAborted);
    rows.push(createRow(1));
    expect(readIds(await arrivals.load(createInput(), neverAborted))).toEqual(['r1']);
  });
});
