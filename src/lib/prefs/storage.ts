/**
 * Local storage that never throws: falls back to the tab's storage, treats corrupt values as absent and returns false for a
 * failed write.
 */
export function readStored(key: string): string | null {
  return readStorage(() => localStorage, key) ?? readStorage(() => sessionStorage, key);
}

export function writeStored(key: string, value: string | null): boolean {
  const isWritten = writeStorage(() => localStorage, key, value);
  // Otherwise an older value in the other storage would reappear.
  if (!isWritten) writeStorage(() => localStorage, key, null);
  return writeStorage(() => sessionStorage, key, isWritten ? null : value) || isWritten;
}

function readStorage(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

function writeStorage(storage: () => Storage, key: string, value: string | null): boolean {
  try {
    if (value === null) storage().removeItem(key);
    else storage().setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

/** Kept by this tab over a reload. Null if there is none or the browser refuses. */
export const readTabStored = (key: string): string | null => readStorage(() => sessionStorage, key);

export const writeTabStored = (key: string, value: string | null): boolean => writeStorage(() => sessionStorage, key, value);

/** Null unless it is valid JSON and `isValid`. */
export function readStoredJson<T>(key: string, isValid: (value: unknown) => value is T): T | null {
  const storedText = readStored(key);
  if (storedText === null) return null;
  try {
    const value: unknown = JSON.parse(storedText);
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
