import { replaceChineseWeekdays } from '../../chinese-weekday.ts';

/**
 * Reads one moment in words, in Chinese or English, such as "next Friday 6pm" or "下周五晚上6点", in the viewer's zone. Without
 * a time of day it means midnight. Resolves to ISO-8601 UTC, or null if it is not one moment.
 */
export async function parseNaturalTime(enteredText: string, now: Date): Promise<string | null> {
  const text = replaceChineseWeekdays(enteredText.normalize('NFKC').trim(), now);
  if (text.length < 2 || text.length > 60 || !/\p{L}/u.test(text)) return null;
  const parser = /\p{Script=Han}/u.test(text) ? await import('chrono-node/zh/hans') : await import('chrono-node/en');
  const [parsed, ...otherResults] = parser.parse(text, now, { forwardDate: true });
  if (!parsed || parsed.end || otherResults.length > 0 || parsed.text.length < text.length * 0.6) return null;
  const date = parsed.start.date();
  // For a plain day the parser implies noon or the time of day of `now`, and for "tonight" its own hour.
  const isImpliedHour = !parsed.start.isCertain('hour') && [12, now.getHours()].includes(parsed.start.get('hour') ?? 12);
  if (isImpliedHour) date.setHours(0, 0, 0, 0);
  date.setSeconds(0, 0);
  return date.toISOString();
}
