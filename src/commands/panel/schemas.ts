import * as z from 'zod/mini';
import { densities, themes } from '../../lib/prefs/theme.ts';

export const themeSchema = z.strictObject({ theme: z.enum(themes) });
export const densitySchema = z.strictObject({ density: z.enum(densities) });
