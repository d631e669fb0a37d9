import { replaceChineseWeekdays } from '../../../chinese-weekday.ts';
import { namedTimes, resolveTime, type NamedTime } from './times.ts';

/** In both languages, whichever the page shows. */
export const timeNames: Readonly<Record<NamedTime, readonly string[]>> = {
  today: ['今天', '今日', 'today'],
  yesterday: ['昨天', '昨日', 'yesterday'],
  'this-week': ['本周', '这周', '这个星期', 'this week'],
  'last-week': ['上周', '上个星期', 'last week'],
  'this-month': ['本月', '这个月', 'this month'],
  'last-month': ['上月', '上个月', 'last month'],
  'this-quarter': ['本季度', '这个季度', 'this quarter'],
  'last-quarter': ['上季度', '上个季度', 'last quarter'],
  'this-year': ['今年', '本年', 'this year'],
  'last-year': ['去年', 'last year'],
};

export const offeredTimes = ['today', 'yesterday', 'past-7-days', 'past-30-days', ...namedTimes.slice(2, 8)] as const;

/** Null: not a known range. parseSentence() may still read it. */
export function parseTime(enteredText: string, now: Date): string | null {
  const text = enteredText.normalize('NFKC').trim().toLowerCase().replaceAll(/\s+/g, ' ');
  const name = namedTimes.find((timeName) => timeName === text || timeNames[timeName].includes(text));
  if (name) return name;
  const pastDaysMatch = /^(?:past|last|最近|过去|近|前) ?(\d{1,4}) ?(?:days?|d|天|日)(?:内)?$|^(\d{1,4}) ?(?:d|天)$/.exec(text);
  const days = Number(pastDaysMatch?.[1] ?? pastDaysMatch?.[2] ?? 0);
  if (days > 0) return `past-${days}-days`;
  return parseQuarter(text, now) ?? parseMonth(text, now) ?? parseRange(text, now);
}

function parseQuarter(text: string, now: Date): string | null {
  const [, year, quarterDigit, chineseQuarter] = /^(?:(\d{4})[ 年-]?)?(?:q([1-4])|第?([一二三四1-4])季度)$/.exec(text) ?? [];
  const quarterText = quarterDigit ?? chineseQuarter;
  if (quarterText === undefined) return null;
  const firstMonth = (Number('一二三四'.indexOf(quarterText) + 1 || quarterText) - 1) * 3;
  return parseDays(
    new Date(Number(year ?? now.getFullYear()), firstMonth, 1),
    new Date(Number(year ?? now.getFullYear()), firstMonth + 3, 0),
  );
}

function parseMonth(text: string, now: Date): string | null {
  const [, year, monthText] = /^(?:(\d{4})[-/年])(\d{1,2})月?$/.exec(text) ?? /^()(\d{1,2})月$/.exec(text) ?? [];
  const monthNumber = Number(monthText ?? 0);
  if (monthNumber < 1 || monthNumber > 12) return null;
  const yearNumber = Number(year || now.getFullYear());
  return parseDays(new Date(yearNumber, monthNumber - 1, 1), new Date(yearNumber, monthNumber, 0));
}

/**
 * `2026-11-01..2026-11-15`, `11-01..11-15`, `11/1 - 11/15`, `11-01..`, a day, and days with
 * minutes.
 */
function parseRange(text: string, now: Date): string | null {
  const rangeParts = text.split(/ ?(?:\.\.|~|–|—|到|至| - | to ) ?/);
  if (rangeParts.length > 2) return null;
  const rangeEnds = rangeParts.map((part) => (part === '' ? '' : parseEnd(part, now)));
  if (rangeEnds.includes(null) || rangeEnds.every((timeName) => timeName === '')) return null;
  const rangeText = rangeEnds.join('..');
  return resolveTime(rangeText, now) === null ? null : rangeText;
}

function parseEnd(text: string, now: Date): string | null {
  const match = /^(?:(\d{4})[-/.年])?(\d{1,2})[-/.月](\d{1,2})日?(?:[ t](\d{1,2}):(\d{2}))?$/.exec(text);
  if (!match) return null;
  const [, year = String(now.getFullYear()), m = '', d = '', hours, minutes] = match;
  const date = `${year}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`;
  return hours === undefined ? date : `${date}T${hours.padStart(2, '0')}:${minutes}`;
}

const padTwo = (value: number) => String(value).padStart(2, '0');
const parseDay = (date: Date) => `${date.getFullYear()}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())}`;
const parseDays = (start: Date, end: Date) => `${parseDay(start)}..${parseDay(end)}`;

/** "three days ago", "上周五". Loads its parser when first needed. */
export async function parseSentence(enteredText: string, now: Date): Promise<string | null> {
  const text = replaceChineseWeekdays(enteredText.normalize('NFKC').trim(), now);
  if (text.length < 2 || text.length > 100 || isStartOfTimeName(text.toLowerCase())) return null;
  const isChinese = /\p{Script=Han}/u.test(text);
  const [parsed] = isChinese
    ? (await import('chrono-node/zh/hans')).parse(text, now)
    : (await import('chrono-node/en')).parse(text, now);
  if (!parsed || parsed.text.length < text.length * 0.6) return null;
  const from = parsed.start;
  const rangeEnd = parsed.end ?? parsed.start;
  const serialize = (component: typeof from) => {
    const date = component.date();
    return component.isCertain('hour')
      ? `${parseDay(date)}T${padTwo(date.getHours())}:${padTwo(date.getMinutes())}`
      : parseDay(date);
  };
  const rangeText =
    parsed.end || from.isCertain('hour') ? `${serialize(from)}..${parsed.end ? serialize(rangeEnd) : ''}` : serialize(from);
  return resolveTime(rangeText, now) === null ? null : rangeText;
}

/** "last m" is an unfinished "last month", not the last minute. */
const isStartOfTimeName = (text: string) => Object.values(timeNames).some((names) => names.some((name) => name.startsWith(text)));
