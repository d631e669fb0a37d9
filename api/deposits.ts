import * as z from 'zod/mini';

/** What the configured Bitcoin sources say of a claimed output. */
export const depositEvidence = z.object({
  /**
   * holds: all say what was claimed, deep enough. unconfirmed: as claimed, not yet deep enough. mismatch: something else.
   * unverified: not every source could be asked, knows the transaction, or agrees. Only 'holds' may be confirmed.
   */
  verdict: z.enum(['holds', 'unconfirmed', 'mismatch', 'unverified']),
  /** Confirmations asked for. */
  required: z.int(),
  sources: z.array(
    z.object({
      name: z.string(),
      state: z.enum(['found', 'noOutput', 'missing', 'unreachable']),
      address: z.nullable(z.string()),
      /** Satoshi. */
      amount: z.nullable(z.string()),
      confirmations: z.nullable(z.int()),
      height: z.nullable(z.int()),
      blockHash: z.nullable(z.string()),
      coinbase: z.boolean(),
    }),
  ),
});
export type DepositEvidence = z.infer<typeof depositEvidence>;
