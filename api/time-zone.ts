import * as z from 'zod/mini';

export const timeZoneSchema = () =>
  z.string().check(
    z.maxLength(60),
    z.regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/, { error: 'invalid' }),
    z.refine((value) => isTimeZone(value), { error: 'invalid' }),
  );

function isTimeZone(value: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).format(0) !== '';
  } catch {
    return false;
  }
}

const dayMs = 86_400_000;
const formatters = new Map<string, Intl.DateTimeFormat>();

/** `localMs` as Unix ms, written as if UTC. Null: skipped or repeated by a clock change. */
export function toInstant(zone: string, localMs: number): number | null {
  const candidates = new Set(
    [localMs - dayMs, localMs + dayMs].map((roughInstant) => localMs - getZoneOffset(zone, roughInstant)),
  );
  const matches = [...candidates].filter((instant) => instant + getZoneOffset(zone, instant) === localMs);
  return matches.length === 1 ? (matches[0] ?? null) : null;
}

const quarterMs = 900_000;
let lastOffset = { zone: 'UTC', quarter: 0, offset: 0 };

/** Local wall-clock time in `zone`, as Unix ms as if it were UTC. */
export function toLocalTime(zone: string, instant: number): number {
  const quarterIndex = Math.floor(instant / quarterMs);
  if (lastOffset.zone !== zone || lastOffset.quarter !== quarterIndex)
    lastOffset = { zone, quarter: quarterIndex, offset: getZoneOffset(zone, instant) };
  return instant + lastOffset.offset;
}

function getZoneOffset(zone: string, instant: number): number {
  if (zone === 'UTC') return 0;
  const formatter = formatters.get(zone) ?? createFormatter(zone);
  formatters.set(zone, formatter);
  const parts = new Map(formatter.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const readPart = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const shownMs = Date.UTC(
    readPart('year'),
    readPart('month') - 1,
    readPart('day'),
    readPart('hour'),
    readPart('minute'),
    readPart('second'),
  );
  return shownMs - Math.floor(instant / 1000) * 1000;
}

const createFormatter = (zone: string) =>
  new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
