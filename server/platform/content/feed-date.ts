import { serializeTime } from '../../../api/time-text.ts';

// Only unambiguous zones: IST and BST, for example, name several offsets.
const zones: Readonly<Record<string, number>> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  west: 1,
  cet: 1,
  cest: 2,
  eet: 2,
  eest: 3,
  msk: 3,
  jst: 9,
  kst: 9,
  hkt: 8,
  aest: 10,
  aedt: 11,
  nzst: 12,
  nzdt: 13,
  est: -5, // RFC 822
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

const languages = ['en', 'pt', 'es', 'it', 'fr', 'de', 'nl', 'sv', 'da', 'nb', 'pl', 'cs', 'tr', 'ro', 'hu', 'ru', 'uk', 'id'];

/** Long and short, in many languages. Null where languages disagree. */
let months: Map<string, number | null> | undefined;

function monthOf(word: string): number | null {
  if (!months) {
    months = new Map();
    for (const language of languages)
      for (const month of ['short', 'long'] as const)
        for (const day of [{}, { day: 'numeric' }] as const) {
          const format = new Intl.DateTimeFormat(language, { ...day, month, timeZone: 'UTC' });
          for (let at = 0; at < 12; at++) {
            const name = format.formatToParts(Date.UTC(2026, at, 1)).find(({ type }) => type === 'month')?.value ?? '';
            const plain = plainWord(name);
            if (/\d/.test(plain)) continue;
            for (const key of new Set([plain, ...(plain.length > 3 ? [plain.slice(0, 3)] : [])])) {
              const before = months.get(key);
              months.set(key, before === undefined || before === at ? at : null);
            }
          }
        }
    for (let at = 0; at < 12; at++) {
      const name = plainWord(new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, at, 1)));
      for (const key of [name, name.slice(0, 3)]) months.set(key, at);
    }
    months.set('sept', 8);
  }
  return months.get(plainWord(word)) ?? null;
}

const plainWord = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(/[\p{M}.]/gu, '')
    .toLowerCase();

const word = String.raw`[\p{L}\p{M}]+\.?`;
const clock = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?`;
const zone = String.raw`(?:\s*(?:(?:GMT|UTC)?([+-]\d{2}):?(\d{2})|(${word})|\(.*\)))?`;
const weekday = String.raw`(?:${word}(?:-${word})?\s*,?\s+)?`;
/** 'Seg, 24 Set 2018 19:42:40 -0300', '06-Nov-94 08:49:37 GMT'. */
const dayFirst = new RegExp(
  String.raw`^${weekday}(\d{1,2})\.?(?:\s+|-)(?:de\s+)?(${word})(?:\s+|-)(?:de\s+)?(\d{4}|\d{2})(?:,?\s+${clock}${zone})?$`,
  'iu',
);
/** 'November 27, 2026 08:00', 'Tue Nov 27 2026 08:00:00 GMT'. */
const monthFirst = new RegExp(String.raw`^${weekday}(${word})\s+(\d{1,2}),?\s+(\d{4})(?:,?\s+${clock}${zone})?$`, 'iu');
/** 'Tue Nov 27 08:00:00 2026', as C writes it. */
const yearLast = new RegExp(String.raw`^${weekday}(${word})\s+(\d{1,2})\s+${clock}\s+(\d{4})$`, 'iu');

/**
 * ISO-8601 UTC. Accepts RFC 822 in many languages and year-first spellings. Null if missing or ambiguous: no date is better than
 * a wrong one.
 */
export function feedDate(text: string): string | null {
  const typed = text.replace(/\s+/g, ' ').trim().slice(0, 100);
  return inRange(isoDate(typed) ?? wordDate(typed));
}

function isoDate(typed: string): string | null {
  const short = /^(\d{4})(?:-(\d{2}))?$/.exec(typed);
  if (short) return serializeTime(`${short[1]}-${short[2] ?? '01'}-01`);
  return serializeTime(typed.replace(/(?<=\d)([+-]\d\d)$/, '$1:00').replace(/,(?=\d+)/, '.'));
}

function wordDate(typed: string): string | null {
  const cut = typed.replace(/\s*\([^)]*\)$/, '');
  const first = dayFirst.exec(cut);
  if (first) {
    const [, day, month = '', year = '', ...rest] = first;
    const full = year.length === 4 ? Number(year) : Number(year) + (Number(year) < 50 ? 2000 : 1900);
    return instantOf(full, monthOf(month), Number(day), rest);
  }
  const second = monthFirst.exec(cut);
  if (second) {
    const [, month = '', day, year, ...rest] = second;
    return instantOf(Number(year), monthOf(month), Number(day), rest);
  }
  const third = yearLast.exec(cut);
  if (!third) return null;
  const [, month = '', day, hours, minutes, seconds, year] = third;
  return instantOf(Number(year), monthOf(month), Number(day), [hours, minutes, seconds]);
}

function instantOf(year: number, month: number | null, day: number, rest: readonly (string | undefined)[]): string | null {
  const [hours = '0', minutes = '0', seconds = '0', sign, zoneMinutes = '0', name] = rest;
  if (month === null) return null;
  const named = name === undefined ? 0 : zones[plainWord(name)];
  if (named === undefined) return null;
  const away = sign === undefined ? named * 60 : Number(sign) * 60 + Math.sign(Number(`${sign}1`)) * Number(zoneMinutes);
  if (Math.abs(away) > 15 * 60) return null;
  const leap = seconds === '60' ? '59' : seconds;
  const local = new Date(Date.UTC(year, month, day, Number(hours), Number(minutes), Number(leap)));
  const isReal =
    local.getUTCMonth() === month && local.getUTCDate() === day && local.getUTCHours() === Number(hours) && Number(minutes) < 60;
  return isReal && Number(leap) < 60 ? new Date(local.getTime() - away * 60_000).toISOString() : null;
}

function inRange(iso: string | null): string | null {
  return iso !== null && /^\d{4}-/.test(iso) && iso >= '1970' ? iso : null;
}
