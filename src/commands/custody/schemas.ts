import * as z from 'zod/mini';
import { textSchema } from '../../../api/base.ts';

export const walletSchema = z.strictObject({ wallet: textSchema(200) });
