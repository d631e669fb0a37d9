import * as z from 'zod/mini';

export const macroSchema = z.strictObject({ macro: z.string().check(z.minLength(1, 'required')) });
