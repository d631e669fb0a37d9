import * as z from 'zod/mini';
import { authorityKey, contents, proof, statement } from './statements.ts';

// What goes between a browser and the server where a person's own key signs.

const hash = () => z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** The log, the chain it is for, and where its passkeys are asked for. */
export const logPlace = z.extend(
  z.pick(contents.genesis, { chainId: true, network: true, token: true, bridge: true, rpId: true }),
  { genesis: hash() },
);
export type LogPlace = z.infer<typeof logPlace>;

/** A statement that waits for the signature of who asks, and their keys. Null: the server signs for them (a demo). */
export const proposal = z.nullable(z.object({ statement, hash: hash(), keys: z.array(authorityKey), place: logPlace }));
export type Proposal = z.infer<typeof proposal>;

/** A signature of what was proposed: of which statement, and the proof. Where the server signs there is none. */
export const given = z.strictObject({ statement: hash(), proof });
export type Given = z.infer<typeof given>;
