import * as z from 'zod/mini';

/** A file, or its text: what a script or an undo gives. */
export const keyFileSchema = z.strictObject({ file: z.union([z.string(), z.instanceof(Blob)]) });
