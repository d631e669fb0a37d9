import * as z from 'zod/mini';
import { text } from '../../../api/base.ts';

/** Which of the announced wallets. */
export const walletSchema = z.strictObject({ wallet: text(200) });
