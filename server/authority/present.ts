import type { AuthoritySummary, StatementRow } from '../../api/authority/contract.ts';
import type { Proof, StatementKind } from '../../api/authority/statements.ts';
import { rulesAt, keyId, neededBy, type Authority, type Standing } from './replay.ts';

const said = (ms: number): string | null => (ms > -Infinity && ms < Infinity ? new Date(ms).toISOString() : null);
const mostShown = 99;

/** A statement as a list shows it to one person. `now` in milliseconds. */
export function presentStatement(authority: Authority, standing: Standing, person: string, now: number): StatementRow {
  const { statement, hash, signed } = standing;
  const from = countsFrom(authority, standing);
  const state = stateOf(standing, from, now);
  const needed = neededBy(statement, rulesAt(authority.policies, now).policy);
  return {
    id: hash,
    number: statement.number,
    kind: statement.kind,
    by: statement.by,
    at: statement.at,
    expires: statement.expires,
    state,
    from: from === null ? null : said(from),
    needed: Math.min(needed, mostShown),
    signed: [...signed].map(([id, { at, key }]) => ({
      person: id,
      name: nameOf(authority, standing, id),
      at: new Date(at).toISOString(),
      key: key?.key.type ?? keyTypeOf(standing),
    })),
    mine: state === 'open' && maySign(authority, standing, person, now),
    statement,
  };
}

/** What the log alone says: how much was used of its limits stands in the ledger. */
type Summary = Omit<AuthoritySummary, 'rules'> & { rules: Omit<AuthoritySummary['rules'][number], 'used'>[] };

/** The log as a whole, for one person. */
export function presentAuthority(authority: Authority, person: string, now: number): Summary {
  const { genesis, genesisHash, head } = authority;
  const current = rulesAt(authority.policies, now);
  const rows = [...authority.statements.values()].filter((standing) => {
    const from = countsFrom(authority, standing);
    return stateOf(standing, from, now) === 'open' && maySign(authority, standing, person, now);
  });
  return {
    genesis: genesisHash,
    development: genesis.development,
    head,
    people: [...authority.people.values()].map(({ person: id, name, roles, keys }) => ({
      person: id,
      name,
      roles: [...roles],
      keys: keys.map(({ key, from }) => ({ key, from: said(from), cooling: from > now })),
    })),
    rules: authority.policies
      .filter(({ number, from }) => number === current.number || from > now)
      .map(({ number, policy, from }) => ({ number, policy, from: said(from), inForce: number === current.number })),
    minters: authority.minters
      .filter(({ from }, index) => from > now || (authority.minters[index + 1]?.from ?? Infinity) > now)
      .map(({ address, from }) => ({ address, from: said(from), cooling: from > now })),
    custody: [...authority.custody].map(([address, from]) => ({ address, from: said(from), cooling: from > now })),
    receivers: [...authority.receivers.values()].map(({ receiver, from }) => ({
      receiver,
      from: said(from),
      cooling: from > now,
    })),
    freezes: [...authority.freezes].map(([freeze, reason]) => ({ freeze, reason })),
    waiting: rows.length,
    own: (authority.people.get(person)?.keys ?? []).map(({ key }) => key),
  };
}

/** From when a statement counts, in milliseconds; null while too few have signed. */
function countsFrom(authority: Authority, { statement, passedAt }: Standing): number | null {
  if (passedAt === null) return null;
  const { kind, number, content } = statement;
  const special: Partial<Record<StatementKind, () => number | undefined>> = {
    'approver.add': () =>
      kind === 'approver.add'
        ? authority.people.get(content.person)?.keys.find(({ key }) => keyId(key) === keyId(content.key))?.from
        : undefined,
    'policy.set': () => authority.policies.find((rules) => rules.number === number)?.from,
    'minter.set': () => authority.minters.find((minter) => minter.number === number)?.from,
    'custody.add': () => (kind === 'custody.add' ? authority.custody.get(content.address) : undefined),
    'receiver.add': () => (kind === 'receiver.add' ? authority.receivers.get(content.address.toLowerCase())?.from : undefined),
    unfreeze: () => (kind === 'unfreeze' ? authority.lifting.get(content.freeze) : undefined),
  };
  return special[kind]?.() ?? passedAt;
}

function stateOf({ statement, passedAt }: Standing, from: number | null, now: number): StatementRow['state'] {
  if (passedAt === null) return Date.parse(statement.expires) < now ? 'expired' : 'open';
  return from !== null && from > now ? 'cooling' : 'inForce';
}

/** Whether somebody's signature of it would count for something now. */
function maySign(authority: Authority, { statement, signed }: Standing, person: string, now: number): boolean {
  if (signed.has(person) || statement.kind === 'genesis') return false;
  if (statement.kind === 'approver.add' && statement.content.person === person) return true;
  const isApproval = statement.kind === 'mint.approve' || statement.kind === 'refund.approve';
  if (isApproval && statement.content.authors.includes(person)) return false;
  // A demo lets in whoever signs (development.ts).
  const known = authority.people.get(person);
  return known ? known.keys.some(({ from }) => from <= now) : authority.genesis.development;
}

function nameOf(authority: Authority, { statement }: Standing, person: string): string {
  if (statement.kind === 'approver.add' && statement.content.person === person) return statement.content.name;
  return authority.people.get(person)?.name ?? person;
}

const keyTypeOf = ({ statement }: Standing): Proof['type'] =>
  statement.kind === 'approver.add' ? statement.content.key.type : 'software';
