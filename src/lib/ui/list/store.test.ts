import { afterEach, describe, expect, it } from 'vitest';
import type { NewsRow } from '../../../../api/news/contract.ts';
import { $viewContext, $viewContexts, snapshotTargets } from '../../scope.ts';
import { createListStore } from './store.ts';
import { build } from '../../../../testing/factories/build.ts';

const row = (id: string, title = id) => build.news({ id, title });
const rows = ['a', 'b', 'c', 'd'].map((id) => row(id));
const create = (resource = crypto.randomUUID() as string) =>
  createListStore<NewsRow>((of) => ({ entity: 'news', id: of.id, version: of.version, name: of.title, row: of }), resource);

afterEach(() => $viewContexts.set([]));

describe('the list store', () => {
  it('is on screen once while mounted, however often React mounts it', () => {
    const store = create();
    store.mount()();
    const unmount = store.mount();
    expect($viewContexts.get()).toHaveLength(1);
    unmount();
    expect($viewContexts.get()).toHaveLength(0);
  });

  it('offers the row under the cursor, else the checked rows in list order', () => {
    const store = create();
    store.mount();
    store.setRows(rows);
    expect(snapshotTargets()).toEqual([]);
    store.controls.moveTo('last');
    expect(snapshotTargets().map(({ id }) => id)).toEqual(['d']);
    store.toggle('c');
    store.toggle('a');
    expect(snapshotTargets().map(({ id }) => id)).toEqual(['a', 'c']);
  });

  it('returns targets that stay unchanged when the row changes', () => {
    const store = create();
    store.mount();
    store.setRows(rows);
    store.putCursor('b');
    const [frozen] = snapshotTargets();
    store.setRows(rows.map((one) => (one.id === 'b' ? { ...one, version: 2, title: 'new' } : one)));
    expect(frozen).toMatchObject({ version: 1, name: 'b' });
    expect(Object.isFrozen(frozen)).toBe(true);
    expect(snapshotTargets()).toMatchObject([{ version: 2, name: 'new' }]);
  });

  it('updates a checked row whose record changed', () => {
    const store = create();
    store.mount();
    store.setRows(rows);
    store.toggle('b');
    store.setRows(rows.map((one) => (one.id === 'b' ? { ...one, version: 2 } : one)));
    expect($viewContext.get()?.checked).toMatchObject([{ id: 'b', version: 2 }]);
  });

  it('unchecks deleted rows and moves the cursor on', () => {
    const store = create();
    store.mount();
    store.setRows(rows);
    store.toggle('b');
    store.setRows(rows.filter(({ id }) => id !== 'b'));
    expect($viewContext.get()).toMatchObject({ checked: [], cursor: { id: 'c' } });
  });

  it('restores the cursor when a person returns, unless its row is gone or they moved on', () => {
    const leave = create('news');
    const unmount = leave.mount();
    leave.setRows(rows);
    leave.putCursor('c');
    unmount();

    const back = create('news');
    back.mount();
    back.setRows([]);
    back.setRows(rows);
    expect($viewContext.get()).toMatchObject({ cursor: { id: 'c' } });

    const maxConcurrency = createListStore<NewsRow>(null, 'news', rows);
    expect([maxConcurrency.ids(), maxConcurrency.$selection.get().cursor]).toEqual([['a', 'b', 'c', 'd'], 'c']);

    const without = create('news');
    without.setRows(rows.filter(({ id }) => id !== 'c'));
    without.setRows(rows);
    expect(without.$selection.get().cursor).toBeNull();
  });

  it('requests more rows when the cursor reaches the end', () => {
    const store = create();
    let requested = 0;
    store.parts.loadMore = () => {
      requested += 1;
    };
    store.setRows(rows);
    store.controls.move(1);
    expect(requested).toBe(0);
    store.controls.move(10);
    store.controls.move(1);
    expect(requested).toBe(2);
  });

  it('keeps the rows that the table checks, and reports when all rows are checked', () => {
    const store = create();
    store.mount();
    store.setRows(rows);
    store.rowSelection.set({ c: true, a: true });
    expect($viewContext.get()?.checked.map(({ id }) => id)).toEqual(['a', 'c']);
    expect(store.$selection.get().all).toBe(false);
    store.rowSelection.set((before) => ({ ...before, b: true, d: true }));
    expect(store.$selection.get().all).toBe(true);
    store.toggle('b');
    expect(store.rowSelection.get()).toEqual({ a: true, c: true, d: true });
  });

  it('keeps its frame while nothing shown has changed', () => {
    const store = create();
    store.mount();
    store.setRows(rows);
    store.putCursor('a');
    const before = $viewContext.get();
    store.publish();
    store.putCursor('a');
    expect($viewContext.get()).toBe(before);
  });
});
