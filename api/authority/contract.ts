import * as z from 'zod/mini';
import { id, idsInput, listInput, listOutput, route } from '../base.ts';
import { logPlace } from './signing.ts';
import { authorityKey, contents, policy, proof, receiver, statement, statementKinds } from './statements.ts';
import { statementStates } from './values.ts';

const menu = '/selfCustody/authority';
const sha256 = () => z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** Who signed, when, and with what. */
const signer = z.object({ person: id(), name: z.string(), at: z.string(), key: z.enum(['passkey', 'wallet', 'software']) });

/** A statement of the log as a list shows it. `id` is its hash. */
export const statementRow = z.object({
  id: sha256(),
  number: z.int(),
  kind: z.enum(statementKinds as [string, ...string[]]),
  by: z.object({ person: id(), name: z.string() }),
  at: z.string(),
  expires: z.string(),
  state: z.enum(statementStates),
  /** From when it counts; null while too few have signed. */
  from: z.nullable(z.string()),
  /** How many have to sign. */
  needed: z.int(),
  signed: z.array(signer),
  /** Whether the person who asks could sign it now. */
  mine: z.boolean(),
  /** The very line, as it is signed. */
  statement,
});
export type StatementRow = z.infer<typeof statementRow>;

export const statementFilter = z.strictObject({
  state: z.optional(z.enum(statementStates)),
  kind: z.optional(z.string().check(z.maxLength(40))),
  /** Whether it waits for the person who asks. */
  mine: z.optional(z.boolean()),
  /** Part of what it says, or the beginning of its hash. */
  q: z.optional(z.string().check(z.maxLength(200))),
});
export type StatementFilter = z.infer<typeof statementFilter>;

const since = z.nullable(z.string());

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
  custody: z.array(z.object({ address: z.string(), from: since, cooling: z.boolean() })),
  receivers: z.array(z.object({ receiver, from: since, cooling: z.boolean() })),
  freezes: z.array(z.object({ freeze: z.string(), reason: z.string() })),
  /** Statements that wait for the person who asks. */
  waiting: z.int(),
  /** One's own keys; none: nothing can be signed. */
  own: z.array(authorityKey),
});
export type AuthoritySummary = z.infer<typeof authoritySummary>;

/** A signature of a statement. Without a proof a demo signs with the software key that it made for everybody. */
const signed = z.strictObject({ id: sha256(), proof: z.optional(proof) });
const propose = (permission: AuthorityRight) => route.meta({ permission, fresh: true, keyed: true });
type AuthorityRight =
  | 'authority.enrol'
  | 'authority.removeApprover'
  | 'authority.setRules'
  | 'authority.addCustody'
  | 'authority.removeCustody'
  | 'authority.addReceiver'
  | 'authority.removeReceiver'
  | 'authority.freeze'
  | 'authority.unfreeze';

/**
 * The authority log. UNAVAILABLE: there is none (no chain, or no genesis). A proposal answers the statement as it stands in the log;
 * it counts once enough people have signed it.
 */
export const authority = {
  summary: route.meta({ menu }).route({ method: 'GET', path: menu }).output(authoritySummary),
  list: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/list` })
    .input(listInput(['number'], statementFilter))
    .output(listOutput(statementRow)),
  many: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/many` })
    .input(idsInput(sha256()))
    .output(z.array(statementRow)),
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
  /** Lets somebody in with a key that they show to have by signing the statement themselves; others approve it. */
  enrol: propose('authority.enrol')
    .route({ method: 'POST', path: `${menu}/enrol` })
    .input(z.strictObject({ key: authorityKey }))
    .output(statementRow),
  removeApprover: propose('authority.removeApprover')
    .route({ method: 'POST', path: `${menu}/removeApprover` })
    .input(contents['approver.remove'])
    .output(statementRow),
  setRules: propose('authority.setRules')
    .route({ method: 'POST', path: `${menu}/rules` })
    .input(contents['policy.set'])
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
