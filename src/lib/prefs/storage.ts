/**
 * Local storage that never throws: falls back to the tab's storage, treats corrupt values as absent and returns false for a
 * failed write.
 */
export function readStored(key: string): string | null {
  return readFrom(() => localStorage, key) ?? readFrom(() => sessionStorage, key);
}

export function writeStored(key: string, value: string | null): boolean {
  const isStored = writeTo(() => localStorage, key, value);
  // Otherwise an older value in the other storage would reappear.
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

/** Kept by this tab over a reload. Null if there is none or the browser refuses. */
export const readOfTab = (key: string): string | null => readFrom(() => sessionStorage, key);

export const writeOfTab = (key: string, value: string | null): boolean => writeTo(() => sessionStorage, key, value);

/** Null unless it is valid JSON and `isValid`. */
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

export function storedKeys(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}
