import * as z from 'zod/mini';
import { densities, themes } from '../../lib/prefs/theme.ts';

export const macroSchema = z.strictObject({ macro: z.string().check(z.minLength(1, 'required')) });
export const seenSchema = z.strictObject({ seen: z.string().check(z.regex(/^(row|text):./, 'required')) });
export const themeSchema = z.strictObject({ theme: z.enum(themes) });
export const densitySchema = z.strictObject({ density: z.enum(densities) });
/** A file, or its text: what a script or an undo gives. */
export const keyFileSchema = z.strictObject({ file: z.union([z.string(), z.instanceof(Blob)]) });
