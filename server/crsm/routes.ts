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
  createCrsmRefusal,
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
import { readFiguresAge, isBlockOutdated } from './shared/figures-age.ts';
import { readFollower, refreshNow } from './shared/watch.ts';
import { addressPrefixCondition } from '../platform/evm/address.ts';
import { requirePerson, type RequestContext, type Services } from '../platform/services/context.ts';
import { PriceUnavailableError, type CrsmChain } from './chain.ts';
import type { Queries } from '../platform/db/db.ts';
import { createAppError } from '../platform/core/errors.ts';
import { newId } from '../platform/core/ids.ts';
import { guardedApi } from '../platform/http/router.ts';
import {
  selectedValues,
  combineValues,
  createFilter,
  createSearchCondition,
  type FilterCondition,
} from '../platform/records/filter.ts';
import { createListHandlers } from '../platform/records/list-handlers.ts';
import { describeRpcError } from '../platform/evm/rpc-problem.ts';
import { asUnmodified, writeOnce } from '../platform/records/write.ts';
import { toServerTime, toDate } from '../platform/evm/clock.ts';
import { crsmCalls, crsmEvents, crsms, troves } from './tables.ts';

// Reads use the index (indexer.ts). Calls for wallets are recorded exactly and compared with the result (calls.ts).

const positionHandlers = createListHandlers({
  table: troves,
  sorts: { icr: troves.icr, collateral: troves.collateral, debt: troves.totalDebt, openedAt: troves.openedAt },
  filter: () => positionFilter,
  present: presentPositions,
  only: isNotNull(troves.block),
  last: ({ services }) => isBlockOutdated(services, troves.block),
});

const crsmHandlers = createListHandlers({
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
  last: ({ services }) => isBlockOutdated(services, crsms.block),
});

export const crsm = {
  list: guardedApi.crsm.list.handler(crsmHandlers.list),

  values: guardedApi.crsm.values.handler(crsmHandlers.values),

  many: guardedApi.crsm.many.handler(crsmHandlers.many),

  events: guardedApi.crsm.events.handler(async ({ input: { id }, context: { db } }) => {
    const newestEvents = await db
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
    return { events: newestEvents.map(presentEvent), calls: calls.map(presentCall) };
  }),

  follower: guardedApi.crsm.follower.handler(({ context }) => readFollower(context.services)),

  updateData: guardedApi.crsm.updateData.handler(async ({ input, context }) => {
    const readableCrsms = await crsmHandlers.many({ input, context });
    const chain = crsmChainOf(context.services);
    if (readableCrsms.length === 0 || !chain) return [];
    await refreshNow(context.services, chain).catch((error: unknown) => {
      context.log.info({ err: describeRpcError(error) }, 'could not read a CRSM from the chain');
      throw createCrsmRefusal(error instanceof PriceUnavailableError ? 'noPrice' : 'unreachable');
    });
    return crsmHandlers.many({ input, context });
  }),

  positions: guardedApi.crsm.positions.handler(positionHandlers.list),

  positionValues: guardedApi.crsm.positionValues.handler(positionHandlers.values),

  manyPositions: guardedApi.crsm.manyPositions.handler(positionHandlers.many),

  create: guardedApi.crsm.create.handler(({ input, context }) => prepareCreate(context, input)),
  deposit: guardedApi.crsm.deposit.handler(({ input, context }) => prepareCall(context, 'deposit', input)),
  withdrawFromSP: guardedApi.crsm.withdrawFromSP.handler(({ input, context }) => prepareCall(context, 'withdrawFromSP', input)),
  claimYield: guardedApi.crsm.claimYield.handler(({ input, context }) => prepareCall(context, 'claimYield', input)),
  claimAllCollateralGains: guardedApi.crsm.claimAllCollateralGains.handler(({ input, context }) =>
    prepareCall(context, 'claimAllCollateralGains', input),
  ),
  updateCR: guardedApi.crsm.updateCR.handler(({ input, context }) => prepareCall(context, 'updateCR', input)),
  commitDebtGasCompensation: guardedApi.crsm.commitDebtGasCompensation.handler(({ input, context }) =>
    prepareCall(context, 'commitDebtGasCompensation', input),
  ),
  acceptDebtGasCompensation: guardedApi.crsm.acceptDebtGasCompensation.handler(({ input, context }) =>
    prepareCall(context, 'acceptDebtGasCompensation', input),
  ),
  withdraw: guardedApi.crsm.withdraw.handler(({ input, context }) => prepareCall(context, 'withdraw', input)),
  repay: guardedApi.crsm.repay.handler(({ input, context }) => prepareCall(context, 'repay', input)),

  sent: guardedApi.crsm.sent.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const [previousCall] = await tx.select().from(crsmCalls).where(isOwnCall(context, input.id)).for('update');
      if (!previousCall) throw createAppError('NOT_FOUND');
      const isOpenCall = previousCall.state === 'prepared' || previousCall.state === 'sent' || previousCall.state === 'lost';
      if (!isOpenCall || (previousCall.hash === input.hash && previousCall.state === 'sent'))
        return asUnmodified(presentCall(previousCall));
      const now = new Date(context.services.now());
      const [updatedCall] = await tx
        .update(crsmCalls)
        .set({ state: 'sent', hash: input.hash, sentAt: now, updatedAt: now })
        .where(eq(crsmCalls.id, input.id))
        .returning();
      if (!updatedCall) throw createAppError('NOT_FOUND');
      recordAudit({
        entity: 'crsm',
        id: crsmState(updatedCall),
        before: presentCall(previousCall),
        after: presentCall(updatedCall),
      });
      return presentCall(updatedCall);
    }),
  ),

  call: guardedApi.crsm.call.handler(async ({ input, context }) => {
    const [row] = await context.db.select().from(crsmCalls).where(isOwnCall(context, input.id));
    if (!row) throw createAppError('NOT_FOUND');
    return presentCall(row);
  }),
};

