const zh = {
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

const ymd = [
  String.raw`-(\d{1,2})-(\d{1,2})`,
  String.raw`\/(\d{1,2})\/(\d{1,2})`,
  String.raw`\.(\d{1,2})\.(\d{1,2})`,
  String.raw`${zh.year}(\d{1,2})${zh.month}(\d{1,2})${zh.day}`,
];
const day = new RegExp(String.raw`^(\d{4})(?:${ymd.join('|')})`);
const weekday = new RegExp(String.raw`^\s?(?:${zh.week})[${zh.weekday}]`);
const digital = String.raw`:(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?`;
const spoken = String.raw`${zh.hour}(\d\d)${zh.minute}(?:(\d\d)${zh.second})?`;
const clock = new RegExp(
  String.raw`^(?:T|\s?)(${zh.am}|${zh.pm}|AM\s|PM\s)?\s?(\d{1,2})(?:${digital}|${spoken})(?:\s?(AM|PM))?`,
  'i',
);
const zone = /^\s?(?:Z|UTC|GMT|([+-])(\d\d):?(\d\d))$/i;

/** ISO-8601 UTC. A time without a zone is read as UTC. */
interface SpelledTime {
  iso: string;
  hasZone: boolean;
}

export const serializeTime = (value: string): string | null => parseTimeText(value)?.iso ?? null;

/** Year first. No clock means midnight. Null for '11/1/2026', which is ambiguous. */
export function parseTimeText(value: string): SpelledTime | null {
  const text = value.normalize('NFKC').replace(/\s+/g, ' ').trim();
  const date = day.exec(text);
  if (!date) return null;
  const [y = 0, m = 0, d = 0] = date.slice(1).flatMap((part) => (part === undefined ? [] : Number(part)));
  let rest = text.slice(date[0].length);
  const named = weekday.exec(rest);
  if (named) rest = rest.slice(named[0].length);
  const time = clock.exec(rest);
  if (time) rest = rest.slice(time[0].length);
  const [, before = '', hour = '0', minute, second, part = '', minuteZh, secondZh, after = ''] = time ?? [];
  const hours = hoursOf(Number(hour), (before + after).trim().toUpperCase());
  const offset = zone.exec(rest);
  if (hours === null || (rest !== '' && (!offset || (!time && offset[1])))) return null;
  const [minutes, seconds] = [Number(minute ?? minuteZh ?? 0), Number(second ?? secondZh ?? 0)];
  const ms = Number(part.slice(0, 3).padEnd(3, '0'));
  const local = Date.UTC(y, m - 1, d, hours, minutes, seconds, ms);
  const at = new Date(local);
  // Date reads 30 February as 2 March.
  if (at.getUTCMonth() !== m - 1 || at.getUTCDate() !== d || at.getUTCHours() !== hours || minutes > 59 || seconds > 59)
    return null;
  const [, sign, zoneHours = '0', zoneMinutes = '0'] = offset ?? [];
  if (Number(zoneHours) > 14 || Number(zoneMinutes) > 59) return null;
  const away = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000;
  return { iso: new Date(sign === '-' ? local + away : local - away).toISOString(), hasZone: offset !== null };
}

function hoursOf(hour: number, half: string): number | null {
  if (half === '') return hour <= 23 ? hour : null;
  if (hour > 12) return null;
  const isPm = half === 'PM' || half === zh.pm;
  return (hour % 12) + (isPm ? 12 : 0);
}
