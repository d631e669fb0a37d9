import { toDate } from '../platform/evm/clock.ts';
import { and, eq, inArray, isNotNull, like, ne, sql, type SQL } from 'drizzle-orm';
import type { Address, Hex } from 'viem';
import { distanceToTrigger, noDebtRatio, priceAt } from '../../api/crsm/values.ts';
import type { BlockHead } from '../platform/evm/bridge.ts';
import { memoizePerServer, type Services } from '../platform/services/context.ts';
import type { ChainLog, CrsmChain, CrsmReading, TroveReading } from './chain.ts';
import { readCursorName, attemptCursorName } from './shared/figures-age.ts';
import type { Tx } from '../platform/db/db.ts';
import { crsmEvents, crsms, troves } from './tables.ts';
import { chainCursors } from '../platform/evm/tables.ts';

// Index of CRSMs and troves: events, owners derived from them, and figures at the head. Derived only from the chain. Each batch
// of blocks is committed with the cursor if the cursor is unchanged, so concurrent servers write once and a crash loses one
// batch.

export interface IndexerContext {
  services: Services;
  chain: CrsmChain;
  start?: bigint;
  /** Blocks read again on each pass, for late logs. Reorganizations of any depth are detected separately. */
  depth?: bigint;
  batch?: bigint;
}

const defaultDepth = 16n;
const defaultBatchSize = 5_000n;
const maxCloneCount = 100_000;
/** Passes that wait for a node behind the index, before the chain counts as shorter. */
const maxWaitingPasses = 15;
const waitingStates = memoizePerServer((): { at: Hex | null; looks: number } => ({ at: null, looks: 0 }));

/** Returns the head. Null: the chain changed, or the node lags. After an error all figures count as outdated. */
export async function indexCrsms(
  indexerContext: IndexerContext,
  knownState: { figuresAt?: Hex | undefined } = {},
): Promise<BlockHead | null> {
  const head = await indexerContext.chain.head();
  try {
    return await indexUpTo(indexerContext, head, knownState);
  } catch (error) {
    await recordAttempt(indexerContext, head).catch(() => {}); // where the database is away, the look fails for that
    throw error;
  }
}

async function indexUpTo(
  indexerContext: IndexerContext,
  head: BlockHead,
  knownState: { figuresAt?: Hex | undefined },
): Promise<BlockHead | null> {
  const { batch = defaultBatchSize } = indexerContext;
  let cursor = await readCursor(indexerContext);
  if (cursor?.hash === head.hash && knownState.figuresAt === head.hash) return head;
  const start = await findStartBlock(indexerContext, head, cursor);
  if (start === null) return null;
  let isChanged = false;
  for (let from = start; from <= head.number; from += batch) {
    const toBlock = from + batch - 1n < head.number ? from + batch - 1n : head.number;
    const batchData = await readBatch(indexerContext, from, toBlock);
    if (!batchData) return null;
    const storedCursor = await storeBatch(indexerContext, cursor, from, batchData, head);
    if (!storedCursor) return null;
    isChanged ||= storedCursor.isChanged;
    cursor = batchData.top;
  }
  if (knownState.figuresAt === head.hash && !isChanged) return head;
  return (await readFigures(indexerContext, head)) ? head : null;
}

// ── How far it has read ────────────────────────────────────────────────────

type Cursor = Pick<BlockHead, 'number' | 'hash'>;

export const cursorName = ({ chainId, contracts }: CrsmChain) =>
  `crsm:${chainId}:${contracts.crsmFactory}:${contracts.troveManager}:${contracts.stabilityPool}`;

async function readCursor(indexerContext: IndexerContext): Promise<Cursor | null> {
  const { db } = indexerContext.services.database;
  const [row] = await db
    .select()
    .from(chainCursors)
    .where(eq(chainCursors.name, cursorName(indexerContext.chain)));
  return row ? { number: row.block, hash: row.blockHash as Hex } : null;
}

