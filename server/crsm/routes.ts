import { and, desc, eq, exists, gte, inArray, isNotNull, lte, not, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { encodeFunctionData, type Abi, type AbiFunction, type Address } from 'viem';
import type { CrsmCall, PositionRow } from '../../api/crsm/contract.ts';
import { crsmFilters, crsmHealth, positionFilters } from '../../api/crsm/filters.ts';
import { toChecksumAddress } from '../../api/evm.ts';
import { noDebtRatio, type CrsmAction } from '../../api/crsm/values.ts';
import { crsmAbi } from '../../chain/abi/crsm.ts';
import { crsmFactoryAbi } from '../../chain/abi/crsm-factory.ts';
import {
  checkAction,
  checkCreate,
  checkReceiver,
  readCrsmFacts,
  readTroveFacts,
  crsmRefusal,
  type ActionParams,
} from './rules.ts';
import {
  presentCall,
  presentCrsm,
  presentEvent,
  presentPosition,
  crsmState,
  type CrsmCallRow,
  type CrsmRecord,
  type TroveRecord,
} from './rows.ts';
import { isNearTrigger } from './shared/near-trigger.ts';
import { crsmChainOf } from './shared/chain-of.ts';
import { readFiguresAge, isBlockStale } from './shared/staleness.ts';
import { followerOf, refreshNow } from './shared/watch.ts';
import { addressStarts } from '../platform/evm/address.ts';
import { requirePerson, type RequestContext, type Services } from '../platform/services/context.ts';
import { PriceUnavailableError, type CrsmChain } from './chain.ts';
import type { Queries } from '../platform/db/db.ts';
import { appError } from '../platform/core/errors.ts';
import { newId } from '../platform/core/ids.ts';
import { guardedApi } from '../platform/http/router.ts';
import { chosenValues, combineValues, createFilter, searchCondition, type FilterCondition } from '../platform/records/filter.ts';
import { listHandlers } from '../platform/records/list-handlers.ts';
import { describeRpcError } from '../platform/evm/rpc-problem.ts';
import { unmodified, writeOnce } from '../platform/records/write.ts';
import { serverTime, timeOf } from '../platform/evm/clock.ts';
import { crsmCalls, crsmEvents, crsms, troves } from './tables.ts';

// Reads use the index (indexer.ts). Calls for wallets are recorded exactly and compared with the result (calls.ts).

const positionReads = listHandlers({
  table: troves,
  sorts: { icr: troves.icr, collateral: troves.collateral, debt: troves.totalDebt, openedAt: troves.openedAt },
  filter: () => positionFilter,
  present: withCrsms,
  only: isNotNull(troves.block),
  last: ({ services }) => isBlockStale(services, troves.block),
});

const reads = listHandlers({
  table: crsms,
  sorts: {
    distance: crsms.distance,
    collateral: crsms.collateral,
    debt: crsms.totalDebt,
    icr: crsms.icr,
    deposits: crsms.deposits,
    createdAt: crsms.createdAt,
  },
  filter: () => crsmFilter,
  present: async ({ services, db }, rows) => rows.map(presentCrsm(services, await readFiguresAge(services, db))),
  only: isNotNull(crsms.block),
  last: ({ services }) => isBlockStale(services, crsms.block),
});

export const crsm = {
  list: guardedApi.crsm.list.handler(reads.list),

  values: guardedApi.crsm.values.handler(reads.values),

  many: guardedApi.crsm.many.handler(reads.many),

  events: guardedApi.crsm.events.handler(async ({ input: { id }, context: { db } }) => {
    const newest = await db
      .select()
      .from(crsmEvents)
      .where(eq(crsmEvents.crsm, id))
      .orderBy(desc(crsmEvents.block), desc(crsmEvents.logIndex))
      .limit(100);
    const calls = await db
      .select()
      .from(crsmCalls)
      .where(eq(crsmCalls.crsm, id))
      .orderBy(desc(crsmCalls.createdAt), desc(crsmCalls.id))
      .limit(100);
    return { events: newest.map(presentEvent), calls: calls.map(presentCall) };
  }),

  follower: guardedApi.crsm.follower.handler(({ context }) => followerOf(context.services)),

  updateData: guardedApi.crsm.updateData.handler(async ({ input, context }) => {
    const known = await reads.many({ input, context });
    const chain = crsmChainOf(context.services);
    if (known.length === 0 || !chain) return [];
    await refreshNow(context.services, chain).catch((error: unknown) => {
      context.log.info({ err: describeRpcError(error) }, 'could not read a CRSM from the chain');
      throw crsmRefusal(error instanceof PriceUnavailableError ? 'noPrice' : 'unreachable');
    });
    return reads.many({ input, context });
  }),

  positions: guardedApi.crsm.positions.handler(positionReads.list),

  positionValues: guardedApi.crsm.positionValues.handler(positionReads.values),

  manyPositions: guardedApi.crsm.manyPositions.handler(positionReads.many),

  create: guardedApi.crsm.create.handler(({ input, context }) => prepareCreate(context, input)),
  deposit: guardedApi.crsm.deposit.handler(({ input, context }) => prepare(context, 'deposit', input)),
  withdrawFromSP: guardedApi.crsm.withdrawFromSP.handler(({ input, context }) => prepare(context, 'withdrawFromSP', input)),
  claimYield: guardedApi.crsm.claimYield.handler(({ input, context }) => prepare(context, 'claimYield', input)),
  claimAllCollateralGains: guardedApi.crsm.claimAllCollateralGains.handler(({ input, context }) =>
    prepare(context, 'claimAllCollateralGains', input),
  ),
  updateCR: guardedApi.crsm.updateCR.handler(({ input, context }) => prepare(context, 'updateCR', input)),
  commitDebtGasCompensation: guardedApi.crsm.commitDebtGasCompensation.handler(({ input, context }) =>
    prepare(context, 'commitDebtGasCompensation', input),
  ),
  acceptDebtGasCompensation: guardedApi.crsm.acceptDebtGasCompensation.handler(({ input, context }) =>
    prepare(context, 'acceptDebtGasCompensation', input),
  ),
  withdraw: guardedApi.crsm.withdraw.handler(({ input, context }) => prepare(context, 'withdraw', input)),
  repay: guardedApi.crsm.repay.handler(({ input, context }) => prepare(context, 'repay', input)),

  sent: guardedApi.crsm.sent.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const [before] = await tx.select().from(crsmCalls).where(isOwn(context, input.id)).for('update');
      if (!before) throw appError('NOT_FOUND');
      const isOpen = before.state === 'prepared' || before.state === 'sent' || before.state === 'lost';
      if (!isOpen || (before.hash === input.hash && before.state === 'sent')) return unmodified(presentCall(before));
      const now = new Date(context.services.now());
      const [after] = await tx
        .update(crsmCalls)
        .set({ state: 'sent', hash: input.hash, sentAt: now, updatedAt: now })
        .where(eq(crsmCalls.id, input.id))
        .returning();
      if (!after) throw appError('NOT_FOUND');
      note({ entity: 'crsm', id: crsmState(after), before: presentCall(before), after: presentCall(after) });
      return presentCall(after);
    }),
  ),

  call: guardedApi.crsm.call.handler(async ({ input, context }) => {
    const [row] = await context.db.select().from(crsmCalls).where(isOwn(context, input.id));
    if (!row) throw appError('NOT_FOUND');
    return presentCall(row);
  }),
};

