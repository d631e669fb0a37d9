/**
 * Local storage that cannot throw: a browser may refuse it, hold corrupt text, or be full. What it does not take is kept in the
 * tab's own storage. Corrupt or unreadable counts as absent; a failed write answers false.
 */
export function readStored(key: string): string | null {
  return readFrom(() => localStorage, key) ?? readFrom(() => sessionStorage, key);
}

export function writeStored(key: string, value: string | null): boolean {
  const isStored = writeTo(() => localStorage, key, value);
  // One of the two has it: an older value in the other would come back.
  if (!isStored) writeTo(() => localStorage, key, null);
  return writeTo(() => sessionStorage, key, isStored ? null : value) || isStored;
}

function readFrom(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

function writeTo(storage: () => Storage, key: string, value: string | null): boolean {
  try {
    if (value === null) storage().removeItem(key);
    else storage().setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

/** Text that only this tab keeps, over a reload; null when there is none or the browser refuses it. */
export const readOfTab = (key: string): string | null => readFrom(() => sessionStorage, key);

export const writeOfTab = (key: string, value: string | null): boolean => writeTo(() => sessionStorage, key, value);

/** The stored JSON when it is JSON and `isValid` says so, else null. */
export function readStoredJson<T>(key: string, isValid: (value: unknown) => value is T): T | null {
  const stored = readStored(key);
  if (stored === null) return null;
  try {
    const value: unknown = JSON.parse(stored);
    return isValid(value) ? value : null;
  } catch {
    return null;
  }
}

/** The keys that begin with `prefix`; none when storage is refused. */
export function storedKeys(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}
