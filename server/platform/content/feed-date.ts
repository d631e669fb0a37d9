import { normalizeTime } from '../../../api/time-text.ts';

// Only unambiguous zones: IST and BST, for example, name several offsets.
const zoneOffsets: Readonly<Record<string, number>> = {
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
let monthsByName: Map<string, number | null> | undefined;

function parseMonthName(word: string): number | null {
  if (!monthsByName) {
    monthsByName = new Map();
    for (const language of languages)
      for (const month of ['short', 'long'] as const)
        for (const day of [{}, { day: 'numeric' }] as const) {
          const format = new Intl.DateTimeFormat(language, { ...day, month, timeZone: 'UTC' });
          for (let monthIndex = 0; monthIndex < 12; monthIndex++) {
            const name = format.formatToParts(Date.UTC(2026, monthIndex, 1)).find(({ type }) => type === 'month')?.value ?? '';
            const plainName = normalizeWord(name);
            if (/\d/.test(plainName)) continue;
            for (const key of new Set([plainName, ...(plainName.length > 3 ? [plainName.slice(0, 3)] : [])])) {
              const knownMonth = monthsByName.get(key);
              monthsByName.set(key, knownMonth === undefined || knownMonth === monthIndex ? monthIndex : null);
            }
          }
        }
    for (let monthIndex = 0; monthIndex < 12; monthIndex++) {
      const name = normalizeWord(
        new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, monthIndex, 1)),
      );
      for (const key of [name, name.slice(0, 3)]) monthsByName.set(key, monthIndex);
    }
    monthsByName.set('sept', 8);
  }
  return monthsByName.get(normalizeWord(word)) ?? null;
}

const normalizeWord = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(/[\p{M}.]/gu, '')
    .toLowerCase();

const wordPattern = String.raw`[\p{L}\p{M}]+\.?`;
const clockPattern = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?`;
const zonePattern = String.raw`(?:\s*(?:(?:GMT|UTC)?([+-]\d{2}):?(\d{2})|(${wordPattern})|\(.*\)))?`;
const weekdayPattern = String.raw`(?:${wordPattern}(?:-${wordPattern})?\s*,?\s+)?`;
/** 'Seg, 24 Set 2018 19:42:40 -0300', '06-Nov-94 08:49:37 GMT'. */
const dayFirst = new RegExp(
  String.raw`^${weekdayPattern}(\d{1,2})\.?(?:\s+|-)(?:de\s+)?(${wordPattern})(?:\s+|-)(?:de\s+)?(\d{4}|\d{2})(?:,?\s+${clockPattern}${zonePattern})?$`,
  'iu',
);
/** 'November 27, 2026 08:00', 'Tue Nov 27 2026 08:00:00 GMT'. */
const monthFirst = new RegExp(
  String.raw`^${weekdayPattern}(${wordPattern})\s+(\d{1,2}),?\s+(\d{4})(?:,?\s+${clockPattern}${zonePattern})?$`,
  'iu',
);
/** 'Tue Nov 27 08:00:00 2026', as C writes it. */
const yearLast = new RegExp(String.raw`^${weekdayPattern}(${wordPattern})\s+(\d{1,2})\s+${clockPattern}\s+(\d{4})$`, 'iu');

/**
 * ISO-8601 UTC. Accepts RFC 822 in many languages and year-first spellings. Null if missing or ambiguous: no date is better than
 * a wrong one.
 */
export function parseFeedDate(text: string): string | null {
  const normalizedText = text.replace(/\s+/g, ' ').trim().slice(0, 100);
  return checkDateRange(parseIsoDate(normalizedText) ?? parseWordDate(normalizedText));
}

function parseIsoDate(normalizedText: string): string | null {
  const shortDate = /^(\d{4})(?:-(\d{2}))?$/.exec(normalizedText);
  if (shortDate) return normalizeTime(`${shortDate[1]}-${shortDate[2] ?? '01'}-01`);
  return normalizeTime(normalizedText.replace(/(?<=\d)([+-]\d\d)$/, '$1:00').replace(/,(?=\d+)/, '.'));
}

function parseWordDate(normalizedText: string): string | null {
  const textWithoutComment = normalizedText.replace(/\s*\([^)]*\)$/, '');
  const dayFirstMatch = dayFirst.exec(textWithoutComment);
  if (dayFirstMatch) {
    const [, day, month = '', year = '', ...timeParts] = dayFirstMatch;
    const fullYear = year.length === 4 ? Number(year) : Number(year) + (Number(year) < 50 ? 2000 : 1900);
    return buildInstant(fullYear, parseMonthName(month), Number(day), timeParts);
  }
  const monthFirstMatch = monthFirst.exec(textWithoutComment);
  if (monthFirstMatch) {
    const [, month = '', day, year, ...timeParts] = monthFirstMatch;
    return buildInstant(Number(year), parseMonthName(month), Number(day), timeParts);
  }
  const yearLastMatch = yearLast.exec(textWithoutComment);
  if (!yearLastMatch) return null;
  const [, month = '', day, hours, minutes, seconds, year] = yearLastMatch;
  return buildInstant(Number(year), parseMonthName(month), Number(day), [hours, minutes, seconds]);
}

function buildInstant(
  year: number,
  month: number | null,
  day: number,
  timeParts: readonly (string | undefined)[],
): string | null {
  const [hours = '0', minutes = '0', seconds = '0', sign, zoneMinutes = '0', name] = timeParts;
  if (month === null) return null;
  const zoneOffset = name === undefined ? 0 : zoneOffsets[normalizeWord(name)];
  if (zoneOffset === undefined) return null;
  const offsetMinutes =
    sign === undefined ? zoneOffset * 60 : Number(sign) * 60 + Math.sign(Number(`${sign}1`)) * Number(zoneMinutes);
  if (Math.abs(offsetMinutes) > 15 * 60) return null;
  const clampedSeconds = seconds === '60' ? '59' : seconds;
  const localDate = new Date(Date.UTC(year, month, day, Number(hours), Number(minutes), Number(clampedSeconds)));
  const isReal =
    localDate.getUTCMonth() === month &&
    localDate.getUTCDate() === day &&
    localDate.getUTCHours() === Number(hours) &&
    Number(minutes) < 60;
  return isReal && Number(clampedSeconds) < 60 ? new Date(localDate.getTime() - offsetMinutes * 60_000).toISOString() : null;
}

function checkDateRange(iso: string | null): string | null {
  return iso !== null && /^\d{4}-/.test(iso) && iso >= '1970' ? iso : null;
}
