import type { Name } from '../../../api/naming.ts';
import { splitUnits } from '../../../api/money.ts';

export const languages = ['zh', 'en'] as const;
export type Language = (typeof languages)[number];

export type BilingualText = Name;
export type TemplateValues = Readonly<Record<string, string | number>>;

const edgeMarker = '\u2063'; // occurs in no text
const missingSpace = /(?<=\p{sc=Han})\u2063(?=\w)|(?<=[\w%)])\u2063(?=\p{sc=Han})/gu;

/** Adds a space between Latin and Chinese characters. */
export const fillTemplate = (template: string, values: TemplateValues): string =>
  template
    .replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => `${edgeMarker}${values[name] ?? placeholder}${edgeMarker}`)
    .replaceAll(edgeMarker + edgeMarker, edgeMarker)
    .replace(missingSpace, ' ')
    .replaceAll(edgeMarker, '');

export const defaultZones: Readonly<Record<Language, string>> = { zh: 'Asia/Shanghai', en: 'UTC' };

export function isTimeZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** `Nov 27, 2026, 02:10 UTC`, `北京时间 2026-11-27 10:10`, `2026-11-27 11:10 GMT+9`. */
export function formatTime(time: Date, language: Language, zone: string | null): string {
  const formatter = formatterOf(language, zone ?? defaultZones[language]);
  if (language === 'en') return formatter.format(time);
  const partsByType = new Map(formatter.formatToParts(time).map(({ type, value }) => [type, value]));
  const localText = `${partsByType.get('year')}-${partsByType.get('month')}-${partsByType.get('day')} ${partsByType.get('hour')}:${partsByType.get('minute')}`;
  return (zone ?? defaultZones.zh) === 'Asia/Shanghai'
    ? `北京时间 ${localText}`
    : `${localText} ${partsByType.get('timeZoneName')}`;
}

const clockOptions = { year: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const formatOptions = {
  zh: { ...clockOptions, month: '2-digit', day: '2-digit', timeZoneName: 'shortOffset' },
  en: { ...clockOptions, month: 'short', day: 'numeric', timeZoneName: 'short' },
} as const;

/** Cached: the milliseconds of creating one would reveal that an account exists. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(language: Language, timeZone: string): Intl.DateTimeFormat {
  const key = `${language} ${timeZone}`;
  const knownFormatter = formatters.get(key);
  if (knownFormatter) return knownFormatter;
  const newFormatter = new Intl.DateTimeFormat('en-US', { ...formatOptions[language], timeZone });
  formatters.set(key, newFormatter);
  return newFormatter;
}

const durationUnits = [
  { ms: 86_400_000, unit: 'day', zh: '天' },
  { ms: 3_600_000, unit: 'hour', zh: '小时' },
  { ms: 60_000, unit: 'minute', zh: '分钟' },
] as const;

/** In the largest unit that fits: `2 hours`, `2 小时`. */
export function formatDuration(durationMs: number, language: Language): string {
  const { ms: size, unit, zh } = durationUnits.find((duration) => durationMs >= duration.ms) ?? durationUnits[2];
  const count = Math.floor(durationMs / size);
  return language === 'zh'
    ? `${count} ${zh}`
    : new Intl.NumberFormat('en-US', { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

const shownDecimals = 8;
const tooSmall: BilingualText = { zh: '不到 0.00000001', en: 'less than 0.00000001' };

/** From base units, truncated to eight decimals. */
export function formatAmount(baseUnits: bigint, decimals: number, language: Language): string {
  const { sign, whole, part } = splitUnits(baseUnits, decimals);
  const shownFraction = part.slice(0, shownDecimals).replace(/0+$/, '');
  if (baseUnits !== 0n && whole === '0' && shownFraction === '') return tooSmall[language];
  return `${sign}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${shownFraction && `.${shownFraction}`}`;
}

/** 1e18 is 100%. Truncated: `164.99%`. */
export function formatPercent(ratio: bigint): string {
  const { sign, whole, part } = splitUnits(ratio, 16);
  return `${sign}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${part.slice(0, 2)}%`;
}
