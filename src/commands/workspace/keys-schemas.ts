import * as z from 'zod/mini';
import { keyPresetNames } from '../engine/key-presets.ts';

export const presetSchema = z.strictObject({ preset: z.enum(keyPresetNames) });
/** A file, or its text: what a script or an undo gives. */
export const keyFileSchema = z.strictObject({ file: z.union([z.string(), z.instanceof(Blob)]) });
