import { parseInteger } from '../../../../api/integers.ts';
import { formatTime, parseLocalTime } from '../../format.ts';

// Converts typed text, including an input method's, to the spelling of the strict parsers. Only for fields.

/** NFKC only for full-width characters, because it turns 10² into 102. */
const halfWidth = (enteredText: string): string =>
  enteredText.replaceAll(/[\uFF01-\uFF5E\u3000]/g, (fullWidth) => fullWidth.normalize('NFKC'));

/** Plain spelling of "10,000.5", "１．５" or "1。5". Other commas stay and are refused, because "0,500" may mean a half. */
export function normalizeUnits(enteredText: string): string {
  const text = halfWidth(enteredText).replaceAll('。', '.').trim();
  const [integerPart = ''] = text.split('.');
  const integerText = /^[1-9][\d,]*$/.test(integerPart) ? parseInteger(integerPart) : null;
  return integerText === null ? text : integerText + text.slice(integerPart.length);
}

/** Returns an invalid time unchanged, for the schema to refuse. */
export const toStoredTime = (enteredText: string): string => parseLocalTime(halfWidth(enteredText)) ?? enteredText;

const instantPattern = /^\d{4}(-\d\d){2}T(\d\d:){2}\d\d(\.\d+)?Z$/;

/** Shows anything but ISO as typed, even "2026-3-5" or "3", which `new Date` would accept. */
export const toInputTime = (storedTime: string): string =>
  instantPattern.test(storedTime) ? formatTime(storedTime) : storedTime;

/** `HH:mm` of "9", "930", "9:30" or "１８：００". Null if it is not a time of day. */
export function timeOfDay(enteredText: string): string | null {
  const [, hours, minutes = '00'] = /^(\d{1,2}):?(\d\d)?$/.exec(halfWidth(enteredText).trim()) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return null;
  return `${hours.padStart(2, '0')}:${minutes}`;
}
