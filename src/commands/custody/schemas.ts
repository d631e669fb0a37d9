import * as z from 'zod/mini';
import { text } from '../../../api/base.ts';

export const walletSchema = z.strictObject({ wallet: text(200) });
