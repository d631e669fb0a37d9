import { updateZone } from './zone.ts';

/** Numbers match `Intl` (format.test.ts) without loading it, because its first number formatter takes 50 ms. */

const padTwo = (part: number): string => String(part).padStart(2, '0');

/** `YYYY-MM-DD HH:mm` in the browser's zone. Returns an invalid time unchanged. */
export function formatTime(iso: string): string {
  updateZone();
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())}`;
  return `${day} ${padTwo(date.getHours())}:${padTwo(date.getMinutes())}`;
}

/** `YYYY-MM-DD HH:mm:ss UTC`. */
export function formatUtc(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const relativeUnits: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

/** Whole units, rounded toward now. Never "yesterday", because 47 hours ago may be two days before. */
export function formatRelative(iso: string, now: Date, locale: string): string {
  const seconds = Math.trunc((Date.parse(iso) - now.getTime()) / 1000);
  if (Number.isNaN(seconds)) return '';
  const [unit, size] = relativeUnits.find(([, unitSeconds]) => Math.abs(seconds) >= unitSeconds) ?? (['second', 1] as const);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: seconds ? 'always' : 'auto' });
  return format.format(Math.trunc(seconds / size), unit).replace(/(?<=\d)(?=\p{Script=Han})/u, ' ');
}

/** `Asia/Shanghai (GMT+8)`. */
export function zoneName(date: Date, timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(date);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  return timeZone === offset ? timeZone : `${timeZone} (${offset})`;
}

/** `YYYY-MM-DD HH:mm` (or with T) to ISO-8601 UTC. Null if the zone has no such minute. */
export function parseLocalTime(text: string): string | null {
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2})[ T]+(\d{1,2}):(\d{2})$/.exec(text.trim());
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match.slice(1).map(Number);
  const date = new Date(year, month - 1, day, hour, minute);
  const isExistingTime =
    date.getFullYear() === year &&
    date.getMonth() === month - 1 &&
    date.getDate() === day &&
    date.getHours() === hour && // differs in the skipped hour of a clock change
    date.getMinutes() === minute;
  return isExistingTime ? date.toISOString() : null;
}

/** "1,234,567". */
export const groupDigits = (value: bigint | number): string =>
  value.toString().replaceAll(/(?<!\.\d*)\B(?=(\d{3})+(?!\d))/g, ',');

/** "0.5 BTC", "160.00%". */
export const withUnit = (digits: string, unit: string | undefined): string =>
  unit === '%' ? `${digits}%` : unit ? `${digits} ${unit}` : digits;

/** "1 kB", "1.5 MB": decimal units. */
export const formatBytes = (bytes: number): string =>
  bytes < 1_000_000
    ? withUnit(groupDigits(Math.max(1, Math.round(bytes / 1000))), 'kB')
    : withUnit(groupDigits(Math.round(bytes / 100_000) / 10), 'MB');

const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** UTC: "Nov 2, 2026", "2026年11月2日". */
export function formatDay(date: Date, locale: string, options: Intl.DateTimeFormatOptions): string {
  const key = locale + JSON.stringify(options);
  const format = dayFormats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  dayFormats.set(key, format);
  return format.format(date);
}

/** Unchanged if shortening would save nothing. */
export function shortenMiddle(value: string, headLength = 6, tailLength = 6): string {
  const characters = [...value];
  if (characters.length <= headLength + tailLength + 1) return value;
  return `${characters.slice(0, headLength).join('')}…${characters.slice(-tailLength).join('')}`;
}

/** Lists are joined by commas, null is ''. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.map(valueText).join(', ') : JSON.stringify(value);
}
