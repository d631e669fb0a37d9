import * as z from 'zod/mini';
import { chartUnits } from '../../lib/ui/chart/query.ts';

export const unitSchema = z.strictObject({ unit: z.enum(chartUnits) });
