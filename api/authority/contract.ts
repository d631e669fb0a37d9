import * as z from 'zod/mini';
import { statementFilters } from './filters.ts';
import { idSchema, idsInput, maxTargets, route } from '../base.ts';
import { logPosition } from './signing.ts';
import { authorityKey, contents, logStatement, policy, proof, receiver, statementKinds } from './statements.ts';
import { accountChangeKinds } from '../access/account-changes.ts';
import { accountOrigins } from '../access/identity-values.ts';
import { proposedKinds, statementStates } from './values.ts';
import { listRoutes } from '../list.ts';

const menu = '/selfCustody/authority';
const sha256Schema = () => z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** `counts`: the key is still active and is not the one being enrolled. */
const signer = z.object({
  person: idSchema(),
  name: z.string(),
  at: z.string(),
  key: z.enum(['passkey', 'wallet', 'software']),
  counts: z.boolean(),
});

export const statementRow = z.object({
  id: sha256Schema(),
  /** Null: an unsigned draft. */
  number: z.nullable(z.int()),
  kind: z.enum(statementKinds as [string, ...string[]]),
  /** First signer, or the author of a draft, which no signature proves. Null: the genesis. */
  by: z.nullable(z.object({ person: idSchema(), name: z.string() })),
  at: z.string(),
  expires: z.string(),
  state: z.enum(statementStates),
  from: z.nullable(z.string()),
  needed: z.int(),
  missing: z.int(),
  signed: z.array(signer),
  mine: z.boolean(),
  statement: logStatement,
});
export type StatementRow = z.infer<typeof statementRow>;

const nullableTime = z.nullable(z.string());

export const authoritySummary = z.object({
  genesis: sha256Schema(),
  development: z.boolean(),
  head: z.object({ number: z.int(), hash: sha256Schema() }),
  people: z.array(
    z.object({
      person: idSchema(),
      name: z.string(),
      roles: z.array(z.string()),
      keys: z.array(z.object({ key: authorityKey, from: nullableTime, cooling: z.boolean() })),
    }),
  ),
  /** `used`: in the last 24 hours, by band. Null: not in force. */
  rules: z.array(
    z.object({ number: z.int(), policy, from: nullableTime, inForce: z.boolean(), used: z.nullable(z.array(z.string())) }),
  ),
  minters: z.array(z.object({ address: z.string(), from: nullableTime, cooling: z.boolean() })),
  custody: z.array(z.object({ address: z.string(), from: nullableTime, cooling: z.boolean() })),
  receivers: z.array(z.object({ receiver, from: nullableTime, cooling: z.boolean() })),
  freezes: z.array(z.object({ freeze: z.string(), reason: z.string(), by: z.array(z.string()) })),
  needed: z.record(z.enum(proposedKinds), z.int()),
  waiting: z.int(),
  own: z.array(authorityKey),
});
export type AuthoritySummary = z.infer<typeof authoritySummary>;

/**
 * `heard`: the caller heard the six words from the key's owner. `onlySigns`: the review promised
 * that others sign later.
 */
const signInput = z.strictObject({
  id: sha256Schema(),
  proof: z.optional(proof),
  heard: z.optional(z.literal(true)),
  onlySigns: z.optional(z.boolean()),
});

/** `by` null: made at the server. */
const accountChange = z.object({
  what: z.enum(accountChangeKinds),
  by: z.nullable(z.string()),
  own: z.boolean(),
  /** By an enrollment code. */
  vouches: z._default(z.boolean(), false),
  at: z.string(),
});

export const enrollmentReview = z.object({
  /** Null: the panel has no such account. */
  account: z.nullable(
    z.object({
      createdAt: z.string(),
      /** `by`: the colleague's email. */
      origin: z.object({ kind: z.enum(accountOrigins), by: z.nullable(z.string()) }),
      providerName: z.string(),
    }),
  ),
  keys: z.array(z.object({ key: authorityKey, from: nullableTime, cooling: z.boolean() })),
  changes: z.array(accountChange),
  more: z.int(),
});
export type EnrollmentReview = z.infer<typeof enrollmentReview>;
/** `deposits`: number of recorded deposits. */
const knownReceiver = z.object({
  address: z.string(),
  institution: z.string(),
  custody: z.array(z.string()),
  payout: z.array(z.string()),
  listed: z.boolean(),
  deposits: z.int(),
});
export type KnownReceiver = z.infer<typeof knownReceiver>;

