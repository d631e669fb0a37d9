import { and, count, eq, gte, isNull } from 'drizzle-orm';
import { canonical, canonicalHash } from '../../api/authority/canonical.ts';
import {
  logVersion,
  statement as schema,
  type Proof,
  type SignedKind,
  type Statement,
  type StatementOf,
} from '../../api/authority/statements.ts';
import type { Services } from '../platform/services/context.ts';
import { createAppError } from '../platform/core/errors.ts';
import { newId } from '../platform/core/ids.ts';
import type { Tx } from '../platform/db/db.ts';
import type { Authority } from './authority.ts';
import { LogError } from './replay.ts';
import { findDraft, searchText, deleteExpiredDrafts } from './statement-index.ts';
import type { LogWriter } from './store.ts';
import { authorityStatements as table } from './tables.ts';

/** Per person and kind. */
const maxDrafts = 50;

export const newStatement = <K extends SignedKind>(
  { genesis, genesisHash, head }: Authority,
  kind: K,
  content: StatementOf<K>['content'],
  expires: number,
): StatementOf<K> =>
  ({
    v: logVersion,
    kind,
    id: newId(),
    log: { genesis: genesisHash, chainId: genesis.chainId, bridge: genesis.bridge },
    after: head,
    expires: new Date(expires).toISOString(),
    content,
  }) as StatementOf<K>;

/**
 * Throws LogError if the log would refuse it. MONEY_REFUSED (OPEN) limits each kind separately, so that drafts never prevent a
 * freeze.
 */
export async function writeDraft(
  tx: Tx,
  { now }: Services,
  log: LogWriter,
  statement: Statement,
  person: string,
): Promise<typeof table.$inferSelect> {
  if (!schema.safeParse(statement).success) throw createAppError('BAD_REQUEST');
  const problem = log.problemOf(statement);
  if (problem) throw new LogError(log.state().head.number + 1, problem);
  await deleteExpiredDrafts(tx, now());
  const isOwnOpenDraft = and(
    eq(table.draftedBy, person),
    eq(table.kind, statement.kind),
    isNull(table.number),
    gte(table.expires, new Date(now())),
  );
  const [openDrafts] = await tx.select({ count: count() }).from(table).where(isOwnOpenDraft);
  if ((openDrafts?.count ?? 0) >= maxDrafts) throw createAppError('MONEY_REFUSED', { reason: 'OPEN', most: [String(maxDrafts)] });
  const id = canonicalHash(statement);
  const row = {
    id,
    position: now(),
    kind: statement.kind,
    statement: canonical(statement),
    text: searchText(statement, id, []),
    expires: new Date(statement.expires),
    draftedBy: person,
    draftedAt: new Date(now()),
  };
  const [insertedDraft] = await tx.insert(table).values(row).returning();
  if (!insertedDraft) throw new Error('a draft did not come back');
  return insertedDraft;
}

export const parseDraftStatement = ({ statement }: Pick<typeof table.$inferSelect, 'statement'>): Statement =>
  schema.parse(JSON.parse(statement));

/** Null: not proved yet, or not an enrollment. */
export const parseOwnerProof = ({ ownerProof }: Pick<typeof table.$inferSelect, 'ownerProof'>): Proof | null =>
  ownerProof === null ? null : (JSON.parse(ownerProof) as Proof);

export async function storeOwnerProof(tx: Tx, id: string, proof: Proof): Promise<void> {
  await tx
    .update(table)
    .set({ ownerProof: canonical(proof) })
    .where(eq(table.id, id));
}

export async function findStatement(tx: Tx, authority: Authority, hash: string): Promise<Statement | null> {
  const loggedStatement = authority.statements.get(hash)?.statement;
  if (loggedStatement) return loggedStatement.kind === 'genesis' ? null : loggedStatement;
  const draft = await findDraft(tx, hash);
  return draft && parseDraftStatement(draft);
}
