import { asc } from 'drizzle-orm';
import { canonical, hashOf } from '../../api/authority/canonical.ts';
import type { MenuPath } from '../../api/menu.ts';
import type { StatementRow } from '../../api/authority/contract.ts';
import { statementFilters } from '../../api/authority/filters.ts';
import { contents, type Statement, type StatementKind, type StatementOf } from '../../api/authority/statements.ts';
import { usedToday } from '../deposits/shared/used-today.ts';
import { actorOf, type RequestContext } from '../platform/core/context.ts';
import { badField, failure } from '../platform/core/errors.ts';
import type { Tx } from '../platform/db/db.ts';
import type { PlainRoute } from '../platform/http/raw-routes.ts';
import { on } from '../platform/http/router.ts';
import { filteringRows } from '../platform/records/filter-rows.ts';
import { inAskedOrder } from '../platform/records/list.ts';
import { write, type Note } from '../platform/records/write.ts';
import { developmentProof, enrolInDevelopment } from './development.ts';
import { presentAuthority, presentStatement } from './present.ts';
import { namesOf } from './shared/address-book.ts';
import { rolesOf } from './roles.ts';
import { holdsSoftwareKey, NotSignedError, placeOf, softwareProof } from './shared/signing.ts';
import { LogError, type Authority } from './replay.ts';
import { appendToLog, readAuthority, type Draft } from './store.ts';
import { authorityLines } from './tables.ts';

/** How long a proposal can be signed. */
const openMs = 7 * 86_400_000;
/** Proposals of one kind by one person that wait for signatures. */
const mostOpen = 50;

export const authority = {
  summary: on.authority.summary.handler(async ({ context: { services, db }, context }) => {
    const found = presentAuthority(await read(context), actorOf(context).id, services.now());
    const rules = found.rules.map(async (one) => ({
      ...one,
      used: one.inForce ? (await usedToday(db, one.policy.bands, services.now())).map(String) : null,
    }));
    return { ...found, rules: await Promise.all(rules) };
  }),

  list: on.authority.list.handler(async ({ input, context }) => {
    const all = await rowsOf(context);
    const found = filter.passing(all, input.filter).toSorted((a, b) => a.number - b.number);
    if (input.direction === 'desc') found.reverse();
    // From where it stood, also when the filter lets it through no more.
    const last = all.find(({ id }) => id === input.cursor);
    if (input.cursor !== null && !last) throw badField('cursor');
    const left = found.filter(
      ({ number }) => !last || (input.direction === 'desc' ? number < last.number : number > last.number),
    );
    const rows = left.slice(0, input.limit);
    const hasMore = rows.length < left.length;
    return {
      rows,
      nextCursor: hasMore ? (rows.at(-1)?.id ?? null) : null,
      prevCursor: null,
      count: input.cursor === null ? { value: found.length, kind: 'exact' as const } : null,
    };
  }),

  values: on.authority.values.handler(async ({ input, context }) => filter.values(await rowsOf(context), input)),

  many: on.authority.many.handler(async ({ input, context }) => inAskedOrder(input.ids, await rowsOf(context))),

  sign: on.authority.sign.handler(({ input, context }) =>
    append(context, { id: input.id }, async (log, note) => {
      const standing = log.state().statements.get(input.id);
      if (!standing) throw failure('NOT_FOUND');
      const { id: person } = actorOf(context);
      await log.add({
        kind: 'signature',
        signs: input.id,
        person,
        proof: input.proof ?? softwareProof(log.state(), person, standing.statement),
      });
      note({ entity: 'statement', id: input.id, after: { number: standing.statement.number, kind: standing.statement.kind } });
      return standing.statement;
    }),
  ),

  names: on.authority.names.handler(async ({ input, context }) => {
    const { granted } = actorOf(context);
    return withAddresses.some((path) => granted.has(path)) ? namesOf(context.services, context.db, input.addresses) : [];
  }),

  enrolment: on.authority.enrolment.handler(async ({ context }) => {
    const { genesis, people } = await read(context);
    const keys = people.get(actorOf(context).id)?.keys.map(({ key }) => key) ?? [];
    return { keys, place: placeOf(genesis) };
  }),

  enrol: on.authority.enrol.handler(({ input, context }) =>
    append(context, input, async (log, note, tx) => {
      const { id: person, email: name } = actorOf(context);
      return proposed(context, log, note, 'approver.add', { person, name, roles: await rolesOf(tx, person), key: input.key });
    }),
  ),

  removeApprover: on.authority.removeApprover.handler(({ input, context }) => propose(context, 'approver.remove', input)),
  setRules: on.authority.setRules.handler(({ input, context }) => propose(context, 'policy.set', input)),
  setMinter: on.authority.setMinter.handler(({ input, context }) => propose(context, 'minter.set', input)),
  addCustody: on.authority.addCustody.handler(({ input, context }) => propose(context, 'custody.add', input)),
  removeCustody: on.authority.removeCustody.handler(({ input, context }) => propose(context, 'custody.remove', input)),
  addReceiver: on.authority.addReceiver.handler(({ input, context }) => propose(context, 'receiver.add', input)),
  removeReceiver: on.authority.removeReceiver.handler(({ input, context }) => propose(context, 'receiver.remove', input)),
  freeze: on.authority.freeze.handler(({ input, context }) => propose(context, 'freeze', input)),
  unfreeze: on.authority.unfreeze.handler(({ input, context }) => propose(context, 'unfreeze', input)),
};