/** The first block to read: before the cursor, or the last one that both chains share. Null: the node lags. */
async function findStartBlock(
  { services, chain, start = 0n, depth = defaultDepth }: IndexerContext,
  head: BlockHead,
  cursor: Cursor | null,
) {
  const waitingState = waitingStates(services);
  const { looks } = waitingState.at === head.hash ? waitingState : { looks: 0 };
  Object.assign(waitingState, { at: null, looks: 0 });
  if (!cursor) return start;
  const blockWithDepth = (block: bigint) => (block >= depth + start ? block - depth + 1n : start);
  const cursorBlock = (await chain.blocks([cursor.number])).get(cursor.number);
  const isHeadBehindCursor = head.number < cursor.number;
  if (cursorBlock?.hash === cursor.hash) return isHeadBehindCursor ? null : blockWithDepth(cursor.number);
  // After a reorganization, finds the newest block whose hash is unchanged.
  const { rows } = await services.database.db.execute<{ block: string; block_hash: string }>(
    sql`select distinct block::text, block_hash, block as place from crsm_events where block <= ${head.number} order by place desc limit 5000`,
  );
  // A lagging node lacks the cursor's block and shows no replacement for it.
  if (isHeadBehindCursor && !cursorBlock && looks < maxWaitingPasses) {
    const [newestEventBlock] = rows;
    const newestBlock =
      newestEventBlock && (await chain.blocks([BigInt(newestEventBlock.block)])).get(BigInt(newestEventBlock.block));
    if (!newestBlock || newestBlock.hash === newestEventBlock.block_hash) {
      Object.assign(waitingState, { at: head.hash, looks: looks + 1 });
      return null;
    }
  }
  for (let index = 0; index < rows.length; index += 50) {
    const blockRows = rows.slice(index, index + 50);
    const chainBlocks = await chain.blocks(blockRows.map(({ block }) => BigInt(block)));
    const matchingBlock = blockRows.find(({ block, block_hash }) => chainBlocks.get(BigInt(block))?.hash === block_hash);
    if (matchingBlock) return BigInt(matchingBlock.block);
  }
  return start;
}

// ── Events ─────────────────────────────────────────────────────────────────

interface Batch {
  events: (typeof crsmEvents.$inferInsert)[];
  top: Cursor;
}

/** Null: the chain changed between calls. */
async function readBatch({ services, chain }: IndexerContext, from: bigint, toBlock: bigint): Promise<Batch | null> {
  const lastBlock = (await chain.blocks([toBlock])).get(toBlock);
  if (!lastBlock) return null;
  const clonesByAddress = await clonesBefore(services, from);
  const protocolEvents = await chain.protocolEvents(from, toBlock);
  for (const { name, args } of protocolEvents)
    if (name === 'NewCRSMDeployment') clonesByAddress.set(args['tokenId'] ?? '', args['crsm'] as Address);
  const logs = [...protocolEvents, ...(await chain.cloneEvents(from, toBlock, [...clonesByAddress.values()]))];
  const blocks = await chain.blocks([...logs.map(({ block }) => block), toBlock]);
  if (blocks.get(toBlock)?.hash !== lastBlock.hash) return null;
  const findSubject = createSubjectFinder(chain, clonesByAddress);
  const events = logs.flatMap((log) => {
    const block = blocks.get(log.block);
    const subject = findSubject(log);
    if (!subject || block?.hash !== log.blockHash) return []; // not followed, or in a block that was replaced
    const { name, hash, logIndex, blockHash } = log;
    const args = JSON.stringify(log.args);
    const eventTime = toDate(block.time);
    return [{ id: `${hash}-${logIndex}`, ...subject, name, args, hash, logIndex, block: log.block, blockHash, at: eventTime }];
  });
  return { events, top: lastBlock };
}

