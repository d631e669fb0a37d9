import { createHash } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { eq } from 'drizzle-orm';
import { zeroAddress } from 'viem';
import { canonicalHash } from '../../api/authority/canonical.ts';
import {
  logVersion,
  type AuthorityBand,
  type AuthorityKey,
  type Genesis,
  type GenesisLine,
  type Proof,
  type Statement,
} from '../../api/authority/statements.ts';
import type { Services } from '../platform/services/context.ts';
import { StartError } from '../platform/core/start-error.ts';
import type { Tx } from '../platform/db/db.ts';
import { createKeySigner } from '../platform/evm/mint.ts';
import { parseLogLine } from './lines.ts';
import { readRoleNames } from './roles.ts';
import { newStatement } from './drafts.ts';
import { insertGenesis, type LogWriter } from './store.ts';
import { authorityLines } from './tables.ts';

// Demo keys derive from people's ids and are publicly known. Only a development genesis accepts them, and only a demo on its own
// devnet creates one.

/** Not a real account. */
const root = { person: '00000000-0000-4000-8000-000000000000', name: 'development' };
const noExpiry = '2100-01-01T00:00:00.000Z';

const deriveSecret = (person: string) => createHash('sha256').update(`development key of ${person}`).digest();
const spkiPrefix = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');

export function developmentKey(person: string): AuthorityKey {
  const point = p256.getPublicKey(deriveSecret(person), false);
  return { type: 'software', publicKey: Buffer.concat([spkiPrefix, point]).toString('base64url') };
}

export function developmentProof(person: string, statement: Statement): Proof {
  const hash = Buffer.from(canonicalHash(statement), 'hex');
  const signature = p256.sign(hash, deriveSecret(person), { format: 'der', lowS: true });
  return { type: 'software', signature: Buffer.from(signature).toString('base64url') };
}

/** Two people up to 10 BTC, three up to 100, nothing above, each with a daily limit in satoshi. */
const developmentBands: AuthorityBand[] = [
  { from: '0', below: '100000000', approvals: 1, role: null, perDay: '1000000000', delaySeconds: 0 },
  { from: '100000000', below: '1000000000', approvals: 1, role: null, perDay: '5000000000', delaySeconds: 0 },
  { from: '1000000000', below: '10000000000', approvals: 2, role: null, perDay: '20000000000', delaySeconds: 0 },
];

/** Custody addresses are canonical. Throws StartError for a log that is not a demo's. */
export async function createDevelopmentLog(
  { database, config, now }: Services,
  { custody, receivers }: Pick<Genesis, 'custody' | 'receivers'>,
): Promise<void> {
  const { demo, evm, publicUrl, bitcoinNetwork } = config;
  if (!demo || !evm || config.authorityGenesis !== null) return;
  await database.db.transaction(async (tx) => {
    const [genesisRow] = await tx.select({ line: authorityLines.line }).from(authorityLines).where(eq(authorityLines.number, 0));
    if (genesisRow) {
      const line = parseLogLine(genesisRow.line);
      if (line === 'VERSION')
        throw new StartError(
          `This database has an authority log of another version. This build reads version ${logVersion}. Start the demo with an empty data folder or database.`,
        );
      if (line !== 'FORM' && line.line.kind === 'genesis' && line.line.content.development) return;
      throw new StartError('This database has a non-demo authority log. Set AUTHORITY_GENESIS or use another database.');
    }
    const isoNow = new Date(now()).toISOString();
    const genesis: GenesisLine = {
      v: logVersion,
      kind: 'genesis',
      number: 0,
      previous: '',
      at: isoNow,
      content: {
        development: true,
        network: bitcoinNetwork,
        chainId: evm.chainId,
        token: evm.contracts.ybtc,
        bridge: evm.contracts.custodyBridge,
        minter: evm.minterKey ? createKeySigner(evm.minterKey).address : zeroAddress,
        rpId: new URL(publicUrl).hostname,
        origin: publicUrl,
        approvers: [{ ...root, roles: [], key: developmentKey(root.person) }],
        policy: {
          root: 1,
          coolingSeconds: 0,
          receivers: 'any',
          bands: developmentBands,
          refundBands: developmentBands,
        },
        custody: [...new Set(custody)],
        receivers,
      },
    };
    await insertGenesis(tx, genesis, { now });
  });
}

export async function enrollInDevelopment(
  tx: Tx,
  log: LogWriter,
  { person, name }: { person: string; name: string },
): Promise<void> {
  const { genesis, people } = log.state();
  if (!genesis.development || people.has(person)) return;
  const content = { person, name, roles: await readRoleNames(tx, person), key: developmentKey(person) };
  const statement = newStatement(log.state(), 'approver.add', content, Date.parse(noExpiry));
  for (const signer of [root.person, person]) await log.sign(statement, signer, developmentProof(signer, statement));
}
