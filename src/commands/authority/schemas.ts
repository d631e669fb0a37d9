import * as z from 'zod/mini';
import { idSchema, textSchema } from '../../../api/base.ts';
import { receiverAddressSchema } from '../../../api/evm.ts';
import { countSchemaUpTo } from '../../../api/integer-fields.ts';
import { splitAddresses, readBands } from '../../lib/authority/bands.ts';

/** Refuses text that would be displayed differently than it is signed. */
const visibleText = (max: number) =>
  textSchema(max).check(
    z.refine((value) => !/[\p{Cc}\u200B\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/u.test(value.replaceAll('\n', '')), {
      error: 'invalid',
    }),
  );
const singleLine = (max: number) => visibleText(max).check(z.refine((value) => !value.includes('\n'), { error: 'invalid' }));
const isBitcoinText = (value: string): boolean => /^[0-9a-zA-Z]{14,90}$/.test(value);
const bitcoinAddress = () => textSchema(90).check(z.refine(isBitcoinText, { error: 'bitcoin' }));
const reason = () => visibleText(1000);
const positiveCount = (max: bigint) => countSchemaUpTo(max).check(z.refine((value) => value >= 1, { error: 'range' }));

export const enrollSchema = z.strictObject({ with: z.enum(['passkey', 'wallet'], { error: 'required' }) });
export const removeApproverSchema = z.strictObject({ person: idSchema(), reason: reason() });
export const rulesSchema = z.strictObject({
  root: positiveCount(9n),
  coolingSeconds: countSchemaUpTo(2_592_000n),
  receivers: z.enum(['listed', 'any'], { error: 'required' }),
  bands: textSchema(5000).check(z.refine((value) => readBands(value) !== null, { error: 'bands' })),
  refundBands: textSchema(5000).check(z.refine((value) => readBands(value) !== null, { error: 'bands' })),
});
export const setMinterSchema = z.strictObject({ address: receiverAddressSchema(), reason: reason() });
export const addCustodySchema = z.strictObject({
  address: bitcoinAddress(),
  note: z.union([z.literal(''), singleLine(200)], { error: 'invalid' }),
});
export const removeAddressSchema = z.strictObject({ address: textSchema(100), reason: reason() });
export const addReceiverSchema = z.strictObject({
  institution: singleLine(200),
  address: receiverAddressSchema(),
  custody: z.array(bitcoinAddress()).check(z.maxLength(50)),
  payout: z.string().check(
    z.maxLength(5000),
    z.refine((value) => splitAddresses(value).length <= 50 && splitAddresses(value).every(isBitcoinText), { error: 'bitcoin' }),
  ),
});
export const freezeSchema = z.strictObject({ reason: reason() });
export const unfreezeSchema = z.strictObject({ freeze: textSchema(40), reason: reason() });
