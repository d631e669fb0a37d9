import * as z from 'zod/mini';
import { statementFilters } from './filters.ts';
import { filterInput, id, idsInput, listInput, listOutput, maxTargets, route, valuesInput, valuesOutput } from '../base.ts';
import { logPlace } from './signing.ts';
import {
  authorityKey,
  contents,
  logStatement,
  policy,
  proof,
  receiver,
  statementKinds,
  type StatementKind,
} from './statements.ts';
import { accountChangeKinds } from '../access/account-changes.ts';
import { statementStates } from './values.ts';

const menu = '/selfCustody/authority';
const sha256 = () => z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** Who signed, when, and with what. `counts`: their key was not removed since, and is not the one being enrolled. */
const signer = z.object({
  person: id(),
  name: z.string(),
  at: z.string(),
  key: z.enum(['passkey', 'wallet', 'software']),
  counts: z.boolean(),
});

/** A statement as a list shows it. `id` is its hash. */
export const statementRow = z.object({
  id: sha256(),
  /** The number of its line in the log; null: a draft that nobody has signed. */
  number: z.nullable(z.int()),
  kind: z.enum(statementKinds as [string, ...string[]]),
  /** Who signed it first, by the log; of a draft who wrote it in the panel, which no signature says. Null: the genesis. */
  by: z.nullable(z.object({ person: id(), name: z.string() })),
  at: z.string(),
  expires: z.string(),
  state: z.enum(statementStates),
  /** From when it counts; null while too few have signed. */
  from: z.nullable(z.string()),
  /** How many have to sign. */
  needed: z.int(),
  /** How many have yet to sign, the owner of a key that is enrolled included. */
  missing: z.int(),
  signed: z.array(signer),
  /** Whether the person who asks could sign it now. */
  mine: z.boolean(),
  /** What is signed, to the letter. */
  statement: logStatement,
});
export type StatementRow = z.infer<typeof statementRow>;

export const statementFilter = filterInput(statementFilters);

const since = z.nullable(z.string());

/** What people propose from the log's own screen. */
export const proposedKinds = [
  'approver.add',
  'approver.remove',
  'policy.set',
  'minter.set',
  'custody.add',
  'custody.remove',
  'receiver.add',
  'receiver.remove',
  'freeze',
  'unfreeze',
] as const satisfies readonly StatementKind[];
export type ProposedKind = (typeof proposedKinds)[number];

/** What the log says as a whole. `from` null: from the beginning. */
export const authoritySummary = z.object({
  genesis: sha256(),
  development: z.boolean(),
  head: z.object({ number: z.int(), hash: sha256() }),
  people: z.array(
    z.object({
      person: id(),
      name: z.string(),
      roles: z.array(z.string()),
      keys: z.array(z.object({ key: authorityKey, from: since, cooling: z.boolean() })),
    }),
  ),
  /** The rules in force, and those that cool down. `used`: what was confirmed in the last 24 hours, by band; null of rules not in force. */
  rules: z.array(z.object({ number: z.int(), policy, from: since, inForce: z.boolean(), used: z.nullable(z.array(z.string())) })),
  /** The account that signs mints and proofs of reserve, and those that cool down. */
  minters: z.array(z.object({ address: z.string(), from: since, cooling: z.boolean() })),
  custody: z.array(z.object({ address: z.string(), from: since, cooling: z.boolean() })),
  receivers: z.array(z.object({ receiver, from: since, cooling: z.boolean() })),
  /** `by`: the names of those who signed it. */
  freezes: z.array(z.object({ freeze: z.string(), reason: z.string(), by: z.array(z.string()) })),
  /** How many people have to sign a proposal of each kind, by the rules in force. */
  needed: z.record(z.enum(proposedKinds), z.int()),
  /** Statements that wait for the person who asks. */
  waiting: z.int(),
  /** One's own keys; none: nothing can be signed. */
  own: z.array(authorityKey),
});
export type AuthoritySummary = z.infer<typeof authoritySummary>;

/**
 * A signature of a statement. Without a proof a demo signs with the software key that it made for everybody. `heard`: whoever signs
 * that a colleague's key is enrolled has heard the six words of the key from them. `onlySigns`: the review said that others sign after it.
 */
const signed = z.strictObject({
  id: sha256(),
  proof: z.optional(proof),
  heard: z.optional(z.literal(true)),
  onlySigns: z.optional(z.boolean()),
});

/** What a colleague did to an account, or its owner, and when. `by` null: at the server itself. */
const accountChange = z.object({
  what: z.enum(accountChangeKinds),
  by: z.nullable(z.string()),
  own: z.boolean(),
  at: z.string(),
});

