import * as z from 'zod/mini';

export const timeZone = () =>
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
const clocks = new Map<string, Intl.DateTimeFormat>();

/** `local` as Unix ms, written as if UTC. Null: skipped or repeated by a clock change. */
export function instantIn(zone: string, local: number): number | null {
  const candidates = new Set([local - dayMs, local + dayMs].map((around) => local - offsetAt(zone, around)));
  const found = [...candidates].filter((at) => at + offsetAt(zone, at) === local);
  return found.length === 1 ? (found[0] ?? null) : null;
}

const quarterMs = 900_000;
let lastOffset = { zone: 'UTC', quarter: 0, offset: 0 };

/** Local wall-clock time in `zone`, as Unix ms as if it were UTC. */
export function localTimeIn(zone: string, at: number): number {
  const quarter = Math.floor(at / quarterMs);
  if (lastOffset.zone !== zone || lastOffset.quarter !== quarter) lastOffset = { zone, quarter, offset: offsetAt(zone, at) };
  return at + lastOffset.offset;
}

function offsetAt(zone: string, at: number): number {
  if (zone === 'UTC') return 0;
  const clock = clocks.get(zone) ?? clockOf(zone);
  clocks.set(zone, clock);
  const parts = new Map(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return shown - Math.floor(at / 1000) * 1000;
}

const clockOf = (zone: string) =>
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
