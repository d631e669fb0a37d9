/**
 * Local storage that cannot throw: a browser may refuse it, hold corrupt text, or be full.
 * Corrupt or unreadable counts as absent; a failed write answers false.
 */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function writeStored(key: string, value: string | null): boolean {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

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
