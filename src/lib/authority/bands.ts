import { toSafeInteger } from '../../../api/integers.ts';
import type { AuthorityBand } from '../../../api/authority/statements.ts';
import { formatUnits, parseBtc } from '../../../api/money.ts';

// One band per line: from | below | people | role | per 24 hours | delay in seconds.

const formatBtc = (satoshi: string | null): string => (satoshi === null ? '' : formatUnits(BigInt(satoshi), 8));

export const bandsText = (bands: readonly AuthorityBand[]): string =>
  bands
    .map(({ from, below, approvals, role, perDay, delaySeconds }) =>
      [formatBtc(from), formatBtc(below), approvals, role ?? '', formatBtc(perDay), delaySeconds].join(' | '),
    )
    .join('\n');

/** Null unless the bands are in order and without a gap. */
export function readBands(text: string): AuthorityBand[] | null {
  const bands = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(readBand);
  if (bands.length === 0 || bands.length > 20) return null;
  const parsedBands: AuthorityBand[] = [];
  for (const band of bands) {
    const previousBand = parsedBands.at(-1);
    if (!band || (previousBand && previousBand.below !== band.from)) return null;
    parsedBands.push(band);
  }
  return parsedBands;
}

function readBand(line: string): AuthorityBand | null {
  const cells = line.split('|').map((cell) => cell.trim());
  if (cells.length !== 6) return null;
  const [fromText = '', belowText = '', approvalsText = '', role = '', dayText = '', delay = ''] = cells;
  const from = parseBtc(fromText);
  const below = belowText === '' ? null : parseBtc(belowText);
  const perDay = dayText === '' ? null : parseBtc(dayText);
  const approvals = /^\d$/.test(approvalsText) ? toSafeInteger(approvalsText) : 0;
  const delaySeconds = delay === '' ? 0 : /^\d{1,6}$/.test(delay) ? toSafeInteger(delay) : -1;
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

const bandFields = ['from', 'below', 'approvals', 'role', 'perDay', 'delay'] as const satisfies readonly (keyof BandLine)[];

/** Keeps what is typed, also where no rule accepts it. */
export const parseBandLines = (text: string): BandLine[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const cells = line.split('|').map((cell) => cell.trim());
      return Object.fromEntries(bandFields.map((name, index) => [name, cells[index] ?? ''])) as unknown as BandLine;
    });

export const textOfLines = (lines: readonly BandLine[]): string =>
  lines.map((line) => bandFields.map((name) => line[name].replaceAll(/[|\n]/g, ' ')).join(' | ')).join('\n');

/** Satoshi. A gap and an overlap are between a band and the next one. */
export type BandProblem =
  | { at: keyof BandLine }
  | { gap: { from: string; below: string } }
  | { overlap: { from: string; below: string | null } };

/** What is wrong with each line, and between it and the next. */
export function findBandProblems(lines: readonly BandLine[]): BandProblem[][] {
  return lines.map((line, index) => {
    const problems: BandProblem[] = findInvalidFields(line).map((name) => ({ at: name }));
    const nextLine = lines[index + 1];
    const [end, start] = [line.below === '' ? null : parseBtc(line.below), nextLine ? parseBtc(nextLine.from) : null];
    if (!nextLine || start === null || (line.below !== '' && end === null)) return problems;
    if (end !== null && end < start) problems.push({ gap: { from: end.toString(), below: start.toString() } });
    if (end === null || end > start) problems.push({ overlap: { from: start.toString(), below: end?.toString() ?? null } });
    return problems;
  });
}

function findInvalidFields({ from, below, approvals, role, perDay, delay }: BandLine): (keyof BandLine)[] {
  const [start, end] = [parseBtc(from), parseBtc(below)];
  const invalidFields: Record<keyof BandLine, boolean> = {
    from: start === null,
    below: below !== '' && (end === null || (start !== null && end <= start)),
    approvals: !/^[1-5]$/.test(approvals),
    role: role.length > 100,
    perDay: perDay !== '' && parseBtc(perDay) === null,
    delay: !/^\d{0,6}$/.test(delay) || toSafeInteger(delay || '0') > 604_800,
  };
  return bandFields.filter((name) => invalidFields[name]);
}

/** A band of the rules in force next to the one that replaces it. Null: new or removed. */
export interface BandChange {
  before: AuthorityBand | null;
  after: AuthorityBand | null;
}

/** Pairs bands with the same amounts, then with the same start, then with the same end. In order of amounts. */
export function bandChanges(previousBands: readonly AuthorityBand[], newBands: readonly AuthorityBand[]): BandChange[] {
  const [unmatchedPrevious, unmatchedNew] = [new Set(previousBands), new Set(newBands)];
  const changes: BandChange[] = [];
  const matchBands = (isMatch: (previous: AuthorityBand, next: AuthorityBand) => boolean) => {
    for (const band of unmatchedNew) {
      const match = [...unmatchedPrevious].find((previous) => isMatch(previous, band));
      if (!match) continue;
      changes.push({ before: match, after: band });
      unmatchedPrevious.delete(match);
      unmatchedNew.delete(band);
    }
  };
  matchBands((previous, next) => previous.from === next.from && previous.below === next.below);
  matchBands((previous, next) => previous.from === next.from);
  matchBands((previous, next) => previous.below === next.below);
  const unmatchedChanges = [
    ...[...unmatchedPrevious].map((band) => ({ before: band, after: null })),
    ...[...unmatchedNew].map((band) => ({ before: null, after: band })),
  ];
  const readStart = ({ before: previous, after: next }: BandChange) => BigInt((next ?? previous)?.from ?? 0);
  return [...changes, ...unmatchedChanges].toSorted((a, b) =>
    readStart(a) < readStart(b) ? -1 : readStart(a) > readStart(b) ? 1 : 0,
  );
}
