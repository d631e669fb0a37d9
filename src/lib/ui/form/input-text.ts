import { parseInteger } from '../../../../api/integers.ts';
import { formatTime, parseLocalTime } from '../../format.ts';

// Converts typed text, including an input method's, to the spelling of the strict parsers. Only for fields.

/** NFKC only for full-width characters, because it turns 10² into 102. */
const halfWidth = (typed: string): string => typed.replaceAll(/[\uFF01-\uFF5E\u3000]/g, (wide) => wide.normalize('NFKC'));

/** Plain spelling of "10,000.5", "１．５" or "1。5". Other commas stay and are refused, because "0,500" may mean a half. */
export function normalizeUnits(typed: string): string {
  const text = halfWidth(typed).replaceAll('。', '.').trim();
  const [whole = ''] = text.split('.');
  const plain = /^[1-9][\d,]*$/.test(whole) ? parseInteger(whole) : null;
  return plain === null ? text : plain + text.slice(whole.length);
}

/** Returns an invalid time unchanged, for the schema to refuse. */
export const toStoredTime = (typed: string): string => parseLocalTime(halfWidth(typed)) ?? typed;

const instant = /^\d{4}(-\d\d){2}T(\d\d:){2}\d\d(\.\d+)?Z$/;

/** Shows anything but ISO as typed, even "2026-3-5" or "3", which `new Date` would accept. */
export const toInputTime = (held: string): string => (instant.test(held) ? formatTime(held) : held);

/** `HH:mm` of "9", "930", "9:30" or "１８：００". Null if it is not a time of day. */
export function timeOfDay(typed: string): string | null {
  const [, hours, minutes = '00'] = /^(\d{1,2}):?(\d\d)?$/.exec(halfWidth(typed).trim()) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return null;
  return `${hours.padStart(2, '0')}:${minutes}`;
}
