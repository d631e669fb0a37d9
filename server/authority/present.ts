import type { AuthoritySummary, StatementRow } from '../../api/authority/contract.ts';
import { toSafeInteger } from '../../api/integers.ts';
import { proposedKinds } from '../../api/authority/values.ts';
import type { AuthorityPolicy, MintClaim, Proof, Statement } from '../../api/authority/statements.ts';
import { canSign, type Authority, type StatementStatus } from './authority.ts';
import { isCanceledApproval, isMintApproval } from './check-mint.ts';
import { depositHashOf } from './replay.ts';
import { parseOwnerProof, parseDraftStatement } from './drafts.ts';
import { isCountedSignature, countRemainingSignatures } from './remaining-signatures.ts';
import { isApproval, requiredSignatures, rulesAt } from './rules.ts';
import type { authorityStatements } from './tables.ts';

type Draft = typeof authorityStatements.$inferSelect;

const toIsoTime = (ms: number): string | null => (ms > -Infinity && ms < Infinity ? new Date(ms).toISOString() : null);
const maxShown = 99;

/** `now` in milliseconds. */
export function presentStatement(authority: Authority, status: StatementStatus, person: string, now: number): StatementRow {
  const { statement, hash, number, loggedAt, signed, from } = status;
  const [firstSigner] = signed.keys();
  return {
    id: hash,
    number,
    kind: statement.kind,
    by: firstSigner === undefined ? null : { person: firstSigner, name: personName(authority, firstSigner) },
    at: new Date(loggedAt).toISOString(),
    expires: statement.kind === 'genesis' ? statement.at : statement.expires,
    state: statementState(authority, status, now),
    from: from === null ? null : toIsoTime(from),
    needed: Math.min(requiredSignatures(statement, rulesAt(authority.policies, now).policy), maxShown),
    missing: Math.min(countRemainingSignatures(authority, status, now), maxShown),
    signed: [...signed].map(([id, signature]) => ({
      person: id,
      name: statement.kind === 'approver.add' && signature.key === null ? statement.content.name : personName(authority, id),
      at: new Date(signature.at).toISOString(),
      key: signature.key?.key.type ?? enrolledKeyType(statement),
      counts: isCountedSignature(authority, status, id, signature),
    })),
    mine: isWaitingFor(authority, status, person, now),
    statement,
  };
}

/** No signature proves the author of a draft. */
export function presentDraft(
  authority: Authority,
  draft: Draft,
  drafter: string | null,
  person: string,
  now: number,
): StatementRow {
  const statement = parseDraftStatement(draft);
  const owner = statement.kind === 'approver.add' && parseOwnerProof(draft) ? statement.content : null;
  const draftedAt = (draft.draftedAt ?? draft.expires).toISOString();
  const missingSignatures =
    countRemainingSignatures(authority, { statement, signed: new Map(), passedAt: null }, now) - (owner ? 1 : 0);
  return {
    id: draft.id,
    number: null,
    kind: statement.kind,
    by: draft.draftedBy === null ? null : { person: draft.draftedBy, name: drafter ?? draft.draftedBy },
    at: draftedAt,
    expires: statement.expires,
    state: 'draft',
    from: null,
    needed: Math.min(requiredSignatures(statement, rulesAt(authority.policies, now).policy), maxShown),
    missing: Math.min(missingSignatures, maxShown),
    signed: owner ? [{ person: owner.person, name: owner.name, at: draftedAt, key: owner.key.type, counts: false }] : [],
    mine: isDraftFor(authority, draft, person, now),
    statement,
  };
}

export function isDraftFor(authority: Authority, draft: Draft, person: string, now: number): boolean {
  const statement = parseDraftStatement(draft);
  if (Date.parse(statement.expires) < now) return false;
  if (statement.kind !== 'approver.add') return canSignStatement(authority, statement, person, now);
  const hasOwnerProof = parseOwnerProof(draft) !== null;
  return statement.content.person === person
    ? !hasOwnerProof
    : hasOwnerProof && canSignStatement(authority, statement, person, now);
}

export const awaitingSignatureOf = (authority: Authority, person: string, now: number): string[] =>
  [...authority.open.keys()].filter((hash) => {
    const status = authority.statements.get(hash);
    return status !== undefined && isWaitingFor(authority, status, person, now);
  });

