import * as z from 'zod/mini';

// Bitcoin is satoshi, YBTC is wei (18 decimals), as decimal strings.

const hashSchema = () => z.string().check(z.regex(/^[0-9a-f]{64}$/));
const hexSchema = (digits: number) => z.string().check(z.regex(new RegExp(`^0x[0-9a-fA-F]{${digits}}$`)));
const amountSchema = () => z.string().check(z.regex(/^(0|[1-9]\d{0,77})$/));
const integerSchema = () => z.int().check(z.minimum(0), z.maximum(2_147_483_647));

export const reserveReport = z.strictObject({
  network: z.enum(['mainnet', 'testnet', 'signet', 'regtest']),
  chainId: integerSchema(),
  token: hexSchema(40),
  custody: z
    .array(z.strictObject({ address: z.string().check(z.regex(/^[0-9a-zA-Z]{14,90}$/)), satoshi: amountSchema() }))
    .check(z.maxLength(10_000)),
  satoshi: amountSchema(),
  bitcoin: z.strictObject({ height: integerSchema(), hash: hashSchema() }),
  supply: amountSchema(),
  evm: z.strictObject({ block: integerSchema(), hash: hexSchema(64) }),
  authority: z.strictObject({ genesis: hashSchema(), number: integerSchema(), hash: hashSchema() }),
  at: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)),
});
export type ReserveReport = z.infer<typeof reserveReport>;

export const signedReserve = z.strictObject({ report: reserveReport, signer: hexSchema(40), signature: hexSchema(130) });
export type SignedReserve = z.infer<typeof signedReserve>;

/**
 * SOURCE: a Bitcoin source fails. NODES: RPC nodes differ or one is missing. LOG, CLOCK: the signer
 * rejects the log or its own clock.
 */
export const reserveProblems = ['SOURCE', 'DISAGREE', 'CHAIN', 'NODES', 'ONE_NODE', 'LOG', 'CLOCK', 'NO_CUSTODY'] as const;
export type ReserveProblem = (typeof reserveProblems)[number];

export const reserve = z.object({
  /** invalid: not signed by the minter for this log, so not shown. */
  state: z.enum(['covered', 'short', 'stale', 'invalid', 'none', 'off']),
  signed: z.nullable(signedReserve),
  /** 1e18 for 100 %. Null: no supply. */
  coverage: z.nullable(z.string()),
  /** Wei. */
  surplus: z.nullable(z.string()),
  problem: z.nullable(z.object({ reason: z.enum(reserveProblems), details: z.nullable(z.string()), at: z.string() })),
});
export type Reserve = z.infer<typeof reserve>;
