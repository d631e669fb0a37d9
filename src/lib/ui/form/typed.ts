import { plainWhole } from '../../../../api/integers.ts';
import { formatTime, parseLocalTime } from '../../format.ts';

// What people type, and what input methods make of it, in the spelling that the strict parsers read. Only fields ask for it.

/** Full-width characters in half width. Not all that NFKC changes: it makes 102 of 10². */
const halfWidth = (typed: string): string => typed.replaceAll(/[\uFF01-\uFF5E\u3000]/g, (wide) => wide.normalize('NFKC'));

/** An amount as it is shown or typed ("10,000.5", "１．５", "1。5") in its plain spelling; any other comma stays, to be refused: "0,500" may mean a half. */
export function plainUnits(typed: string): string {
  const text = halfWidth(typed).replaceAll('。', '.').trim();
  const [whole = ''] = text.split('.');
  const plain = /^[1-9][\d,]*$/.test(whole) ? plainWhole(whole) : null;
  return plain === null ? text : plain + text.slice(whole.length);
}

/** What a form holds for a time that was typed; what is no time goes on as it is, for the rules to say so. */
export const heldTime = (typed: string): string => parseLocalTime(halfWidth(typed)) ?? typed;

const instant = /^\d{4}(-\d\d){2}T(\d\d:){2}\d\d(\.\d+)?Z$/;

/** A time that a form holds, in this zone; what was typed and is none yet as it was typed, also where `new Date` would take it: "2026-3-5", "3". */
export const shownTime = (held: string): string => (instant.test(held) ? formatTime(held) : held);