/** Hashes of mint approvals that a later cancellation voided. */
export const readVoidedApprovals = (authority: Authority): string[] =>
  [...authority.canceled.keys()].flatMap((output) => {
    const [network, txid = '', vout = ''] = output.split(':');
    const depositHash = depositHashOf({ network: network as MintClaim['network'], txid, vout: toSafeInteger(vout) });
    return (authority.mints.get(depositHash) ?? []).filter((hash) => {
      const status = authority.statements.get(hash);
      return status !== undefined && isMintApproval(status) && isCanceledApproval(authority, status.statement);
    });
  });

function isWaitingFor(authority: Authority, status: StatementStatus, person: string, now: number): boolean {
  const { statement, signed } = status;
  if (statement.kind === 'genesis' || signed.has(person)) return false;
  return statementState(authority, status, now) === 'open' && canSignStatement(authority, statement, person, now);
}

/** Used limits come from the ledger. */
type Summary = Omit<AuthoritySummary, 'rules' | 'waiting'> & { rules: Omit<AuthoritySummary['rules'][number], 'used'>[] };

export function presentAuthority(authority: Authority, person: string, now: number): Summary {
  const { genesis, genesisHash, head } = authority;
  const currentRules = rulesAt(authority.policies, now);
  return {
    genesis: genesisHash,
    development: genesis.development,
    head,
    people: [...authority.people.values()].map(({ person: id, name, roles, keys }) => ({
      person: id,
      name,
      roles: [...roles],
      keys: keys.map(({ key, from }) => ({ key, from: toIsoTime(from), cooling: from > now })),
    })),
    rules: authority.policies
      .filter(({ number, from }) => number === currentRules.number || from > now)
      .map(({ number, policy, from }) => ({ number, policy, from: toIsoTime(from), inForce: number === currentRules.number })),
    minters: authority.minters
      .filter(({ from }, index) => from > now || (authority.minters[index + 1]?.from ?? Infinity) > now)
      .map(({ address, from }) => ({ address, from: toIsoTime(from), cooling: from > now })),
    custody: [...authority.custody].map(([address, from]) => ({ address, from: toIsoTime(from), cooling: from > now })),
    receivers: [...authority.receivers.values()].flatMap((receiverEntries) =>
      receiverEntries
        .filter(({ from }, index) => from > now || (receiverEntries[index + 1]?.from ?? Infinity) > now)
        .map(({ receiver, from }) => ({ receiver, from: toIsoTime(from), cooling: from > now })),
    ),
    freezes: [...authority.freezes].map(([freeze, { reason, by }]) => ({
      freeze,
      reason,
      by: by.map((id) => personName(authority, id)),
    })),
    needed: countNeededByKind(currentRules.policy),
    own: (authority.people.get(person)?.keys ?? []).map(({ key }) => key),
  };
}

function countNeededByKind(policy: AuthorityPolicy): AuthoritySummary['needed'] {
  const neededSignatures = proposedKinds.map((kind) => [kind, requiredSignatures({ kind } as Statement, policy)]);
  return Object.fromEntries(neededSignatures) as AuthoritySummary['needed'];
}

function statementState(authority: Authority, status: StatementStatus, now: number): StatementRow['state'] {
  const { statement, passedAt, from } = status;
  if (isMintApproval(status) && isCanceledApproval(authority, status.statement)) return 'voided';
  if (passedAt === null) return statement.kind !== 'genesis' && Date.parse(statement.expires) < now ? 'expired' : 'open';
  return from !== null && from > now ? 'cooling' : 'inForce';
}

function canSignStatement(authority: Authority, statement: Statement, person: string, now: number): boolean {
  if (statement.kind === 'approver.add' && statement.content.person === person) return true;
  if (isApproval(statement) && statement.content.authors.includes(person)) return false;
  return canSign(authority, person, now);
}

const personName = ({ names }: Authority, person: string): string => names.get(person) ?? person;

const enrolledKeyType = (statement: StatementStatus['statement']): Proof['type'] =>
  statement.kind === 'approver.add' ? statement.content.key.type : 'software';
