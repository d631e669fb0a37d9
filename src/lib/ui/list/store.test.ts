import { afterEach, describe, expect, it } from 'vitest';
import type { NewsRow } from '../../../../api/news/contract.ts';
import { $viewContext, $viewContexts, snapshotTargets } from '../../scope.ts';
import { createListStore } from './store.ts';
import { build } from '../../../../testing/factories/build.ts';

const row = (id: string, title = id) => build.news({ id, title });
const rows = ['a', 'b', 'c', 'd'].map((id) => row(id));
const createStore = (resource = crypto.randomUUID() as string) =>
  createListStore<NewsRow>((row) => ({ entity: 'news', id: row.id, version: row.version, name: row.title, row }), resource);

afterEach(() => $viewContexts.set([]));

describe('the list store', () => {
  it('is on screen once while mounted, however often React mounts it', () => {
    const store = createStore();
    store.mount()();
    const unmount = store.mount();
    expect($viewContexts.get()).toHaveLength(1);
    unmount();
    expect($viewContexts.get()).toHaveLength(0);
  });

  it('offers the row under the cursor, else the checked rows in list order', () => {
    const store = createStore();
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
    const store = createStore();
    store.mount();
    store.setRows(rows);
    store.putCursor('b');
    const [frozenTarget] = snapshotTargets();
    store.setRows(rows.map((row) => (row.id === 'b' ? { ...row, version: 2, title: 'new' } : row)));
    expect(frozenTarget).toMatchObject({ version: 1, name: 'b' });
    expect(Object.isFrozen(frozenTarget)).toBe(true);
    expect(snapshotTargets()).toMatchObject([{ version: 2, name: 'new' }]);
  });

  it('updates a checked row whose record changed', () => {
    const store = createStore();
    store.mount();
    store.setRows(rows);
    store.toggle('b');
    store.setRows(rows.map((row) => (row.id === 'b' ? { ...row, version: 2 } : row)));
    expect($viewContext.get()?.checked).toMatchObject([{ id: 'b', version: 2 }]);
  });

  it('unchecks deleted rows and moves the cursor on', () => {
    const store = createStore();
    store.mount();
    store.setRows(rows);
    store.toggle('b');
    store.setRows(rows.filter(({ id }) => id !== 'b'));
    expect($viewContext.get()).toMatchObject({ checked: [], cursor: { id: 'c' } });
  });

  it('restores the cursor when a person returns, unless its row is gone or they moved on', () => {
    const leftStore = createStore('news');
    const unmount = leftStore.mount();
    leftStore.setRows(rows);
    leftStore.putCursor('c');
    unmount();

    const returnedStore = createStore('news');
    returnedStore.mount();
    returnedStore.setRows([]);
    returnedStore.setRows(rows);
    expect($viewContext.get()).toMatchObject({ cursor: { id: 'c' } });

    const maxConcurrency = createListStore<NewsRow>(null, 'news', rows);
    expect([maxConcurrency.ids(), maxConcurrency.$selection.get().cursor]).toEqual([['a', 'b', 'c', 'd'], 'c']);

    const otherStore = createStore('news');
    otherStore.setRows(rows.filter(({ id }) => id !== 'c'));
    otherStore.setRows(rows);
    expect(otherStore.$selection.get().cursor).toBeNull();
  });

  it('requests more rows when the cursor reaches the end', () => {
    const store = createStore();
    let requestCount = 0;
    store.parts.loadMore = async () => {
      requestCount += 1;
      return null;
    };
    store.setRows(rows);
    store.controls.move(1);
    expect(requestCount).toBe(0);
    store.controls.move(10);
    store.controls.move(1);
    expect(requestCount).toBe(2);
  });

  it('keeps the rows that the table checks, and reports when all rows are checked', () => {
    const store = createStore();
    store.mount();
    store.setRows(rows);
    store.rowSelection.set({ c: true, a: true });
    expect($viewContext.get()?.checked.map(({ id }) => id)).toEqual(['a', 'c']);
    expect(store.$selection.get().all).toBe(false);
    store.rowSelection.set((previous) => ({ ...previous, b: true, d: true }));
    expect(store.$selection.get().all).toBe(true);
    store.toggle('b');
    expect(store.rowSelection.get()).toEqual({ a: true, c: true, d: true });
  });

  it('keeps its frame while nothing shown has changed', () => {
    const store = createStore();
    store.mount();
    store.setRows(rows);
    store.putCursor('a');
    const contextBefore = $viewContext.get();
    store.publish();
    store.putCursor('a');
    expect($viewContext.get()).toBe(contextBefore);
  });
});
