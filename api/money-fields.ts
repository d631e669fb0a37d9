import * as z from 'zod/mini';
import { maxSatoshi } from './money.ts';

/** Digits only, above zero, at most the supply of bitcoin. */
export const satoshiSchema = () =>
  z.string({ error: 'required' }).check(
    z.minLength(1, { error: 'required' }),
    z.regex(/^(0|[1-9]\d{0,15})$/, { error: 'amount' }),
    z.refine((value) => /^\d{1,16}$/.test(value) && BigInt(value) > 0n && BigInt(value) <= maxSatoshi, { error: 'amount' }),
  );
