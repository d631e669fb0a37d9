import { integerOf } from '../../../api/integers.ts';
import type { AuthorityBand } from '../../../api/authority/statements.ts';
import { formatUnits, parseBtc } from '../../../api/money.ts';

// One band per line: from | below | people | role | per 24 hours | delay in seconds.

const btc = (satoshi: string | null): string => (satoshi === null ? '' : formatUnits(BigInt(satoshi), 8));

export const bandsText = (bands: readonly AuthorityBand[]): string =>
  bands
    .map(({ from, below, approvals, role, perDay, delaySeconds }) =>
      [btc(from), btc(below), approvals, role ?? '', btc(perDay), delaySeconds].join(' | '),
    )
    .join('\n');

/** Null unless the bands are in order and without a gap. */
export function readBands(text: string): AuthorityBand[] | null {
  const bands = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(readBand);
  if (bands.length === 0 || bands.length > 20) return null;
  const read: AuthorityBand[] = [];
  for (const band of bands) {
    const before = read.at(-1);
    if (!band || (before && before.below !== band.from)) return null;
    read.push(band);
  }
  return read;
}

function readBand(line: string): AuthorityBand | null {
  const parts = line.split('|').map((part) => part.trim());
  if (parts.length !== 6) return null;
  const [fromText = '', belowText = '', people = '', role = '', dayText = '', delay = ''] = parts;
  const from = parseBtc(fromText);
  const below = belowText === '' ? null : parseBtc(belowText);
  const perDay = dayText === '' ? null : parseBtc(dayText);
  const approvals = /^\d$/.test(people) ? integerOf(people) : 0;
  const delaySeconds = delay === '' ? 0 : /^\d{1,6}$/.test(delay) ? integerOf(delay) : -1;
  if (from === null || (belowText !== '' && (below === null || below <= from)) || (dayText !== '' && perDay === null))
    return null;
  if (approvals < 1 || approvals > 5 || delaySeconds < 0 || delaySeconds > 604_800 || role.length > 100) return null;
  return {
    from: from.toString(),
    below: below?.toString() ?? null,
    approvals,
    role: role === '' ? null : role,
    perDay: perDay?.toString() ?? null,
    delaySeconds,
  };
}

/** Accepts spaces, commas or line breaks between addresses. */
export const readAddresses = (text: string): string[] => text.split(/[\s,，;；]+/).filter((address) => address !== '');