const proposalRoute = (permission: AuthorityPermission) => route.meta({ permission, fresh: true, keyed: true });
type AuthorityPermission =
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

export const authority = {
  summary: route.meta({ menu }).route({ method: 'GET', path: menu }).output(authoritySummary),
  ...listRoutes(menu, { menu, id: sha256Schema(), row: statementRow, sorts: ['number'], filters: statementFilters }),
  names: route
    .meta({ signedIn: true })
    .route({ method: 'POST', path: `${menu}/names` })
    .input(z.strictObject({ addresses: z.array(z.string().check(z.maxLength(100))).check(z.maxLength(maxTargets)) }))
    .output(z.array(z.object({ address: z.string(), name: z.string() }))),
  people: route
    .meta({ signedIn: true })
    .route({ method: 'POST', path: `${menu}/people` })
    .input(idsInput(idSchema()))
    .output(z.array(z.object({ id: idSchema(), email: z.string() }))),
  /** MONEY_REFUSED (CHANGED): the last signature, although the review promised others. */
  sign: route
    .meta({ permission: 'authority.sign', fresh: true, keyed: true })
    .route({ method: 'POST', path: `${menu}/sign` })
    .input(signInput)
    .output(statementRow),
  /** Asks for the second factor first, so that no key is created twice. */
  enrolment: route
    .meta({ permission: 'authority.enrol', fresh: true })
    .route({ method: 'POST', path: `${menu}/enrolment` })
    .output(z.object({ keys: z.array(authorityKey), place: logPosition })),
  details: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/person` })
    .input(z.strictObject({ person: idSchema() }))
    .output(enrollmentReview),
  /** The owner's signature proves possession of the key and approves nothing. */
  enrol: proposalRoute('authority.enrol')
    .route({ method: 'POST', path: `${menu}/enrol` })
    .input(z.strictObject({ key: authorityKey }))
    .output(statementRow),
  removeApprover: proposalRoute('authority.removeApprover')
    .route({ method: 'POST', path: `${menu}/removeApprover` })
    .input(z.omit(contents['approver.remove'], { name: true }))
    .output(statementRow),
  setRules: proposalRoute('authority.setRules')
    .route({ method: 'POST', path: `${menu}/rules` })
    .input(contents['policy.set'])
    .output(statementRow),
  setMinter: proposalRoute('authority.setMinter')
    .route({ method: 'POST', path: `${menu}/minter` })
    .input(contents['minter.set'])
    .output(statementRow),
  addCustody: proposalRoute('authority.addCustody')
    .route({ method: 'POST', path: `${menu}/custody` })
    .input(contents['custody.add'])
    .output(statementRow),
  removeCustody: proposalRoute('authority.removeCustody')
    .route({ method: 'POST', path: `${menu}/custody/remove` })
    .input(contents['custody.remove'])
    .output(statementRow),
  /** `custody`: only addresses that may be listed. */
  knownReceivers: route
    .meta({ permission: 'authority.addReceiver' })
    .route({ method: 'GET', path: `${menu}/receivers/known` })
    .output(z.array(knownReceiver)),
  addReceiver: proposalRoute('authority.addReceiver')
    .route({ method: 'POST', path: `${menu}/receivers` })
    .input(contents['receiver.add'])
    .output(statementRow),
  removeReceiver: proposalRoute('authority.removeReceiver')
    .route({ method: 'POST', path: `${menu}/receivers/remove` })
    .input(contents['receiver.remove'])
    .output(statementRow),
  freeze: proposalRoute('authority.freeze')
    .route({ method: 'POST', path: `${menu}/freeze` })
    .input(contents.freeze)
    .output(statementRow),
  unfreeze: proposalRoute('authority.unfreeze')
    .route({ method: 'POST', path: `${menu}/unfreeze` })
    .input(contents.unfreeze)
    .output(statementRow),
};
