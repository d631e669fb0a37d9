const chineseUnits = {
  year: '年',
  month: '月',
  day: '日',
  hour: '时',
  minute: '分',
  second: '秒',
  week: ['星期', '周'].join('|'),
  weekday: '一二三四五六日天',
  am: '上午',
  pm: '下午',
} as const;

const datePatterns = [
  String.raw`-(\d{1,2})-(\d{1,2})`,
  String.raw`\/(\d{1,2})\/(\d{1,2})`,
  String.raw`\.(\d{1,2})\.(\d{1,2})`,
  String.raw`${chineseUnits.year}(\d{1,2})${chineseUnits.month}(\d{1,2})${chineseUnits.day}`,
];
const datePattern = new RegExp(String.raw`^(\d{4})(?:${datePatterns.join('|')})`);
const weekdayPattern = new RegExp(String.raw`^\s?(?:${chineseUnits.week})[${chineseUnits.weekday}]`);
const digitTimePattern = String.raw`:(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?`;
const chineseTimePattern = String.raw`${chineseUnits.hour}(\d\d)${chineseUnits.minute}(?:(\d\d)${chineseUnits.second})?`;
const timePattern = new RegExp(
  String.raw`^(?:T|\s?)(${chineseUnits.am}|${chineseUnits.pm}|AM\s|PM\s)?\s?(\d{1,2})(?:${digitTimePattern}|${chineseTimePattern})(?:\s?(AM|PM))?`,
  'i',
);
const zonePattern = /^\s?(?:Z|UTC|GMT|([+-])(\d\d):?(\d\d))$/i;

/** ISO-8601 UTC. A time without a zone is read as UTC. */
interface ParsedTime {
  iso: string;
  hasZone: boolean;
}

export const normalizeTime = (value: string): string | null => parseTimeText(value)?.iso ?? null;

/** Year first. No clock means midnight. Null for '11/1/2026', which is ambiguous. */
export function parseTimeText(value: string): ParsedTime | null {
  const text = value.normalize('NFKC').replace(/\s+/g, ' ').trim();
  const dateMatch = datePattern.exec(text);
  if (!dateMatch) return null;
  const [y = 0, m = 0, d = 0] = dateMatch.slice(1).flatMap((part) => (part === undefined ? [] : Number(part)));
  let remainder = text.slice(dateMatch[0].length);
  const weekdayMatch = weekdayPattern.exec(remainder);
  if (weekdayMatch) remainder = remainder.slice(weekdayMatch[0].length);
  const timeMatch = timePattern.exec(remainder);
  if (timeMatch) remainder = remainder.slice(timeMatch[0].length);
  const [, meridiemBefore = '', hour = '0', minute, second, fraction = '', minuteZh, secondZh, meridiemAfter = ''] =
    timeMatch ?? [];
  const hours = to24Hours(Number(hour), (meridiemBefore + meridiemAfter).trim().toUpperCase());
  const offset = zonePattern.exec(remainder);
  if (hours === null || (remainder !== '' && (!offset || (!timeMatch && offset[1])))) return null;
  const [minutes, seconds] = [Number(minute ?? minuteZh ?? 0), Number(second ?? secondZh ?? 0)];
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const localMs = Date.UTC(y, m - 1, d, hours, minutes, seconds, ms);
  const localDate = new Date(localMs);
  // Date reads 30 February as 2 March.
  if (
    localDate.getUTCMonth() !== m - 1 ||
    localDate.getUTCDate() !== d ||
    localDate.getUTCHours() !== hours ||
    minutes > 59 ||
    seconds > 59
  )
    return null;
  const [, sign, zoneHours = '0', zoneMinutes = '0'] = offset ?? [];
  if (Number(zoneHours) > 14 || Number(zoneMinutes) > 59) return null;
  const offsetMs = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000;
  return { iso: new Date(sign === '-' ? localMs + offsetMs : localMs - offsetMs).toISOString(), hasZone: offset !== null };
}

function to24Hours(hour: number, meridiem: string): number | null {
  if (meridiem === '') return hour <= 23 ? hour : null;
  if (hour > 12) return null;
  const isPm = meridiem === 'PM' || meridiem === chineseUnits.pm;
  return (hour % 12) + (isPm ? 12 : 0);
}
