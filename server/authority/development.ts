import { createHash } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { eq } from 'drizzle-orm';
import { zeroAddress } from 'viem';
import { hashOf } from '../../api/authority/canonical.ts';
import type { AuthorityKey, Genesis, Proof, Statement, StatementOf } from '../../api/authority/statements.ts';
import type { Services } from '../platform/core/context.ts';
import { StartError } from '../platform/core/start-error.ts';
import { keySigner } from '../platform/evm/mint.ts';
import { insertLines, type Draft } from './store.ts';
import { authorityLines } from './tables.ts';

// Development without a passkey: everybody has a software key, derived from their id and known to the whole world, like the
// devnet's accounts. Only a genesis that says `development` takes them, and only a demo on its own devnet makes one.

/** Who lets people in on a demo: nobody's account. */
const root = { person: '00000000-0000-4000-8000-000000000000', name: 'development' };
const forLong = '2100-01-01T00:00:00.000Z';

const secretOf = (person: string) => createHash('sha256').update(`development key of ${person}`).digest();
const spkiPrefix = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');

/** The software key of a person of a demo. */
export function developmentKey(person: string): AuthorityKey {
  const point = p256.getPublicKey(secretOf(person), false);
  return { type: 'software', publicKey: Buffer.concat([spkiPrefix, point]).toString('base64url') };
}

/** Their signature of a statement. */
export function developmentProof(person: string, statement: Statement): Proof {
  const hash = Buffer.from(hashOf(statement), 'hex');
  const signature = p256.sign(hash, secretOf(person), { format: 'der', lowS: true });
  return { type: 'software', signature: Buffer.from(signature).toString('base64url') };
}

/** Begins the log of a demo that has a chain and no log yet. Custody addresses are canonical. Throws StartError for a log that is none of a demo. */
export async function beginDevelopment(
  { database, config, now }: Services,
  { custody, receivers }: Pick<Genesis, 'custody' | 'receivers'>,
): Promise<void> {
  const { demo, evm, publicUrl, bitcoinNetwork } = config;
  if (!demo || !evm || config.authorityGenesis !== null) return;
  await database.db.transaction(async (tx) => {
    const [first] = await tx.select({ line: authorityLines.line }).from(authorityLines).where(eq(authorityLines.number, 0));
    if (first) {
      const { content } = JSON.parse(first.line) as StatementOf<'genesis'>;
      if (content.development) return;
      throw new StartError('This database holds an authority log that is none of a demo: set AUTHORITY_GENESIS, or use another.');
    }
    const at = new Date(now()).toISOString();
    const genesis: StatementOf<'genesis'> = {
      kind: 'genesis',
      number: 0,
      previous: '',
      at,
      by: root,
      expires: at,
      content: {
        development: true,
        network: bitcoinNetwork,
        chainId: evm.chainId,
        token: evm.contracts.ybtc,
        bridge: evm.contracts.custodyBridge,
        minter: evm.minterKey ? keySigner(evm.minterKey).address : zeroAddress,
        rpId: new URL(publicUrl).hostname,
        origin: publicUrl,
        approvers: [{ ...root, roles: [], key: developmentKey(root.person) }],
        policy: {
          root: 1,
          coolingSeconds: 0,
          receivers: 'any',
          bands: [{ from: '0', below: null, approvals: 1, role: null, perDay: null, delaySeconds: 0 }],
        },
        custody: [...new Set(custody)],
        receivers,
      },
    };
    await insertLines(tx, [genesis]);
  });
}

/** Lets somebody of a demo in, who has no key yet. */
export async function enrolInDevelopment(
  { state, add }: Draft,
  { person, name }: { person: string; name: string },
): Promise<void> {
  if (!state().genesis.development || state().people.has(person)) return;
  const content = { person, name, roles: [], key: developmentKey(person) };
  const statement = (await add({ kind: 'approver.add', by: root, expires: forLong, content })) as Statement;
  for (const who of [person, root.person])
    await add({ kind: 'signature', signs: hashOf(statement), person: who, proof: developmentProof(who, statement) });
}