/** Screens on which institutions' and custody addresses stand: who sees none of them learns no names. */
const withAddresses: readonly MenuPath[] = [
  '/selfCustody/dataPanel',
  '/selfCustody/deposit',
  '/selfCustody/withdraw',
  '/selfCustody/authority',
  '/CRSMTrove/CRSMList',
  '/CRSMTrove/positionList',
  '/audit',
];

/** The log as lines of JSON: all that `npm run authority:verify` needs. */
export const authorityLog: PlainRoute = {
  method: 'GET',
  path: '/api/selfCustody/authority/log',
  meta: { menu: '/selfCustody/authority' },
  handle: async ({ context }) => {
    const lines = await context.db.select({ line: authorityLines.line }).from(authorityLines).orderBy(asc(authorityLines.number));
    return new Response(lines.map(({ line }) => `${line}\n`).join(''), {
      headers: {
        'content-type': 'application/jsonl; charset=utf-8',
        'content-disposition': 'attachment; filename="authority.jsonl"',
      },
    });
  },
};

async function read({ services, db }: RequestContext): Promise<Authority> {
  const found = await readAuthority(services, db);
  if (!found) throw failure('UNAVAILABLE');
  return found;
}

async function rowsOf(context: RequestContext): Promise<StatementRow[]> {
  const { id } = actorOf(context);
  const found = await readAuthority(context.services, context.db);
  if (!found) return [];
  return [...found.statements.values()].map((standing) => presentStatement(found, standing, id, context.services.now()));
}

/** The log is read whole, so its rows are what is filtered. */
const filter = filteringRows<typeof statementFilters, StatementRow>(statementFilters, {
  q: ({ id, by, statement }) => `${id} ${by.name} ${canonical(statement.content)}`,
  state: ({ state }) => state,
  kind: ({ kind }) => kind,
  mine: ({ mine }) => String(mine),
});

/** Proposes a statement, and signs it where the server may. */
const propose = <K extends StatementKind>(context: RequestContext, kind: K, content: StatementOf<K>['content']) =>
  append(context, content, (log, note) => proposed(context, log, note, kind, content));

async function proposed<K extends StatementKind>(
  context: RequestContext,
  log: Draft,
  note: Note,
  kind: K,
  content: StatementOf<K>['content'],
): Promise<Statement> {
  const { id: person, email: name } = actorOf(context);
  if (!contents[kind].safeParse(content).success) throw failure('BAD_REQUEST');
  refuseTooMany(log.state(), kind, person, context.services.now());
  const expires = new Date(context.services.now() + openMs).toISOString();
  const statement = (await log.add({ kind, by: { person, name }, expires, content } as never)) as Statement;
  const hash = hashOf(statement);
  const own = holdsSoftwareKey(log.state(), person) && kind !== 'approver.add';
  if (own) await log.add({ kind: 'signature', signs: hash, person, proof: developmentProof(person, statement) });
  note({ entity: 'statement', id: hash, after: { number: statement.number, kind, content } });
  return statement;
}

/**
 * Nothing leaves the log: what one person proposed and too few signed must not fill it. Of one kind, so that whoever waits for other
 * signatures can still freeze. MONEY_REFUSED (OPEN) until some are signed or expire.
 */
function refuseTooMany({ statements }: Authority, kind: StatementKind, person: string, now: number): void {
  const open = [...statements.values()].filter(
    ({ statement, passedAt }) =>
      statement.kind === kind && statement.by.person === person && passedAt === null && Date.parse(statement.expires) > now,
  );
  if (open.length >= mostOpen) throw failure('MONEY_REFUSED', { reason: 'OPEN', most: [String(mostOpen)] });
}

/** One write to the log; a line that does not fit is MONEY_REFUSED (LOG) with its problem, and nothing is written. */
function append(
  context: RequestContext,
  payload: unknown,
  make: (log: Draft, note: Note, tx: Tx) => Promise<Statement>,
): Promise<StatementRow> {
  const { id: person, email: name } = actorOf(context);
  return write(context, payload, async (tx, note) => {
    try {
      const row = await appendToLog(tx, context.services, async (log) => {
        await enrolInDevelopment(tx, log, { person, name });
        const hash = hashOf(await make(log, note, tx));
        const state = log.state();
        const standing = state.statements.get(hash);
        if (!standing) throw new Error('a statement is not in its own log');
        return presentStatement(state, standing, person, context.services.now());
      });
      if (!row) throw failure('UNAVAILABLE');
      return row;
    } catch (error) {
      if (error instanceof LogError) throw failure('MONEY_REFUSED', { reason: 'LOG', problem: [error.problem] });
      if (error instanceof NotSignedError) throw failure('MONEY_REFUSED', { reason: error.reason });
      throw error;
    }
  });
}
