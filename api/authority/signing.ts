import * as z from 'zod/mini';
import { authorityKey, contents, proof, statement } from './statements.ts';

const hashSchema = () => z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const logPosition = z.extend(
  z.pick(contents.genesis, { chainId: true, network: true, token: true, bridge: true, rpId: true }),
  { genesis: hashSchema() },
);
export type LogPosition = z.infer<typeof logPosition>;

/** Null: the server signs for them (a demo). */
export const proposal = z.nullable(z.object({ statement, hash: hashSchema(), keys: z.array(authorityKey), place: logPosition }));
export type Proposal = z.infer<typeof proposal>;

export const signatureInput = z.strictObject({ statement: hashSchema(), proof });
export type SignatureInput = z.infer<typeof signatureInput>;
