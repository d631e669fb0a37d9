import * as z from 'zod/mini';

/** Which of the things that a record names is looked at. */
export const exploredSchema = (names: readonly string[]) => z.strictObject({ what: z.enum(names as string[]) });