const isOwnCall = (context: RequestContext, id: string) =>
  and(eq(crsmCalls.id, id), eq(crsmCalls.administratorId, requirePerson(context).id));

// ── Rows ───────────────────────────────────────────────────────────────────

async function presentPositions({ db, services }: RequestContext, rows: readonly TroveRecord[]): Promise<PositionRow[]> {
  const managingCrsms = await readManagingCrsms(db, rows);
  const figuresAge = await readFiguresAge(services, db);
  return rows.map((row) => presentPosition(services, figuresAge, row, managingCrsms.get(row.id)));
}

/** For the current owner of each trove, newest if several. */
async function readManagingCrsms(
  queries: Queries,
  rows: readonly Pick<TroveRecord, 'troveManager' | 'troveId' | 'owner' | 'id'>[],
): Promise<ReadonlyMap<string, CrsmRecord>> {
  const crsmRows = await queries
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
  const crsmByTrove = new Map(crsmRows.map((row) => [`${row.owner} ${row.troveManager}-${row.troveId}`, row]));
  return new Map(
    rows.flatMap((row) => [crsmByTrove.get(`${row.owner} ${row.id}`)].flatMap((crsm) => (crsm ? [[row.id, crsm]] : []))),
  );
}

/** Same order as api/crsm/health.ts. */
const healthSql = (services: Services) => sql`case when ${isBlockOutdated(services, crsms.block)} then 'stale'
  when not ${crsms.isTrovesOwner} then 'lost' when ${crsms.icr} = ${noDebtRatio.toString()}::numeric then 'noDebt'
  when ${crsms.icr} < ${crsms.MCR} then 'belowMinimum' when ${crsms.icr} <= ${crsms.TRGCR} then 'belowTrigger' else 'fine' end`;

const hasCrsm = exists(
  sql`(select 1 from ${crsms} where ${crsms.troveManager} = ${troves.troveManager} and ${crsms.troveId} = ${troves.troveId}
    and ${crsms.owner} = ${troves.owner} and ${crsms.block} is not null)`,
);

