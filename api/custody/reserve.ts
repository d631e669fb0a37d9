import * as z from 'zod/mini';

// Proof of reserve: what the signer found on Bitcoin and on the chain, and signed. Amounts of bitcoin are satoshi, of YBTC wei of 18
// decimals: decimal strings, as in every statement.

const hash = () => z.string().check(z.regex(/^[0-9a-f]{64}$/));
const hex = (digits: number) => z.string().check(z.regex(new RegExp(`^0x[0-9a-fA-F]{${digits}}$`)));
const amount = () => z.string().check(z.regex(/^(0|[1-9]\d{0,77})$/));
const whole = () => z.int().check(z.minimum(0), z.maximum(2_147_483_647));

export const reserveReport = z.strictObject({
  network: z.enum(['mainnet', 'testnet', 'signet', 'regtest']),
  chainId: whole(),
  token: hex(40),
  /** Unspent at the Bitcoin block: of every custody address, in the order of their text, and of all. */
  custody: z
    .array(z.strictObject({ address: z.string().check(z.regex(/^[0-9a-zA-Z]{14,90}$/)), satoshi: amount() }))
    .check(z.maxLength(10_000)),
  satoshi: amount(),
  bitcoin: z.strictObject({ height: whole(), hash: hash() }),
  /** YBTC minted less burnt, at a settled block. */
  supply: amount(),
  evm: z.strictObject({ block: whole(), hash: hex(64) }),
  /** The authority log that says which addresses are ours: its genesis, and the line it ended with. */
  authority: z.strictObject({ genesis: hash(), number: whole(), hash: hash() }),
  /** ISO 8601, to the millisecond. */
  at: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)),
});
export type ReserveReport = z.infer<typeof reserveReport>;

/** A report under the minter's signature (EIP-712, server/authority/shared/reserve.ts). */
export const signedReserve = z.strictObject({ report: reserveReport, signer: hex(40), signature: hex(130) });
export type SignedReserve = z.infer<typeof signedReserve>;

/**
 * Why there is no newer report: a Bitcoin source does not answer, or they disagree; the chain does not answer, or is in motion; the
 * RPC nodes disagree or one is missing, or there is only one; the signer does not believe the log, or its own clock; the log names no
 * custody address.
 */
export const reserveProblems = ['SOURCE', 'DISAGREE', 'CHAIN', 'NODES', 'ONE_NODE', 'LOG', 'CLOCK', 'NO_CUSTODY'] as const;
export type ReserveProblem = (typeof reserveProblems)[number];

export const reserve = z.object({
  /**
   * covered: the bitcoin is there. short: the supply is more than it. stale: the newest report is old. invalid: what is there is not what
   * the minter signed for this log, and is not shown. none: there is no report yet. off: there is no chain, or no log.
   */
  state: z.enum(['covered', 'short', 'stale', 'invalid', 'none', 'off']),
  signed: z.nullable(signedReserve),
  /** Reserve by supply, 1e18 for 100 %; null: nothing is out. */
  coverage: z.nullable(z.string()),
  /** Wei that the reserve has more than the supply; below zero: less. */
  surplus: z.nullable(z.string()),
  problem: z.nullable(z.object({ reason: z.enum(reserveProblems), details: z.nullable(z.string()), at: z.string() })),
});
export type Reserve = z.infer<typeof reserve>;
