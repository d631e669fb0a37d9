import * as z from 'zod/mini';
import { authorityKey, contents, proof, statement } from './statements.ts';

const hash = () => z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const logPlace = z.extend(
  z.pick(contents.genesis, { chainId: true, network: true, token: true, bridge: true, rpId: true }),
  { genesis: hash() },
);
export type LogPlace = z.infer<typeof logPlace>;

/** Null: the server signs for them (a demo). */
export const proposal = z.nullable(z.object({ statement, hash: hash(), keys: z.array(authorityKey), place: logPlace }));
export type Proposal = z.infer<typeof proposal>;

export const given = z.strictObject({ statement: hash(), proof });
export type Given = z.infer<typeof given>;
