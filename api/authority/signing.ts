import * as z from 'zod/mini';
import { authorityKey, contents, proof, statement } from './statements.ts';

const hash = () => z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const logPosition = z.extend(
  z.pick(contents.genesis, { chainId: true, network: true, token: true, bridge: true, rpId: true }),
  { genesis: hash() },
);
export type LogPosition = z.infer<typeof logPosition>;

/** Null: the server signs for them (a demo). */
export const proposal = z.nullable(z.object({ statement, hash: hash(), keys: z.array(authorityKey), place: logPosition }));
export type Proposal = z.infer<typeof proposal>;

export const givenSignature = z.strictObject({ statement: hash(), proof });
export type GivenSignature = z.infer<typeof givenSignature>;