const isOwn = (context: RequestContext, id: string) =>
  and(eq(crsmCalls.id, id), eq(crsmCalls.administratorId, requirePerson(context).id));

// ── Rows ───────────────────────────────────────────────────────────────────

async function withCrsms({ db, services }: RequestContext, rows: readonly TroveRecord[]): Promise<PositionRow[]> {
  const keepers = await keepersOf(db, rows);
  const figures = await readFiguresAge(services, db);
  return rows.map((row) => presentPosition(services, figures, row, keepers.get(row.id)));
}

/** For the current owner of each trove, newest if several. */
async function keepersOf(
  queries: Queries,
  rows: readonly Pick<TroveRecord, 'troveManager' | 'troveId' | 'owner' | 'id'>[],
): Promise<ReadonlyMap<string, CrsmRecord>> {
  const found = await queries
    .select()
    .from(crsms)
    .where(
      and(
        inArray(
          crsms.owner,
          rows.map(({ owner }) => owner),
        ),
        isNotNull(crsms.block),
      ),
    )
    .orderBy(crsms.createdAt, crsms.tokenId);
  const byTrove = new Map(found.map((row) => [`${row.owner} ${row.troveManager}-${row.troveId}`, row]));
  return new Map(
    rows.flatMap((row) => [byTrove.get(`${row.owner} ${row.id}`)].flatMap((crsm) => (crsm ? [[row.id, crsm]] : []))),
  );
}

