import { noticeZone } from './zone.ts';

/**
 * How values are written in both languages: times in the reader's zone, numbers, units, percentages and sizes.
 * Numbers match `Intl` (format.test.ts) without loading it, because its first number formatter takes 50 ms.
 */

const two = (part: number): string => String(part).padStart(2, '0');

/** An ISO-8601 instant as `YYYY-MM-DD HH:mm` in the browser's zone. What is no time comes back as it is. */
export function formatTime(iso: string): string {
  noticeZone();
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The same instant as `YYYY-MM-DD HH:mm:ss UTC`. */
export function formatUtc(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

/** "3 hours ago", "2 天后": whole units, towards now. Never "yesterday": 47 hours ago may be the day before it. */
export function formatRelative(iso: string, now: Date, locale: string): string {
  const seconds = Math.trunc((Date.parse(iso) - now.getTime()) / 1000);
  if (Number.isNaN(seconds)) return '';
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: seconds ? 'always' : 'auto' });
  return format.format(Math.trunc(seconds / size), unit).replace(/(?<=\d)(?=\p{Script=Han})/u, ' ');
}

/** The zone's name as pickers show it: `Asia/Shanghai (GMT+8)`, with the offset of that instant. */
export function zoneName(at: Date, zone = Intl.DateTimeFormat().resolvedOptions().timeZone): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(at);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  return zone === offset ? zone : `${zone} (${offset})`;
}

/** Typed local time `YYYY-MM-DD HH:mm` (or with T) as ISO-8601 UTC; null when there is no such minute in the browser's zone. */
export function parseLocalTime(typed: string): string | null {
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2})[ T]+(\d{1,2}):(\d{2})$/.exec(typed.trim());
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match.slice(1).map(Number);
  const date = new Date(year, month - 1, day, hour, minute);
  const same =
    date.getFullYear() === year &&
    date.getMonth() === month - 1 &&
    date.getDate() === day &&
    date.getHours() === hour && // differs in the hour that a clock change leaves out
    date.getMinutes() === minute;
  return same ? date.toISOString() : null;
}

/** A number grouped as both languages group them: "1,234,567". */
export const groupDigits = (value: bigint | number): string =>
  value.toString().replaceAll(/(?<!\.\d*)\B(?=(\d{3})+(?!\d))/g, ',');

/** Formatted digits with their unit: "0.5 BTC", "160.00%". */
export const withUnit = (digits: string, unit: string | undefined): string =>
  unit === '%' ? `${digits}%` : unit ? `${digits} ${unit}` : digits;

/** The size of a file in decimal units: "1 kB", "1.5 MB". */
export const formatBytes = (bytes: number): string =>
  bytes < 1_000_000
    ? withUnit(groupDigits(Math.max(1, Math.round(bytes / 1000))), 'kB')
    : withUnit(groupDigits(Math.round(bytes / 100_000) / 10), 'MB');

const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** A day in UTC in the words of a language: "Nov 2, 2026", "2026年11月2日". */
export function formatDay(at: Date, locale: string, options: Intl.DateTimeFormatOptions): string {
  const key = locale + JSON.stringify(options);
  const format = dayFormats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  dayFormats.set(key, format);
  return format.format(at);
}

/** First `head` … last `tail` characters; whole when that would save nothing. */
export function shortenMiddle(value: string, head = 6, tail = 6): string {
  const characters = [...value];
  if (characters.length <= head + tail + 1) return value;
  return `${characters.slice(0, head).join('')}…${characters.slice(-tail).join('')}`;
}

/** A form value as plain text: lists with commas, nothing as nothing. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.map(valueText).join(', ') : JSON.stringify(value);
}