async function clonesBefore({ database }: Services, block: bigint): Promise<Map<string, Address>> {
  const { rows } = await database.db.execute<{ crsm: string; token: string }>(
    sql`select crsm, args::json ->> 'tokenId' as token from crsm_events
      where name = 'NewCRSMDeployment' and block < ${block} order by block, log_index limit ${maxCloneCount}`,
  );
  return new Map(rows.map(({ crsm, token }) => [token, crsm as Address]));
}

/** Null: not followed. */
function createSubjectFinder({ contracts }: CrsmChain, clonesByAddress: ReadonlyMap<string, Address>) {
  const cloneAddresses = new Set<string>(clonesByAddress.values());
  const cloneSubject = (address: string | undefined) =>
    address && cloneAddresses.has(address) ? { crsm: address, trove: null } : null;
  return ({ contract, name, args }: ChainLog): { crsm: string | null; trove: string | null } | null => {
    if (contract === contracts.troveManager) return { crsm: null, trove: `${contract}-${args['tokenId']}` };
    if (contract === contracts.stabilityPool) return cloneSubject(args['account'] ?? args['depositor']);
    if (contract !== contracts.crsmFactory) return cloneSubject(contract);
    return cloneSubject(name === 'Transfer' ? clonesByAddress.get(args['tokenId'] ?? '') : args['crsm']);
  };
}

// ── Keeping them ───────────────────────────────────────────────────────────

/** Null: another server has moved the cursor. */
async function storeBatch(
  indexerContext: IndexerContext,
  cursor: Cursor | null,
  from: bigint,
  { events, top }: Batch,
  head: BlockHead,
): Promise<{ isChanged: boolean } | null> {
  const { db } = indexerContext.services.database;
  const name = cursorName(indexerContext.chain);
  return db.transaction(async (tx) => {
    if (!(await moveCursor(tx, name, cursor, top))) return null;
    if (!cursor) await deleteOtherCursors(tx, name);
    const ids = sql.param(events.map(({ id }) => id));
    const removedEvents = await tx.execute<Subject>(
      sql`delete from crsm_events where (block between ${from} and ${top.number} or block > ${head.number})
        and not id = any(${ids}::text[]) returning name, crsm, trove`,
    );
    const insertedSubjects: Subject[] = [];
    for (let index = 0; index < events.length; index += 5_000)
      insertedSubjects.push(...(await insertEvents(tx, events.slice(index, index + 5_000))));
    const changedSubjects = [...removedEvents.rows, ...insertedSubjects].filter(
      ({ name: event }) => event === 'Transfer' || event === 'NewCRSMDeployment',
    );
    await updateCrsms(tx, [...new Set(changedSubjects.flatMap(({ crsm }) => crsm ?? []))]);
    await updateTroves(tx, [...new Set(changedSubjects.flatMap(({ trove }) => trove ?? []))]);
    return { isChanged: removedEvents.rows.length + insertedSubjects.length > 0 };
  });
}

type Subject = { name: string; crsm: string | null; trove: string | null };

/** The index covers one deployment. Rows of a previous configuration are deleted. */
async function deleteOtherCursors(tx: Tx, name: string): Promise<void> {
  await tx.delete(chainCursors).where(and(like(chainCursors.name, 'crsm%'), ne(chainCursors.name, name)));
  for (const table of [crsmEvents, crsms, troves]) await tx.delete(table);
}

/** False: the cursor is elsewhere. */
async function moveCursor(tx: Tx, name: string, from: Cursor | null, newCursor: Cursor): Promise<boolean> {
  const values = { block: newCursor.number, blockHash: newCursor.hash };
  const movedRows = from
    ? await tx
        .update(chainCursors)
        .set(values)
        .where(and(eq(chainCursors.name, name), eq(chainCursors.block, from.number), eq(chainCursors.blockHash, from.hash)))
        .returning({ name: chainCursors.name })
    : await tx
        .insert(chainCursors)
        .values({ name, ...values })
        .onConflictDoNothing()
        .returning({ name: chainCursors.name });
  return movedRows.length > 0;
}