/** What whoever signs an enrolment has to know of the account. */
export const enrolmentReview = z.object({
  /** The keys that the person signs with already. */
  keys: z.array(z.object({ key: authorityKey, from: since, cooling: z.boolean() })),
  /** Changes of the account in the last 90 days, the newest first. */
  changes: z.array(accountChange),
  /** More than those shown. */
  more: z.int(),
});
export type EnrolmentReview = z.infer<typeof enrolmentReview>;
const propose = (permission: AuthorityRight) => route.meta({ permission, fresh: true, keyed: true });
type AuthorityRight =
  | 'authority.enrol'
  | 'authority.removeApprover'
  | 'authority.setRules'
  | 'authority.setMinter'
  | 'authority.addCustody'
  | 'authority.removeCustody'
  | 'authority.addReceiver'
  | 'authority.removeReceiver'
  | 'authority.freeze'
  | 'authority.unfreeze';

/**
 * The authority log. UNAVAILABLE: there is none (no chain, or no genesis). A proposal answers a draft: it comes into the log with its
 * first signature, and counts once enough people have signed it.
 */
export const authority = {
  summary: route.meta({ menu }).route({ method: 'GET', path: menu }).output(authoritySummary),
  list: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/list` })
    .input(listInput(['number'], statementFilter))
    .output(listOutput(statementRow)),
  /** The values there are of one field, within the rest of the filter. */
  values: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/values` })
    .input(valuesInput(statementFilters))
    .output(valuesOutput()),
  many: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/many` })
    .input(idsInput(sha256()))
    .output(z.array(statementRow)),
  /** What the address book calls these addresses, for whoever sees a screen that shows such: nothing for those it does not name. */
  names: route
    .meta({ signedIn: true })
    .route({ method: 'POST', path: `${menu}/names` })
    .input(z.strictObject({ addresses: z.array(z.string().check(z.maxLength(100))).check(z.maxLength(maxTargets)) }))
    .output(z.array(z.object({ address: z.string(), name: z.string() }))),
  /** The emails of administrators that statements name by their id, deleted ones too: for whoever sees such a screen. */
  people: route
    .meta({ signedIn: true })
    .route({ method: 'POST', path: `${menu}/people` })
    .input(idsInput(id()))
    .output(z.array(z.object({ id: id(), email: z.string() }))),
  /** MONEY_REFUSED says why not: CHANGED also where it would be the last signature though the review said that others sign after it. */
  sign: route
    .meta({ permission: 'authority.sign', fresh: true, keyed: true })
    .route({ method: 'POST', path: `${menu}/sign` })
    .input(signed)
    .output(statementRow),
  /** What a new key is made for, and one's keys so far. Asks for a second factor now, so that no key is made twice. */
  enrolment: route
    .meta({ permission: 'authority.enrol', fresh: true })
    .route({ method: 'POST', path: `${menu}/enrolment` })
    .output(z.object({ keys: z.array(authorityKey), place: logPlace })),
  /** Of the account that a statement enrols a key for: its keys and its changes. */
  details: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/person` })
    .input(z.strictObject({ person: id() }))
    .output(enrolmentReview),
  /** Lets somebody in with a key that they show to have by signing the statement themselves; others approve it. */
  enrol: propose('authority.enrol')
    .route({ method: 'POST', path: `${menu}/enrol` })
    .input(z.strictObject({ key: authorityKey }))
    .output(statementRow),
  removeApprover: propose('authority.removeApprover')
    .route({ method: 'POST', path: `${menu}/removeApprover` })
    .input(z.omit(contents['approver.remove'], { name: true }))
    .output(statementRow),
  setRules: propose('authority.setRules')
    .route({ method: 'POST', path: `${menu}/rules` })
    .input(contents['policy.set'])
    .output(statementRow),
  setMinter: propose('authority.setMinter')
    .route({ method: 'POST', path: `${menu}/minter` })
    .input(contents['minter.set'])
    .output(statementRow),
  addCustody: propose('authority.addCustody')
    .route({ method: 'POST', path: `${menu}/custody` })
    .input(contents['custody.add'])
    .output(statementRow),
  removeCustody: propose('authority.removeCustody')
    .route({ method: 'POST', path: `${menu}/custody/remove` })
    .input(contents['custody.remove'])
    .output(statementRow),
  addReceiver: propose('authority.addReceiver')
    .route({ method: 'POST', path: `${menu}/receivers` })
    .input(contents['receiver.add'])
    .output(statementRow),
  removeReceiver: propose('authority.removeReceiver')
    .route({ method: 'POST', path: `${menu}/receivers/remove` })
    .input(contents['receiver.remove'])
    .output(statementRow),
  freeze: propose('authority.freeze')
    .route({ method: 'POST', path: `${menu}/freeze` })
    .input(contents.freeze)
    .output(statementRow),
  unfreeze: propose('authority.unfreeze')
    .route({ method: 'POST', path: `${menu}/unfreeze` })
    .input(contents.unfreeze)
    .output(statementRow),
};
