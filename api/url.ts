/** Null: not plain http(s). */
export function parseHttpUrl(value: string): string | null {
  if (!/^https?:\/\//i.test(value) || /[\s\\\u0000-\u001f\u007f]/.test(value)) return null;
  try {
    const url = new URL(value);
    const isPlainUrl = (url.protocol === 'https:' || url.protocol === 'http:') && !url.username && !url.password;
    // Percent-encoding lengthens it up to nine times, and the database indexes it.
    return isPlainUrl && url.hostname && url.href.length <= 2000 ? url.href : null;
  } catch {
    return null;
  }
}
