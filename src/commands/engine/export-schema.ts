import * as z from 'zod/mini';
import { exportFormats } from '../../../api/base.ts';

export const exportParams = z.strictObject({ format: z.enum(exportFormats) });