/** Outdated figures match no range. */
const createFigureCondition = (figureColumn: PgColumn, block: PgColumn): FilterCondition => ({
  of: figureColumn,
  where: (condition, { services }) =>
    condition.op === 'between'
      ? and(
          not(isBlockOutdated(services, block)),
          condition.from === null ? undefined : gte(figureColumn, BigInt(condition.from)),
          condition.to === null ? undefined : lte(figureColumn, BigInt(condition.to)),
        )
      : undefined,
});

const crsmFilter = createFilter({
  table: crsms,
  fields: crsmFilters,
  few: { of: ['q', 'owner'], in: crsms },
  filterConditions: {
    q: createSearchCondition((text) => matchesSearchText(text, crsms.troveId, [crsms.owner, crsms.id])),
    owner: {
      of: crsms.owner,
      where: (condition) => combineValues(condition, (owner) => eq(crsms.owner, toChecksumAddress(owner))),
    },
    health: (condition, { services }) => inArray(healthSql(services), selectedValues(condition, crsmHealth)),
    near: (condition, { services }) => {
      const isNearTriggerSql = isNearTrigger(services) ?? sql`true`;
      return combineValues(condition, (requestedValue) =>
        requestedValue === 'true' ? isNearTriggerSql : and(not(isBlockOutdated(services, crsms.block)), not(isNearTriggerSql)),
      );
    },
    icr: createFigureCondition(crsms.icr, crsms.block),
    collateral: createFigureCondition(crsms.collateral, crsms.block),
    debt: createFigureCondition(crsms.totalDebt, crsms.block),
    createdAt: crsms.createdAt,
  },
  only: isNotNull(crsms.block),
});

const positionFilter = createFilter({
  table: troves,
  fields: positionFilters,
  few: { of: ['q', 'owner'], in: troves },
  filterConditions: {
    q: createSearchCondition((text) => matchesSearchText(text, troves.troveId, [troves.owner])),
    owner: {
      of: troves.owner,
      where: (condition) => combineValues(condition, (owner) => eq(troves.owner, toChecksumAddress(owner))),
    },
    kept: (condition) => combineValues(condition, (requestedValue) => (requestedValue === 'true' ? hasCrsm : not(hasCrsm))),
    icr: createFigureCondition(troves.icr, troves.block),
    collateral: createFigureCondition(troves.collateral, troves.block),
    debt: createFigureCondition(troves.totalDebt, troves.block),
    openedAt: troves.openedAt,
  },
  only: isNotNull(troves.block),
});

type SearchColumn = Parameters<typeof addressPrefixCondition>[0];

/** A whole position ID or the prefix of an address. */
function matchesSearchText(searchText: string, idColumn: SearchColumn, addresses: readonly SearchColumn[]): SQL | undefined {
  if (/^\d{1,78}$/.test(searchText)) return eq(idColumn, BigInt(searchText));
  return or(...addresses.map((column) => addressPrefixCondition(column, searchText)));
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
  if (!trove) throw createAppError('NOT_FOUND');
  const { troveId } = trove;
  const [from, troveManager] = [input.from as Address, trove.troveManager as Address];
  const chainFacts = await readTroveFacts(context.services, chain, { from, troveManager, troveId });
  return writeOnce(context, input, async (tx, recordAudit) => {
    if (chainFacts === 'unreachable') throw createCrsmRefusal('unreachable');
    checkCreate(input.params, input.from, chainFacts);
    const { TRGCR, TARCR, MAX_TARCR, debtGasCompensation, amount } = input.params;
    const args = [trove.troveManager, troveId, TRGCR, TARCR, MAX_TARCR, debtGasCompensation, amount];
    const factoryAddress = chain.contracts.crsmFactory;
    const call = await insertCall(tx, context, chain, {
      action: 'create',
      crsm: null,
      from,
      block: chainFacts.block,
      ...encodeCall(factoryAddress, crsmFactoryAbi, 'createNewCRSM', args),
    });
    recordAudit({ entity: 'crsm', id: trove.id, action: 'create', after: presentCall(call) });
    return presentCall(call);
  });
}