/** Same order as api/crsm/health.ts. */
const healthOf = (services: Services) => sql`case when ${isBlockStale(services, crsms.block)} then 'stale'
  when not ${crsms.isTrovesOwner} then 'lost' when ${crsms.icr} = ${noDebtRatio.toString()}::numeric then 'noDebt'
  when ${crsms.icr} < ${crsms.MCR} then 'belowMinimum' when ${crsms.icr} <= ${crsms.TRGCR} then 'belowTrigger' else 'fine' end`;

const isKept = exists(
  sql`(select 1 from ${crsms} where ${crsms.troveManager} = ${troves.troveManager} and ${crsms.troveId} = ${troves.troveId}
    and ${crsms.owner} = ${troves.owner} and ${crsms.block} is not null)`,
);

/** Outdated figures match no range. */
const figureOf = (of: PgColumn, block: PgColumn): FilterCondition => ({
  of,
  where: (condition, { services }) =>
    condition.op === 'between'
      ? and(
          not(isBlockStale(services, block)),
          condition.from === null ? undefined : gte(of, BigInt(condition.from)),
          condition.to === null ? undefined : lte(of, BigInt(condition.to)),
        )
      : undefined,
});

const crsmFilter = createFilter({
  table: crsms,
  fields: crsmFilters,
  few: { of: ['q', 'owner'], in: crsms },
  filterConditions: {
    q: searchCondition((text) => isTyped(text, crsms.troveId, [crsms.owner, crsms.id])),
    owner: {
      of: crsms.owner,
      where: (condition) => combineValues(condition, (owner) => eq(crsms.owner, toChecksumAddress(owner))),
    },
    health: (condition, { services }) => inArray(healthOf(services), chosenValues(condition, crsmHealth)),
    near: (condition, { services }) => {
      const is = isNearTrigger(services) ?? sql`true`;
      return combineValues(condition, (isNear) =>
        isNear === 'true' ? is : and(not(isBlockStale(services, crsms.block)), not(is)),
      );
    },
    icr: figureOf(crsms.icr, crsms.block),
    collateral: figureOf(crsms.collateral, crsms.block),
    debt: figureOf(crsms.totalDebt, crsms.block),
    createdAt: crsms.createdAt,
  },
  only: isNotNull(crsms.block),
});

const positionFilter = createFilter({
  table: troves,
  fields: positionFilters,
  few: { of: ['q', 'owner'], in: troves },
  filterConditions: {
    q: searchCondition((text) => isTyped(text, troves.troveId, [troves.owner])),
    owner: {
      of: troves.owner,
      where: (condition) => combineValues(condition, (owner) => eq(troves.owner, toChecksumAddress(owner))),
    },
    kept: (condition) => combineValues(condition, (managed) => (managed === 'true' ? isKept : not(isKept))),
    icr: figureOf(troves.icr, troves.block),
    collateral: figureOf(troves.collateral, troves.block),
    debt: figureOf(troves.totalDebt, troves.block),
    openedAt: troves.openedAt,
  },
  only: isNotNull(troves.block),
});

type Column = Parameters<typeof addressStarts>[0];

/** A whole position ID or the prefix of an address. */
function isTyped(typed: string, number: Column, addresses: readonly Column[]): SQL | undefined {
  if (/^\d{1,78}$/.test(typed)) return eq(number, BigInt(typed));
  return or(...addresses.map((column) => addressStarts(column, typed)));
}

// ── What a wallet is asked for ─────────────────────────────────────────────

interface ActionInput<A extends CrsmAction> {
  from: string;
  params: ActionParams[A];
}

async function prepareCreate(context: RequestContext, input: ActionInput<'create'> & { position: string }): Promise<CrsmCall> {
  const chain = requireChain(context.services);
  const [manager = '', number = ''] = input.position.split('-');
  const [trove] = await context.db
    .select()
    .from(troves)
    .where(and(eq(sql`lower(${troves.troveManager})`, manager.toLowerCase()), eq(troves.troveId, BigInt(number))));
  if (!trove) throw appError('NOT_FOUND');
  const { troveId } = trove;
  const [from, troveManager] = [input.from as Address, trove.troveManager as Address];
  const facts = await readTroveFacts(context.services, chain, { from, troveManager, troveId });
  return writeOnce(context, input, async (tx, note) => {
    if (facts === 'unreachable') throw crsmRefusal('unreachable');
    checkCreate(input.params, input.from, facts);
    const { TRGCR, TARCR, MAX_TARCR, debtGasCompensation, amount } = input.params;
    const args = [trove.troveManager, troveId, TRGCR, TARCR, MAX_TARCR, debtGasCompensation, amount];
    const to = chain.contracts.crsmFactory;
    const call = await insertCall(tx, context, chain, {
      action: 'create',
      crsm: null,
      from,
      block: facts.block,
      ...encoded(to, crsmFactoryAbi, 'createNewCRSM', args),
    });
    note({ entity: 'crsm', id: trove.id, action: 'create', after: presentCall(call) });
    return presentCall(call);
  });
}

