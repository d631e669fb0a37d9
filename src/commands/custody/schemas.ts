import * as z from 'zod/mini';
import { textField } from '../../../api/base.ts';

export const walletSchema = z.strictObject({ wallet: textField(200) });
