import * as z from 'zod/mini';

export const explorerSchema = (names: readonly string[]) => z.strictObject({ what: z.enum(names as string[]) });
