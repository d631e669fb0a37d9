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
export const splitAddresses = (text: string): string[] => text.split(/[\s,，;；]+/).filter((address) => address !== '');

/** One line of the text, as typed. */
export interface BandLine {
  from: string;
  below: string;
  approvals: string;
  role: string;
  perDay: string;
  /** Seconds. */
  delay: string;
}

const parts = ['from', 'below', 'approvals', 'role', 'perDay', 'delay'] as const satisfies readonly (keyof BandLine)[];

/** Keeps what is typed, also where no rule accepts it. */
export const bandLinesOf = (text: string): BandLine[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const typed = line.split('|').map((part) => part.trim());
      return Object.fromEntries(parts.map((name, at) => [name, typed[at] ?? ''])) as unknown as BandLine;
    });

export const textOfLines = (lines: readonly BandLine[]): string =>
  lines.map((line) => parts.map((name) => line[name].replaceAll(/[|\n]/g, ' ')).join(' | ')).join('\n');

/** Satoshi. A gap and an overlap are between a band and the next one. */
export type BandProblem =
  | { at: keyof BandLine }
  | { gap: { from: string; below: string } }
  | { overlap: { from: string; below: string | null } };

/** What is wrong with each line, and between it and the next. */
export function problemsOf(lines: readonly BandLine[]): BandProblem[][] {
  return lines.map((line, at) => {
    const problems: BandProblem[] = wrongParts(line).map((name) => ({ at: name }));
    const next = lines[at + 1];
    const [end, start] = [line.below === '' ? null : parseBtc(line.below), next ? parseBtc(next.from) : null];
    if (!next || start === null || (line.below !== '' && end === null)) return problems;
    if (end !== null && end < start) problems.push({ gap: { from: end.toString(), below: start.toString() } });
    if (end === null || end > start) problems.push({ overlap: { from: start.toString(), below: end?.toString() ?? null } });
    return problems;
  });
}

function wrongParts({ from, below, approvals, role, perDay, delay }: BandLine): (keyof BandLine)[] {
  const [start, end] = [parseBtc(from), parseBtc(below)];
  const isWrong: Record<keyof BandLine, boolean> = {
    from: start === null,
    below: below !== '' && (end === null || (start !== null && end <= start)),
    approvals: !/^[1-5]$/.test(approvals),
    role: role.length > 100,
    perDay: perDay !== '' && parseBtc(perDay) === null,
    delay: !/^\d{0,6}$/.test(delay) || integerOf(delay || '0') > 604_800,
  };
  return parts.filter((name) => isWrong[name]);
}

/** A band of the rules in force next to the one that replaces it. Null: new or removed. */
export interface BandChange {
  before: AuthorityBand | null;
  after: AuthorityBand | null;
}

/** Pairs bands with the same amounts, then with the same start, then with the same end. In order of amounts. */
export function bandChanges(before: readonly AuthorityBand[], after: readonly AuthorityBand[]): BandChange[] {
  const [old, now] = [new Set(before), new Set(after)];
  const pairs: BandChange[] = [];
  const pair = (fits: (one: AuthorityBand, other: AuthorityBand) => boolean) => {
    for (const band of now) {
      const found = [...old].find((one) => fits(one, band));
      if (!found) continue;
      pairs.push({ before: found, after: band });
      old.delete(found);
      now.delete(band);
    }
  };
  pair((one, other) => one.from === other.from && one.below === other.below);
  pair((one, other) => one.from === other.from);
  pair((one, other) => one.below === other.below);
  const rest = [
    ...[...old].map((band) => ({ before: band, after: null })),
    ...[...now].map((band) => ({ before: null, after: band })),
  ];
  const startOf = ({ before: one, after: other }: BandChange) => BigInt((other ?? one)?.from ?? 0);
  return [...pairs, ...rest].toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : startOf(a) > startOf(b) ? 1 : 0));
}
