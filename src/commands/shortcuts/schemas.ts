import * as z from 'zod/mini';

export const keyFileSchema = z.strictObject({ file: z.union([z.string(), z.instanceof(Blob)]) });
