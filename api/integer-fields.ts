import * as z from 'zod/mini';
import { text } from './base.ts';
import { plainWhole } from './integers.ts';

interface Bounds {
  min: bigint;
  max: bigint;
  notZero?: true;
}

/** A whole number as a decimal string, exact at any size. */
export const whole = ({ min, max, notZero }: Bounds) =>
  z.pipe(
    z.pipe(
      text(100).check(z.refine((value) => plainWhole(value) !== null, { error: 'whole' })),
      z.transform((value) => plainWhole(value) ?? value),
    ),
    z.string().check(
      z.refine((value) => BigInt(value) >= min && BigInt(value) <= max, { error: 'range' }),
      z.refine((value) => !notZero || value !== '0', { error: 'zero' }),
    ),
  );

/** The largest number of an `integer` column. */
const maxCount = 2_147_483_647n;

/** A number of things up to `max`, from 0 on: a number, or one as people write it. */
export const countUpTo = (max: bigint) =>
  z.pipe(
    z.pipe(z.union([z.int(), z.string()], { error: 'required' }), z.transform(String)),
    z.pipe(whole({ min: 0n, max }), z.transform(Number)),
  );

/** A number of things, from 0 on: a number, or one as people write it. */
export const wholeCount = () => countUpTo(maxCount);
