import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readStored, writeStored } from './storage.ts';

/** `capacity`: capacity in characters, null if the browser refuses storage. */
function createStorage(capacity: number | null) {
  const items = new Map<string, string>();
  const throwQuotaError = () => {
    throw new DOMException('refused', 'SecurityError');
  };
  return {
    items,
    getItem: (key: string) => (capacity === null ? throwQuotaError() : (items.get(key) ?? null)),
    removeItem: (key: string) => (capacity === null ? throwQuotaError() : void items.delete(key)),
    setItem(key: string, value: string) {
      if (capacity === null) throwQuotaError();
      const usedLength = [...items].reduce((sum, [name, text]) => (name === key ? sum : sum + name.length + text.length), 0);
      if (usedLength + key.length + value.length > (capacity ?? 0)) throw new DOMException('full', 'QuotaExceededError');
      items.set(key, value);
    },
  };
}

function useStorages(localStore: ReturnType<typeof createStorage>, sessionStore: ReturnType<typeof createStorage>) {
  vi.stubGlobal('localStorage', localStore);
  vi.stubGlobal('sessionStorage', sessionStore);
}

beforeEach(() => vi.unstubAllGlobals());
afterEach(() => vi.unstubAllGlobals());

describe('local storage', () => {
  test("keeps a value without a copy in the tab's storage", () => {
    const [localStore, sessionStore] = [createStorage(100), createStorage(100)];
    useStorages(localStore, sessionStore);
    expect(writeStored('a', '1')).toBe(true);
    expect([readStored('a'), sessionStore.items.size]).toEqual(['1', 0]);
    writeStored('a', null);
    expect(readStored('a')).toBeNull();
  });

  test('that is full stores the value in the tab, without the older value coming back', () => {
    const [localStore, sessionStore] = [createStorage(10), createStorage(100)];
    useStorages(localStore, sessionStore);
    writeStored('a', 'old');
    expect(writeStored('a', 'new and longer')).toBe(true);
    expect([readStored('a'), localStore.items.size]).toEqual(['new and longer', 0]);
    writeStored('a', 'short');
    expect([readStored('a'), sessionStore.items.size]).toEqual(['short', 0]);
  });

  test('that is full deletes what is removed', () => {
    useStorages(createStorage(0), createStorage(100));
    writeStored('a', '1');
    writeStored('a', null);
    expect(readStored('a')).toBeNull();
  });

  test("that is refused, like the tab's, reads as empty", () => {
    useStorages(createStorage(null), createStorage(null));
    expect(writeStored('a', '1')).toBe(false);
    expect(writeStored('a', null)).toBe(false);
    expect(readStored('a')).toBeNull();
  });
});
