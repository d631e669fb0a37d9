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
export function parseTime(typed: string, now: Date): string | null {
  const text = typed.normalize('NFKC').trim().toLowerCase().replaceAll(/\s+/g, ' ');
  const name = namedTimes.find((one) => one === text || timeNames[one].includes(text));
  if (name) return name;
  const past = /^(?:past|last|最近|过去|近|前) ?(\d{1,4}) ?(?:days?|d|天|日)(?:内)?$|^(\d{1,4}) ?(?:d|天)$/.exec(text);
  const days = Number(past?.[1] ?? past?.[2] ?? 0);
  if (days > 0) return `past-${days}-days`;
  return parseQuarter(text, now) ?? parseMonth(text, now) ?? parseRange(text, now);
}

function parseQuarter(text: string, now: Date): string | null {
  const [, year, q, zh] = /^(?:(\d{4})[ 年-]?)?(?:q([1-4])|第?([一二三四1-4])季度)$/.exec(text) ?? [];
  const which = q ?? zh;
  if (which === undefined) return null;
  const first = (Number('一二三四'.indexOf(which) + 1 || which) - 1) * 3;
  return parseDays(
    new Date(Number(year ?? now.getFullYear()), first, 1),
    new Date(Number(year ?? now.getFullYear()), first + 3, 0),
  );
}

function parseMonth(text: string, now: Date): string | null {
  const [, year, of] = /^(?:(\d{4})[-/年])(\d{1,2})月?$/.exec(text) ?? /^()(\d{1,2})月$/.exec(text) ?? [];
  const at = Number(of ?? 0);
  if (at < 1 || at > 12) return null;
  const y = Number(year || now.getFullYear());
  return parseDays(new Date(y, at - 1, 1), new Date(y, at, 0));
}

/**
 * `2026-11-01..2026-11-15`, `11-01..11-15`, `11/1 - 11/15`, `11-01..`, a day, and days with
 * minutes.
 */
function parseRange(text: string, now: Date): string | null {
  const parts = text.split(/ ?(?:\.\.|~|–|—|到|至| - | to ) ?/);
  if (parts.length > 2) return null;
  const ends = parts.map((part) => (part === '' ? '' : parseEnd(part, now)));
  if (ends.includes(null) || ends.every((one) => one === '')) return null;
  const serialized = ends.join('..');
  return resolveTime(serialized, now) === null ? null : serialized;
}

function parseEnd(text: string, now: Date): string | null {
  const match = /^(?:(\d{4})[-/.年])?(\d{1,2})[-/.月](\d{1,2})日?(?:[ t](\d{1,2}):(\d{2}))?$/.exec(text);
  if (!match) return null;
  const [, year = String(now.getFullYear()), m = '', d = '', hours, minutes] = match;
  const date = `${year}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`;
  return hours === undefined ? date : `${date}T${hours.padStart(2, '0')}:${minutes}`;
}

const pad = (part: number) => String(part).padStart(2, '0');
const parseDay = (at: Date) => `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
const parseDays = (from: Date, to: Date) => `${parseDay(from)}..${parseDay(to)}`;

/** "three days ago", "上周五". Loads its parser when first needed. */
export async function parseSentence(typed: string, now: Date): Promise<string | null> {
  const text = typed.normalize('NFKC').trim();
  if (text.length < 2 || text.length > 100) return null;
  const isChinese = /\p{Script=Han}/u.test(text);
  const [found] = isChinese
    ? (await import('chrono-node/zh/hans')).parse(text, now)
    : (await import('chrono-node/en')).parse(text, now);
  if (!found || found.text.length < text.length * 0.6) return null;
  const from = found.start;
  const to = found.end ?? found.start;
  const serialize = (at: typeof from) => {
    const date = at.date();
    return at.isCertain('hour') ? `${parseDay(date)}T${pad(date.getHours())}:${pad(date.getMinutes())}` : parseDay(date);
  };
  const serialized =
    found.end || from.isCertain('hour') ? `${serialize(from)}..${found.end ? serialize(to) : ''}` : serialize(from);
  return resolveTime(serialized, now) === null ? null : serialized;
}