async function insertEvents(tx: Tx, events: Batch['events']): Promise<Subject[]> {
  const rows = JSON.stringify(
    events.map(({ logIndex, blockHash, ...event }) => ({
      ...event,
      log_index: logIndex,
      block: event.block.toString(),
      block_hash: blockHash,
    })),
  );
  const { rows: changedSubjects } = await tx.execute<Subject>(sql`
    insert into crsm_events (id, crsm, trove, name, args, hash, log_index, block, block_hash, at)
    select id, crsm, trove, name, args, hash, log_index, block, block_hash, at from json_to_recordset(${rows}::json)
      as given (id text, crsm text, trove text, name text, args text, hash text, log_index int, block bigint, block_hash text, at timestamptz)
    on conflict (id) do update set crsm = excluded.crsm, trove = excluded.trove, name = excluded.name, args = excluded.args,
      block = excluded.block, block_hash = excluded.block_hash, at = excluded.at
    where (crsm_events.crsm, crsm_events.trove, crsm_events.args, crsm_events.block_hash)
      is distinct from (excluded.crsm, excluded.trove, excluded.args, excluded.block_hash)
    returning name, crsm, trove`);
  return changedSubjects;
}

/** The owner is the last receiver of the token, or none after it is burned. */
async function updateCrsms(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const idList = sql`any(${sql.param(ids)}::text[])`;
  await tx.execute(sql`
    with made as (select distinct on (crsm) crsm, args::json as args, at from crsm_events
        where crsm = ${idList} and name = 'NewCRSMDeployment' order by crsm, block desc, log_index desc),
      held as (${selectLastHolder(sql`crsm`, idList)}),
      living as (
        insert into crsms (address, token_id, trove_manager, trove_id, owner, created_at)
        select made.crsm, (args ->> 'tokenId')::numeric, args ->> 'troveManager', (args ->> 'troveId')::numeric, holder, at
        from made join held on held.id = made.crsm where holder <> ${zeroAddress}
        on conflict (address) do update set token_id = excluded.token_id, trove_manager = excluded.trove_manager,
          trove_id = excluded.trove_id, owner = excluded.owner, created_at = excluded.created_at
        returning address)
    delete from crsms where address = ${idList}
      and address not in (select made.crsm from made join held on held.id = made.crsm where holder <> ${zeroAddress})`);
}

async function updateTroves(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const idList = sql`any(${sql.param(ids)}::text[])`;
  await tx.execute(sql`
    with opened as (select distinct on (trove) trove, at from crsm_events
        where trove = ${idList} and args::json ->> 'from' = ${zeroAddress} order by trove, block desc, log_index desc),
      held as (${selectLastHolder(sql`trove`, idList)}),
      living as (
        insert into troves (id, trove_manager, trove_id, owner, opened_at)
        select trove, split_part(trove, '-', 1), split_part(trove, '-', 2)::numeric, holder, at
        from opened join held on held.id = opened.trove where holder <> ${zeroAddress}
        on conflict (id) do update set owner = excluded.owner, opened_at = excluded.opened_at
        returning id)
    delete from troves where id = ${idList}
      and id not in (select trove from opened join held on held.id = opened.trove where holder <> ${zeroAddress})`);
}

const zeroAddress = '0x0000000000000000000000000000000000000000';
const selectLastHolder = (subject: SQL, idList: SQL) =>
  sql`select distinct on (${subject}) ${subject} as id, args::json ->> 'to' as holder from crsm_events
    where ${subject} = ${idList} and name = 'Transfer' order by ${subject}, block desc, log_index desc`;

// ── Figures ────────────────────────────────────────────────────────────────

/** Marks all figures as older than a head at which they could not be read. */
async function recordAttempt({ services, chain }: IndexerContext, { number: block, hash: blockHash }: BlockHead): Promise<void> {
  await services.database.db
    .insert(chainCursors)
    .values({ name: attemptCursorName(chain), block, blockHash })
    .onConflictDoUpdate({
      target: chainCursors.name,
      set: { block, blockHash },
      setWhere: sql`${chainCursors.block} < ${block}`,
    });
}

