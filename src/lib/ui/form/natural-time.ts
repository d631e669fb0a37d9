/**
 * Reads one moment in words, in Chinese or English, such as "next Friday 6pm" or "下周五晚上6点", in the viewer's zone. Without
 * a time of day it means midnight. Resolves to ISO-8601 UTC, or null if it is not one moment.
 */
export async function naturalTime(typed: string, now: Date): Promise<string | null> {
  const text = typed.normalize('NFKC').trim();
  if (text.length < 2 || text.length > 60 || !/\p{L}/u.test(text)) return null;
  const parser = /\p{Script=Han}/u.test(text) ? await import('chrono-node/zh/hans') : await import('chrono-node/en');
  const [found, ...others] = parser.parse(text, now, { forwardDate: true });
  if (!found || found.end || others.length > 0 || found.text.length < text.length * 0.6) return null;
  const at = found.start.date();
  // For a plain day the parser implies noon or the time of day of `now`, and for "tonight" its own hour.
  const isImplied = !found.start.isCertain('hour') && [12, now.getHours()].includes(found.start.get('hour') ?? 12);
  if (isImplied) at.setHours(0, 0, 0, 0);
  at.setSeconds(0, 0);
  return at.toISOString();
}
