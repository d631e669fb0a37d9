import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readStored, writeStored } from './storage.ts';

/** `room`: capacity in characters, null if the browser refuses storage. */
function storageOf(room: number | null) {
  const items = new Map<string, string>();
  const refuse = () => {
    throw new DOMException('refused', 'SecurityError');
  };
  return {
    items,
    getItem: (key: string) => (room === null ? refuse() : (items.get(key) ?? null)),
    removeItem: (key: string) => (room === null ? refuse() : void items.delete(key)),
    setItem(key: string, value: string) {
      if (room === null) refuse();
      const used = [...items].reduce((sum, [name, text]) => (name === key ? sum : sum + name.length + text.length), 0);
      if (used + key.length + value.length > (room ?? 0)) throw new DOMException('full', 'QuotaExceededError');
      items.set(key, value);
    },
  };
}

function use(local: ReturnType<typeof storageOf>, session: ReturnType<typeof storageOf>) {
  vi.stubGlobal('localStorage', local);
  vi.stubGlobal('sessionStorage', session);
}

beforeEach(() => vi.unstubAllGlobals());
afterEach(() => vi.unstubAllGlobals());

describe('local storage', () => {
  test("keeps a value without a copy in the tab's storage", () => {
    const [local, session] = [storageOf(100), storageOf(100)];
    use(local, session);
    expect(writeStored('a', '1')).toBe(true);
    expect([readStored('a'), session.items.size]).toEqual(['1', 0]);
    writeStored('a', null);
    expect(readStored('a')).toBeNull();
  });

  test('that is full stores the value in the tab, without the older value coming back', () => {
    const [local, session] = [storageOf(10), storageOf(100)];
    use(local, session);
    writeStored('a', 'old');
    expect(writeStored('a', 'new and longer')).toBe(true);
    expect([readStored('a'), local.items.size]).toEqual(['new and longer', 0]);
    writeStored('a', 'short');
    expect([readStored('a'), session.items.size]).toEqual(['short', 0]);
  });

  test('that is full deletes what is removed', () => {
    use(storageOf(0), storageOf(100));
    writeStored('a', '1');
    writeStored('a', null);
    expect(readStored('a')).toBeNull();
  });

  test("that is refused, like the tab's, reads as empty", () => {
    use(storageOf(null), storageOf(null));
    expect(writeStored('a', '1')).toBe(false);
    expect(writeStored('a', null)).toBe(false);
    expect(readStored('a')).toBeNull();
  });
});
