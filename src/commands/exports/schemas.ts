import * as z from 'zod/mini';
import { idSchema } from '../../../api/base.ts';

export const exportPick = z.strictObject({ export: idSchema() });
