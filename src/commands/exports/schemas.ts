import * as z from 'zod/mini';
import { id } from '../../../api/base.ts';

export const exportPick = z.strictObject({ export: id() });