async function prepareCall<A extends Exclude<CrsmAction, 'create'>>(
  context: RequestContext,
  action: A,
  input: ActionInput<A> & { crsm: string },
): Promise<CrsmCall> {
  const { services } = context;
  const chain = requireChain(services);
  const [row] = await context.db.select().from(crsms).where(eq(crsms.id, input.crsm));
  if (!row) throw createAppError('NOT_FOUND');
  const [from, address, troveManager] = [input.from as Address, row.id as Address, row.troveManager as Address];
  const chainFacts = await readCrsmFacts(services, chain, { crsm: address, from, troveManager, troveId: row.troveId });
  return writeOnce(context, input, async (tx, recordAudit) => {
    if (chainFacts === 'unreachable') throw createCrsmRefusal('unreachable');
    if (chainFacts === 'gone') throw createAppError('NOT_FOUND');
    const { params } = input;
    checkReceiver(services, action, address, params);
    checkAction(action, params, from, chainFacts, toServerTime(services, toDate(chainFacts.deadline)));
    const call = await insertCall(tx, context, chain, {
      action,
      crsm: address,
      from,
      block: chainFacts.block,
      ...encodeAction(chain, address, action, params),
    });
    recordAudit({ entity: 'crsm', id: address, action, after: presentCall(call) });
    return presentCall(call);
  });
}

function requireChain(services: Services): CrsmChain {
  const chain = crsmChainOf(services);
  if (!chain) throw createAppError('NOT_FOUND');
  return chain;
}

type EncodedCall = Pick<typeof crsmCalls.$inferInsert, 'to' | 'data' | 'functionName' | 'args'>;

/** `deposit` calls the factory, the others the clone. */
function encodeAction<A extends Exclude<CrsmAction, 'create'>>(
  { contracts }: CrsmChain,
  crsm: Address,
  action: A,
  params: ActionParams[A],
): EncodedCall {
  const textParams: Readonly<Record<string, string>> = params;
  if (action === 'deposit') return encodeCall(contracts.crsmFactory, crsmFactoryAbi, 'deposit', [crsm, textParams['amount']]);
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
  const values = order[action as keyof typeof order].map((name) => (name === 'token' ? contracts.yu : textParams[name]));
  return encodeCall(crsm, crsmAbi, action, values);
}

/** Values by their names in the contract. */
function encodeCall(
  contractAddress: Address,
  abi: Abi,
  functionName: string,
  values: readonly (string | bigint | undefined)[],
): EncodedCall {
  const entry = abi.find((item): item is AbiFunction => item.type === 'function' && item.name === functionName);
  if (!entry || entry.inputs.length !== values.length) throw new Error(`no such function: ${functionName}`);
  const args = entry.inputs.map(({ type }, index) => (type === 'uint256' ? BigInt(values[index] ?? '') : values[index]));
  const namedArguments = entry.inputs.map(({ name = '' }, index) => ({
    name: name.replace(/^_/, ''),
    value: String(args[index]),
  }));
  return {
    to: contractAddress,
    data: encodeFunctionData({ abi, functionName, args }),
    functionName,
    args: JSON.stringify(namedArguments),
  };
}

type PlannedCall = EncodedCall & { action: CrsmAction; crsm: Address | null; from: Address; block: bigint };

async function insertCall(
  queries: Queries,
  context: RequestContext,
  chain: CrsmChain,
  plannedCall: PlannedCall,
): Promise<CrsmCallRow> {
  const { id, email } = requirePerson(context);
  const now = new Date(context.services.now());
  const [row] = await queries
    .insert(crsmCalls)
    .values({
      id: newId(),
      ...plannedCall,
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
