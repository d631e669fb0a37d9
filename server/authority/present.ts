import type { AuthoritySummary, StatementRow } from '../../api/authority/contract.ts';
import { proposedKinds } from '../../api/authority/values.ts';
import type { AuthorityPolicy, Proof, Statement } from '../../api/authority/statements.ts';
import { canSign, type Authority, type StatementStatus } from './authority.ts';
import { ownerProofOf, statementOfDraft } from './drafts.ts';
import { isCounted, remainingOf } from './remaining-signatures.ts';
import { isApproval, requiredSignatures, rulesAt } from './rules.ts';
import type { authorityStatements } from './tables.ts';

type Draft = typeof authorityStatements.$inferSelect;

const toIsoTime = (ms: number): string | null => (ms > -Infinity && ms < Infinity ? new Date(ms).toISOString() : null);
const maxShown = 99;

/** `now` in milliseconds. */
export function presentStatement(authority: Authority, status: StatementStatus, person: string, now: number): StatementRow {
  const { statement, hash, number, loggedAt, signed, from } = status;
  const [first] = signed.keys();
  return {
    id: hash,
    number,
    kind: statement.kind,
    by: first === undefined ? null : { person: first, name: nameOf(authority, first) },
    at: new Date(loggedAt).toISOString(),
    expires: statement.kind === 'genesis' ? statement.at : statement.expires,
    state: stateOf(status, now),
    from: from === null ? null : toIsoTime(from),
    needed: Math.min(requiredSignatures(statement, rulesAt(authority.policies, now).policy), maxShown),
    missing: Math.min(remainingOf(authority, status, now), maxShown),
    signed: [...signed].map(([id, one]) => ({
      person: id,
      name: statement.kind === 'approver.add' && one.key === null ? statement.content.name : nameOf(authority, id),
      at: new Date(one.at).toISOString(),
      key: one.key?.key.type ?? enrolledType(statement),
      counts: isCounted(authority, status, id, one),
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
  const statement = statementOfDraft(draft);
  const owner = statement.kind === 'approver.add' && ownerProofOf(draft) ? statement.content : null;
  const at = (draft.draftedAt ?? draft.expires).toISOString();
  const missing = remainingOf(authority, { statement, signed: new Map(), passedAt: null }, now) - (owner ? 1 : 0);
  return {
    id: draft.id,
    number: null,
    kind: statement.kind,
    by: draft.draftedBy === null ? null : { person: draft.draftedBy, name: drafter ?? draft.draftedBy },
    at,
    expires: statement.expires,
    state: 'draft',
    from: null,
    needed: Math.min(requiredSignatures(statement, rulesAt(authority.policies, now).policy), maxShown),
    missing: Math.min(missing, maxShown),
    signed: owner ? [{ person: owner.person, name: owner.name, at, key: owner.key.type, counts: false }] : [],
    mine: isDraftFor(authority, draft, person, now),
    statement,
  };
}

export function isDraftFor(authority: Authority, draft: Draft, person: string, now: number): boolean {
  const statement = statementOfDraft(draft);
  if (Date.parse(statement.expires) < now) return false;
  if (statement.kind !== 'approver.add') return maySign(authority, statement, person, now);
  const isShown = ownerProofOf(draft) !== null;
  return statement.content.person === person ? !isShown : isShown && maySign(authority, statement, person, now);
}

export const awaitingSignatureOf = (authority: Authority, person: string, now: number): string[] =>
  [...authority.open.keys()].filter((hash) => {
    const status = authority.statements.get(hash);
    return status !== undefined && isWaitingFor(authority, status, person, now);
  });

function isWaitingFor(authority: Authority, status: StatementStatus, person: string, now: number): boolean {
  const { statement, signed } = status;
  if (statement.kind === 'genesis' || signed.has(person)) return false;
  return stateOf(status, now) === 'open' && maySign(authority, statement, person, now);
}

/** Used limits come from the ledger. */
type Summary = Omit<AuthoritySummary, 'rules' | 'waiting'> & { rules: Omit<AuthoritySummary['rules'][number], 'used'>[] };

export function presentAuthority(authority: Authority, person: string, now: number): Summary {
  const { genesis, genesisHash, head } = authority;
  const current = rulesAt(authority.policies, now);
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
      .filter(({ number, from }) => number === current.number || from > now)
      .map(({ number, policy, from }) => ({ number, policy, from: toIsoTime(from), inForce: number === current.number })),
    minters: authority.minters
      .filter(({ from }, index) => from > now || (authority.minters[index + 1]?.from ?? Infinity) > now)
      .map(({ address, from }) => ({ address, from: toIsoTime(from), cooling: from > now })),
    custody: [...authority.custody].map(([address, from]) => ({ address, from: toIsoTime(from), cooling: from > now })),
    receivers: [...authority.receivers.values()].flatMap((listed) =>
      listed
        .filter(({ from }, index) => from > now || (listed[index + 1]?.from ?? Infinity) > now)
        .map(({ receiver, from }) => ({ receiver, from: toIsoTime(from), cooling: from > now })),
    ),
    freezes: [...authority.freezes].map(([freeze, { reason, by }]) => ({
      freeze,
      reason,
      by: by.map((id) => nameOf(authority, id)),
    })),
    needed: neededByKind(current.policy),
    own: (authority.people.get(person)?.keys ?? []).map(({ key }) => key),
  };
}

function neededByKind(policy: AuthorityPolicy): AuthoritySummary['needed'] {
  const needed = proposedKinds.map((kind) => [kind, requiredSignatures({ kind } as Statement, policy)]);
  return Object.fromEntries(needed) as AuthoritySummary['needed'];
}

function stateOf({ statement, passedAt, from }: StatementStatus, now: number): StatementRow['state'] {
  if (passedAt === null) return statement.kind !== 'genesis' && Date.parse(statement.expires) < now ? 'expired' : 'open';
  return from !== null && from > now ? 'cooling' : 'inForce';
}

function maySign(authority: Authority, statement: Statement, person: string, now: number): boolean {
  if (statement.kind === 'approver.add' && statement.content.person === person) return true;
  if (isApproval(statement) && statement.content.authors.includes(person)) return false;
  return canSign(authority, person, now);
}

const nameOf = ({ names }: Authority, person: string): string => names.get(person) ?? person;

const enrolledType = (statement: StatementStatus['statement']): Proof['type'] =>
  statement.kind === 'approver.add' ? statement.content.key.type : 'software';
