import * as z from 'zod/mini';
import { textSchema } from './base.ts';
import { parseInteger } from './integers.ts';

interface Bounds {
  min: bigint;
  max: bigint;
  notZero?: true;
}

export const integerSchema = ({ min, max, notZero }: Bounds) =>
  z.pipe(
    z.pipe(
      textSchema(100).check(z.refine((value) => parseInteger(value) !== null, { error: 'whole' })),
      z.transform((value) => parseInteger(value) ?? value),
    ),
    z.string().check(
      z.refine((value) => BigInt(value) >= min && BigInt(value) <= max, { error: 'range' }),
      z.refine((value) => !notZero || value !== '0', { error: 'zero' }),
    ),
  );

/** PostgreSQL `integer`. */
const maxCount = 2_147_483_647n;

export const countSchemaUpTo = (max: bigint) =>
  z.pipe(
    z.pipe(z.union([z.int(), z.string()], { error: 'required' }), z.transform(String)),
    z.pipe(integerSchema({ min: 0n, max }), z.transform(Number)),
  );

/** Null if empty. */
export const optionalCountSchema = (min: bigint, max: bigint) =>
  z.pipe(
    z.pipe(
      z.nullable(z.union([z.int(), z.string()], { error: 'invalid' })),
      z.transform((value) => (value === null || String(value).trim() === '' ? null : String(value))),
    ),
    z.nullable(z.pipe(integerSchema({ min, max }), z.transform(Number))),
  );

export const countSchema = () => countSchemaUpTo(maxCount);
