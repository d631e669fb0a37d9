import { and, asc, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import { canonicalHash } from '../../api/authority/canonical.ts';
import type { MenuPath } from '../../api/menu.ts';
import type { StatementRow } from '../../api/authority/contract.ts';
import type { SignedKind, Statement, StatementOf } from '../../api/authority/statements.ts';
import { readUsedAmounts } from '../deposits/shared/used-today.ts';
import { parseBitcoinAddress } from '../../chain/bitcoin-address.ts';
import { requireActor, requirePerson, type RequestContext } from '../platform/services/context.ts';
import { administrators } from '../platform/auth/tables.ts';
import { createAppError } from '../platform/core/errors.ts';
import type { Tx } from '../platform/db/db.ts';
import type { RawRoute } from '../platform/http/raw-routes.ts';
import { guardedApi } from '../platform/http/router.ts';
import { sortByRequestedIds, listRows } from '../platform/records/list.ts';
import { writeOnce, type RecordAudit } from '../platform/records/write.ts';
import type { Authority } from './authority.ts';
import { developmentProof, enrollInDevelopment } from './development.ts';
import { newStatement, findStatement, writeDraft } from './drafts.ts';
import { readKnownReceivers } from './known-receivers.ts';
import { readEnrollmentReview } from './enrollment-review.ts';
import { readOwnStatementHashes, presentRows, statementFilter } from './lists.ts';
import { presentAuthority, readVoidedApprovals } from './present.ts';
import { countRemainingSignatures } from './remaining-signatures.ts';
import { requireEligibleStatementSigners } from './shared/eligible-signers.ts';
import { findNames } from './shared/address-book.ts';
import { readRoleNames } from './roles.ts';
import {
  withLogWriter as appending,
  holdsSoftwareKey,
  NotSignedError,
  genesisPositionOf,
  addSignature,
} from './shared/signing.ts';
import { readAuthority, type LogWriter } from './store.ts';
import { authorityLines, authorityStatements as table } from './tables.ts';

const validityMs = 7 * 86_400_000;

export const authority = {
  summary: guardedApi.authority.summary.handler(async ({ context: { services, db }, context }) => {
    const log = await requireAuthority(context);
    const presentedAuthority = presentAuthority(log, requireActor(context).id, services.now());
    const rules = presentedAuthority.rules.map(async (rule) => ({
      ...rule,
      used: rule.inForce ? (await readUsedAmounts(db, rule.policy.bands, services.now())).map(String) : null,
    }));
    return {
      ...presentedAuthority,
      waiting: (await readOwnStatementHashes(context, log)).length,
      rules: await Promise.all(rules),
    };
  }),

  list: guardedApi.authority.list.handler(async ({ input, context }) => {
    const log = await readAuthority(context.services, context.db);
    if (!log) return { rows: [], nextCursor: null, prevCursor: null, count: { value: 0, kind: 'exact' as const } };
    const filter = await createFilter(context, log);
    const page = await listRows(context, input, {
      table,
      id: table.id,
      sorts: { number: table.position },
      where: await filter.where(context, input.filter),
      present: (row) => row,
    });
    return { ...page, rows: await presentRows(context, log, page.rows) };
  }),

  values: guardedApi.authority.values.handler(async (call) => {
    const log = await readAuthority(call.context.services, call.context.db);
    return log ? (await createFilter(call.context, log)).values(call) : { values: [] };
  }),

  many: guardedApi.authority.many.handler(async ({ input, context }) => {
    const log = await readAuthority(context.services, context.db);
    if (!log) return [];
    const rows = await context.db.select().from(table).where(inArray(table.id, input.ids));
    return sortByRequestedIds(input.ids, await presentRows(context, log, rows));
  }),

  sign: guardedApi.authority.sign.handler(({ input, context }) =>
    appendStatement(
      context,
      { id: input.id, heard: input.heard ?? false, onlySigns: input.onlySigns ?? false },
      async (log, recordAudit, tx) => {
        const { id: person } = requirePerson(context);
        const statement = await findStatement(tx, log.state(), input.id);
        if (!statement) throw createAppError('NOT_FOUND');
        const isEnrollmentOfOther = statement.kind === 'approver.add' && statement.content.person !== person;
        if (isEnrollmentOfOther && input.heard !== true) throw createAppError('MONEY_REFUSED', { reason: 'NOT_HEARD' });
        await requireEligibleStatementSigners(context, tx, log.state(), statement);
        await addSignature(tx, log, statement, person, input.proof ?? null);
        const statementStatus = log.state().statements.get(input.id);
        if (
          input.onlySigns &&
          statementStatus &&
          countRemainingSignatures(log.state(), statementStatus, context.services.now()) === 0
        )
          throw createAppError('MONEY_REFUSED', { reason: 'CHANGED' });
        recordAudit({
          entity: 'statement',
          id: input.id,
          after: { kind: statement.kind, ...(isEnrollmentOfOther && { heard: true }) },
        });
        return statement;
      },
    ),
  ),

  names: guardedApi.authority.names.handler(async ({ input, context }) =>
    canSeeAddresses(context) ? findNames(context.services, context.db, input.addresses) : [],
  ),

  people: guardedApi.authority.people.handler(async ({ input, context: { db }, context }) =>
    menusWithPeople.some((path) => requirePerson(context).granted.has(path))
      ? db
          .select({ id: administrators.id, email: administrators.email })
          .from(administrators)
          .where(inArray(administrators.id, input.ids))
      : [],
  ),

  enrolment: guardedApi.authority.enrolment.handler(async ({ context }) => {
    const log = await requireAuthority(context);
    const keys = log.people.get(requirePerson(context).id)?.keys.map(({ key }) => key) ?? [];
    return { keys, place: genesisPositionOf(log) };
  }),

  details: guardedApi.authority.details.handler(async ({ input, context }) =>
    readEnrollmentReview(context, await requireAuthority(context), input.person),
  ),

  enrol: guardedApi.authority.enrol.handler(({ input, context }) =>
    appendStatement(context, input, async (log, recordAudit, tx) => {
      const { id: person, email: name } = requirePerson(context);
      const content = { person, name, roles: await readRoleNames(tx, person), key: input.key };
      return storeProposal(context, tx, log, recordAudit, 'approver.add', content);
    }),
  ),

  removeApprover: guardedApi.authority.removeApprover.handler(({ input, context }) =>
    appendStatement(context, input, async (log, recordAudit, tx) => {
      const name = log.state().people.get(input.person)?.name;
      if (name === undefined) throw createAppError('NOT_FOUND');
      return storeProposal(context, tx, log, recordAudit, 'approver.remove', { ...input, name });
    }),
  ),
  setRules: guardedApi.authority.setRules.handler(({ input, context }) => proposeStatement(context, 'policy.set', input)),
  setMinter: guardedApi.authority.setMinter.handler(({ input, context }) => proposeStatement(context, 'minter.set', input)),
  addCustody: guardedApi.authority.addCustody.handler(({ input, context }) =>
    proposeStatement(context, 'custody.add', { ...input, address: requireBitcoinAddress(context, input.address) }),
  ),
  removeCustody: guardedApi.authority.removeCustody.handler(({ input, context }) =>
    proposeStatement(context, 'custody.remove', input),
  ),
  knownReceivers: guardedApi.authority.knownReceivers.handler(async ({ context }) =>
    readKnownReceivers(context, await requireAuthority(context)),
  ),
  addReceiver: guardedApi.authority.addReceiver.handler(({ input, context }) =>
    proposeStatement(context, 'receiver.add', {
      ...input,
      custody: input.custody.map((address) => requireBitcoinAddress(context, address)),
      payout: input.payout.map((address) => requireBitcoinAddress(context, address)),
    }),
  ),
  removeReceiver: guardedApi.authority.removeReceiver.handler(({ input, context }) =>
    proposeStatement(context, 'receiver.remove', input),
  ),
  freeze: guardedApi.authority.freeze.handler(({ input, context }) => proposeStatement(context, 'freeze', input)),
  unfreeze: guardedApi.authority.unfreeze.handler(({ input, context }) => proposeStatement(context, 'unfreeze', input)),
};

/** Other people learn no names. */
const menusWithAddresses: readonly MenuPath[] = [
  '/selfCustody/dataPanel',
  '/selfCustody/deposit',
  '/selfCustody/withdraw',
  '/selfCustody/authority',
  '/CRSMTrove/CRSMList',
  '/CRSMTrove/positionList',
  '/audit',
];

const menusWithPeople: readonly MenuPath[] = ['/selfCustody/authority', '/audit'];

const canSeeAddresses = (context: RequestContext): boolean => {
  const { granted } = requirePerson(context);
  return menusWithAddresses.some((path) => granted.has(path));
};

const linesPerPage = 500;

export const authorityLog: RawRoute = {
  method: 'GET',
  path: '/api/selfCustody/authority/log',
  meta: { menu: '/selfCustody/authority' },
  handle: async ({ context }) => {
    const [lastLine] = await context.db
      .select({ number: authorityLines.number })
      .from(authorityLines)
      .orderBy(desc(authorityLines.number))
      .limit(1);
    const end = (lastLine?.number ?? -1) + 1;
    let from = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (from >= end) return controller.close();
        const rows = await context.db
          .select({ line: authorityLines.line })
          .from(authorityLines)
          .where(and(sql`${authorityLines.number} >= ${from}`, lt(authorityLines.number, Math.min(end, from + linesPerPage))))
          .orderBy(asc(authorityLines.number));
        from += linesPerPage;
        controller.enqueue(new TextEncoder().encode(rows.map(({ line }) => `${line}\n`).join('')));
      },
    });
    return new Response(body, {
      headers: {
        'content-type': 'application/jsonl; charset=utf-8',
        'content-disposition': 'attachment; filename="authority.jsonl"',
      },
    });
  },
};