async function prepare<A extends Exclude<CrsmAction, 'create'>>(
  context: RequestContext,
  action: A,
  input: ActionInput<A> & { crsm: string },
): Promise<CrsmCall> {
  const { services } = context;
  const chain = requireChain(services);
  const [row] = await context.db.select().from(crsms).where(eq(crsms.id, input.crsm));
  if (!row) throw appError('NOT_FOUND');
  const [from, address, troveManager] = [input.from as Address, row.id as Address, row.troveManager as Address];
  const facts = await readCrsmFacts(services, chain, { crsm: address, from, troveManager, troveId: row.troveId });
  return writeOnce(context, input, async (tx, note) => {
    if (facts === 'unreachable') throw crsmRefusal('unreachable');
    if (facts === 'gone') throw appError('NOT_FOUND');
    const { params } = input;
    checkReceiver(services, action, address, params);
    checkAction(action, params, from, facts, serverTime(services, timeOf(facts.deadline)));
    const call = await insertCall(tx, context, chain, {
      action,
      crsm: address,
      from,
      block: facts.block,
      ...callOf(chain, address, action, params),
    });
    note({ entity: 'crsm', id: address, action, after: presentCall(call) });
    return presentCall(call);
  });
}

function requireChain(services: Services): CrsmChain {
  const chain = crsmChainOf(services);
  if (!chain) throw appError('NOT_FOUND');
  return chain;
}

type Encoded = Pick<typeof crsmCalls.$inferInsert, 'to' | 'data' | 'functionName' | 'args'>;

/** `deposit` calls the factory, the others the clone. */
function callOf<A extends Exclude<CrsmAction, 'create'>>(
  { contracts }: CrsmChain,
  crsm: Address,
  action: A,
  params: ActionParams[A],
): Encoded {
  const provided: Readonly<Record<string, string>> = params;
  if (action === 'deposit') return encoded(contracts.crsmFactory, crsmFactoryAbi, 'deposit', [crsm, provided['amount']]);
  const order: Record<Exclude<CrsmAction, 'create' | 'deposit'>, readonly string[]> = {
    withdrawFromSP: ['to', 'amount'],
    claimYield: ['to'],
    claimAllCollateralGains: ['to'],
    updateCR: ['TRGCR', 'TARCR', 'MAX_TARCR'],
    commitDebtGasCompensation: ['debtGasCompensation'],
    acceptDebtGasCompensation: [],
    withdraw: ['token', 'to', 'amount'],
    repay: ['amount'],
  };
  const values = order[action as keyof typeof order].map((name) => (name === 'token' ? contracts.yu : provided[name]));
  return encoded(crsm, crsmAbi, action, values);
}

/** Values by their names in the contract. */
function encoded(to: Address, abi: Abi, functionName: string, values: readonly (string | bigint | undefined)[]): Encoded {
  const entry = abi.find((item): item is AbiFunction => item.type === 'function' && item.name === functionName);
  if (!entry || entry.inputs.length !== values.length) throw new Error(`no such function: ${functionName}`);
  const args = entry.inputs.map(({ type }, index) => (type === 'uint256' ? BigInt(values[index] ?? '') : values[index]));
  const named = entry.inputs.map(({ name = '' }, index) => ({ name: name.replace(/^_/, ''), value: String(args[index]) }));
  return { to, data: encodeFunctionData({ abi, functionName, args }), functionName, args: JSON.stringify(named) };
}

type PlannedCall = Encoded & { action: CrsmAction; crsm: Address | null; from: Address; block: bigint };

async function insertCall(
  queries: Queries,
  context: RequestContext,
  chain: CrsmChain,
  planned: PlannedCall,
): Promise<CrsmCallRow> {
  const { id, email } = requirePerson(context);
  const now = new Date(context.services.now());
  const [row] = await queries
    .insert(crsmCalls)
    .values({
      id: newId(),
      ...planned,
      chainId: chain.chainId,
      administratorId: id,
      administratorEmail: email,
      createdAt: now,
      updatedAt: now,
    })
    .returning();
  if (!row) throw new Error('the insert returned no row');
  return row;
}
