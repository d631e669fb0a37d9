import type { Name } from '../../../api/naming.ts';
import { unitParts } from '../../../api/money.ts';

export const languages = ['zh', 'en'] as const;
export type Language = (typeof languages)[number];

export type BilingualText = Name;
export type TemplateValues = Readonly<Record<string, string | number>>;

const edge = '\u2063'; // occurs in no text
const missingSpace = /(?<=\p{sc=Han})\u2063(?=\w)|(?<=[\w%)])\u2063(?=\p{sc=Han})/gu;

/** Adds a space between Latin and Chinese characters. */
export const fillTemplate = (template: string, values: TemplateValues): string =>
  template
    .replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => `${edge}${values[name] ?? place}${edge}`)
    .replaceAll(edge + edge, edge)
    .replace(missingSpace, ' ')
    .replaceAll(edge, '');

export const defaultZones: Readonly<Record<Language, string>> = { zh: 'Asia/Shanghai', en: 'UTC' };

export function isTimeZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** `Nov 27, 2026, 02:10 UTC`, `北京时间 2026-11-27 10:10`, `2026-11-27 11:10 GMT+9`. */
export function formatTime(at: Date, language: Language, zone: string | null): string {
  const format = formatOf(language, zone ?? defaultZones[language]);
  if (language === 'en') return format.format(at);
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const local = `${parts.get('year')}-${parts.get('month')}-${parts.get('day')} ${parts.get('hour')}:${parts.get('minute')}`;
  return (zone ?? defaultZones.zh) === 'Asia/Shanghai' ? `北京时间 ${local}` : `${local} ${parts.get('timeZoneName')}`;
}

const clock = { year: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const calendars = {
  zh: { ...clock, month: '2-digit', day: '2-digit', timeZoneName: 'shortOffset' },
  en: { ...clock, month: 'short', day: 'numeric', timeZoneName: 'short' },
} as const;

/** Cached: the milliseconds of creating one would reveal that an account exists. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(language: Language, timeZone: string): Intl.DateTimeFormat {
  const key = `${language} ${timeZone}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', { ...calendars[language], timeZone });
  formats.set(key, made);
  return made;
}

const durations = [
  { ms: 86_400_000, unit: 'day', zh: '天' },
  { ms: 3_600_000, unit: 'hour', zh: '小时' },
  { ms: 60_000, unit: 'minute', zh: '分钟' },
] as const;

/** In the largest unit that fits: `2 hours`, `2 小时`. */
export function formatDuration(ms: number, language: Language): string {
  const { ms: size, unit, zh } = durations.find((one) => ms >= one.ms) ?? durations[2];
  const count = Math.floor(ms / size);
  return language === 'zh'
    ? `${count} ${zh}`
    : new Intl.NumberFormat('en-US', { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

const shownDecimals = 8;
const tooSmall: BilingualText = { zh: '不到 0.00000001', en: 'less than 0.00000001' };

/** From base units, truncated to eight decimals. */
export function formatAmount(base: bigint, decimals: number, language: Language): string {
  const { sign, whole, part } = unitParts(base, decimals);
  const shownFraction = part.slice(0, shownDecimals).replace(/0+$/, '');
  if (base !== 0n && whole === '0' && shownFraction === '') return tooSmall[language];
  return `${sign}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${shownFraction && `.${shownFraction}`}`;
}

/** 1e18 is 100%. Truncated: `164.99%`. */
export function formatPercent(ratio: bigint): string {
  const { sign, whole, part } = unitParts(ratio, 16);
  return `${sign}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${part.slice(0, 2)}%`;
}