/** Rows that could not be read keep older figures. `lastReadBlock`: events are known up to here. */
async function recordRead(
  tx: Tx,
  chain: CrsmChain,
  { number: block, hash: blockHash }: BlockHead,
  lastReadBlock: bigint,
): Promise<void> {
  for (const name of [readCursorName(chain), attemptCursorName(chain)])
    await tx
      .insert(chainCursors)
      .values({ name, block, blockHash })
      .onConflictDoUpdate({
        target: chainCursors.name,
        set: { block, blockHash },
        setWhere: sql`${chainCursors.block} <= ${block} or ${chainCursors.block} > ${lastReadBlock}`,
      });
}

/**
 * Reads all positions at the head, one write per table. A failing contract keeps old figures. False: the chain changed. Throws
 * PriceUnavailableError.
 */
async function readFigures(indexerContext: IndexerContext, head: BlockHead): Promise<boolean> {
  const { services, chain } = indexerContext;
  const { db } = services.database;
  const knownTroves = await db
    .select({ id: troves.troveId })
    .from(troves)
    .where(eq(troves.troveManager, chain.contracts.troveManager));
  const ids = knownTroves.map(({ id }) => id);
  const committedCrsms = await readCommittedCrsms(services);
  const marketPrice = await chain.market(head.number);
  const readings = await chain.crsms(head.number);
  const troveReadings = await chain.troves(ids, head.number, marketPrice);
  const pendingChanges = await chain.pending(committedCrsms, head.number);
  if ((await chain.blocks([head.number])).get(head.number)?.hash !== head.hash) return false;

  const readAt = new Date(services.now()).toISOString();
  const readPosition = { block: head.number.toString(), read_at: readAt };
  const pendingByCrsm = new Map(committedCrsms.map((crsm, index) => [crsm, pendingChanges[index] ?? null]));
  const crsmRows = readings.flatMap((reading) => {
    const pendingChange = pendingByCrsm.get(reading.crsm);
    return pendingChange === null ? [] : [{ ...readPosition, ...crsmColumns(reading, pendingChange) }];
  });
  const troveRows = ids.flatMap((id, index) => {
    const reading = troveReadings[index];
    return reading ? [{ ...readPosition, id: `${chain.contracts.troveManager}-${id}`, ...troveColumns(reading) }] : [];
  });
  return db.transaction(async (tx) => {
    const [cursor] = await tx
      .select()
      .from(chainCursors)
      .where(eq(chainCursors.name, cursorName(indexerContext.chain)))
      .for('update');
    // If another server has advanced, figures of this block are still correct.
    if (!cursor || cursor.block < head.number) return false;
    if (cursor.block === head.number && cursor.blockHash !== head.hash) return false;
    // Never overwrites newer figures, except those beyond the cursor, which belong to a replaced chain.
    const isOlderThanRead = (table: 'crsms' | 'troves') =>
      sql.raw(`(${table}.block is null or ${table}.block <= given.block or ${table}.block > ${cursor.block})`);
    await tx.execute(sql`
      update crsms set (${columnList(crsmFigures)}) = (${columnList(crsmFigures, 'given')}),
        is_troves_owner = trove_manager <> ${chain.contracts.troveManager}
          or exists (select 1 from troves t where t.id = trove_manager || '-' || crsms.trove_id and t.owner = crsms.owner)
      from json_to_recordset(${JSON.stringify(crsmRows)}::json) as given (address text, ${columnTypes(crsmFigures)})
      where crsms.address = given.address and ${isOlderThanRead('crsms')}`);
    await tx.execute(sql`
      update troves set (${columnList(troveFigures)}) = (${columnList(troveFigures, 'given')})
      from json_to_recordset(${JSON.stringify(troveRows)}::json) as given (id text, ${columnTypes(troveFigures)})
      where troves.id = given.id and ${isOlderThanRead('troves')}`);
    await recordRead(tx, chain, head, cursor.block);
    return true;
  });
}