async function requireAuthority({ services, db }: RequestContext): Promise<Authority> {
  const authorityState = await readAuthority(services, db);
  if (!authorityState) throw createAppError('UNAVAILABLE');
  return authorityState;
}

const createFilter = async (context: RequestContext, log: Authority) =>
  statementFilter(await readOwnStatementHashes(context, log), readVoidedApprovals(log), context.services.now());

/** Throws MONEY_REFUSED. */
function requireBitcoinAddress({ services }: RequestContext, address: string): string {
  const parsedAddress = parseBitcoinAddress(address, services.config.bitcoinNetwork);
  if (parsedAddress === null) throw createAppError('MONEY_REFUSED', { reason: 'LOG', problem: ['ADDRESS'] });
  return parsedAddress;
}

const proposeStatement = <K extends SignedKind>(context: RequestContext, kind: K, content: StatementOf<K>['content']) =>
  appendStatement(context, content, (log, recordAudit, tx) => storeProposal(context, tx, log, recordAudit, kind, content));

async function storeProposal<K extends SignedKind>(
  context: RequestContext,
  tx: Tx,
  log: LogWriter,
  recordAudit: RecordAudit,
  kind: K,
  content: StatementOf<K>['content'],
): Promise<Statement> {
  const { id: person } = requirePerson(context);
  const { services } = context;
  const statement: Statement = newStatement(log.state(), kind, content, services.now() + validityMs);
  await requireEligibleStatementSigners(context, tx, log.state(), statement);
  const isDevelopmentKey = holdsSoftwareKey(log.state(), person) && kind !== 'approver.add';
  if (isDevelopmentKey) await log.sign(statement, person, developmentProof(person, statement));
  else await writeDraft(tx, services, log, statement, person);
  recordAudit({ entity: 'statement', id: canonicalHash(statement), after: { kind, content } });
  return statement;
}

/** MONEY_REFUSED (LOG): invalid line, nothing is written. */
function appendStatement(
  context: RequestContext,
  payload: unknown,
  createStatement: (log: LogWriter, recordAudit: RecordAudit, tx: Tx) => Promise<Statement>,
): Promise<StatementRow> {
  const { id: person, email: name } = requirePerson(context);
  return writeOnce(context, payload, async (tx, recordAudit) => {
    try {
      const [authorityNow, hash] = await appending(tx, context.services, async (log) => {
        await enrollInDevelopment(tx, log, { person, name });
        const statement = await createStatement(log, recordAudit, tx);
        return [log.state(), canonicalHash(statement)] as const;
      });
      const rows = await tx.select().from(table).where(eq(table.id, hash));
      const [row] = await presentRows({ ...context, db: tx }, authorityNow, rows);
      if (!row) throw new Error('a statement did not come back');
      return row;
    } catch (error) {
      if (!(error instanceof NotSignedError)) throw error;
      const { reason, problem } = error;
      if (reason === 'NO_AUTHORITY') throw createAppError('UNAVAILABLE');
      throw createAppError('MONEY_REFUSED', { reason, ...(problem !== null && { problem: [problem] }) });
    }
  });
}
