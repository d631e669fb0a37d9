import * as z from 'zod/mini';

export const seenSchema = z.strictObject({ seen: z.string().check(z.regex(/^(row|text):./, 'required')) });