const troveFigures = {
  collateral: 'numeric',
  debt: 'numeric',
  interest: 'numeric',
  total_debt: 'numeric',
  icr: 'numeric',
  liquidation_price: 'numeric',
  mcr: 'numeric',
  price: 'numeric',
  block: 'bigint',
  read_at: 'timestamptz',
};
const crsmFigures = {
  ...troveFigures,
  trgcr: 'numeric',
  tarcr: 'numeric',
  max_tarcr: 'numeric',
  debt_gas_compensation: 'numeric',
  pending_debt_gas_compensation: 'numeric',
  deadline: 'timestamptz',
  deposits: 'numeric',
  yield_gains: 'numeric',
  debt_token_balance: 'numeric',
  collateral_gains: 'text',
  distance: 'numeric',
};
const columnList = (figureColumns: object, prefix?: string) =>
  sql.raw(
    Object.keys(figureColumns)
      .map((name) => (prefix ? `${prefix}.${name}` : name))
      .join(', '),
  );
const columnTypes = (figures: Record<string, string>) =>
  sql.raw(
    Object.entries(figures)
      .map(([name, type]) => `${name} ${type}`)
      .join(', '),
  );

function troveColumns({ collateral, debt, interest, icr, price, MCR }: TroveReading) {
  return {
    collateral: collateral.toString(),
    debt: debt.toString(),
    interest: interest.toString(),
    total_debt: (debt + interest).toString(),
    icr: icr.toString(),
    liquidation_price: priceAt(MCR, collateral, debt + interest).toString(),
    mcr: MCR.toString(),
    price: price.toString(),
  };
}

function crsmColumns(reading: CrsmReading, pending: { value: bigint; deadline: bigint } | undefined) {
  const isPending = pending !== undefined && pending.deadline > 0n;
  const triggerDistance = distanceToTrigger(reading.icr, reading.TRGCR) ?? noDebtRatio;
  return {
    address: reading.crsm,
    ...troveColumns(reading),
    trgcr: reading.TRGCR.toString(),
    tarcr: reading.TARCR.toString(),
    max_tarcr: reading.MAX_TARCR.toString(),
    debt_gas_compensation: reading.debtGasCompensation.toString(),
    pending_debt_gas_compensation: isPending ? pending.value.toString() : '0',
    deadline: isPending ? toDate(pending.deadline).toISOString() : null,
    deposits: reading.deposits.toString(),
    yield_gains: reading.yieldGains.toString(),
    debt_token_balance: reading.debtTokenBalance.toString(),
    collateral_gains: JSON.stringify(
      reading.collateralGains.map((collateralGain) => ({ ...collateralGain, amount: collateralGain.amount.toString() })),
    ),
    distance: (triggerDistance < noDebtRatio ? triggerDistance : noDebtRatio).toString(),
  };
}

async function readCommittedCrsms({ database }: Services): Promise<Address[]> {
  const lastCommits = database.db
    .selectDistinctOn([crsmEvents.crsm], { crsm: crsmEvents.crsm, name: crsmEvents.name })
    .from(crsmEvents)
    .where(
      and(isNotNull(crsmEvents.crsm), inArray(crsmEvents.name, ['DebtGasCompensationCommitted', 'DebtGasCompensationAccepted'])),
    )
    .orderBy(crsmEvents.crsm, sql`${crsmEvents.block} desc`, sql`${crsmEvents.logIndex} desc`)
    .as('last');
  const rows = await database.db
    .select({ id: crsms.id })
    .from(lastCommits)
    .innerJoin(crsms, eq(crsms.id, lastCommits.crsm))
    .where(eq(lastCommits.name, 'DebtGasCompensationCommitted'));
  return rows.map(({ id }) => id as Address);
}
