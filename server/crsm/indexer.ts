import { timeOf } from '../platform/evm/clock.ts';
import { and, eq, inArray, isNotNull, like, ne, sql, type SQL } from 'drizzle-orm';
import type { Address, Hex } from 'viem';
import { distanceToTrigger, noDebtRatio, priceAt } from '../../api/crsm/values.ts';
import type { BlockHead } from '../platform/evm/bridge.ts';
import { memoizePerServer, type Services } from '../platform/services/context.ts';
import type { ChainLog, CrsmChain, CrsmReading, TroveReading } from './chain.ts';
import { readCursorName, attemptCursorName } from './shared/staleness.ts';
import type { Tx } from '../platform/db/db.ts';
import { crsmEvents, crsms, troves } from './tables.ts';
import { chainCursors } from '../platform/evm/tables.ts';

// Index of CRSMs and troves: events, owners derived from them, and figures at the head. Derived only from the chain. Each batch
// of blocks is committed with the cursor if the cursor is unchanged, so concurrent servers write once and a crash loses one
// batch.

export interface CrsmWork {
  services: Services;
  chain: CrsmChain;
  start?: bigint;
  /** Blocks read again on each pass, for late logs. Reorganizations of any depth are detected separately. */
  depth?: bigint;
  batch?: bigint;
}

const usualDepth = 16n;
const usualBatch = 5_000n;
const maxClones = 100_000;
/** Passes that wait for a node behind the index, before the chain counts as shorter. */
const maxWaits = 15;
const waitsOf = memoizePerServer((): { at: Hex | null; looks: number } => ({ at: null, looks: 0 }));

/** Returns the head. Null: the chain changed, or the node lags. After an error all figures count as outdated. */
export async function indexCrsms(work: CrsmWork, known: { figuresAt?: Hex | undefined } = {}): Promise<BlockHead | null> {
  const head = await work.chain.head();
  try {
    return await indexUpTo(work, head, known);
  } catch (error) {
    await recordAttempt(work, head).catch(() => {}); // where the database is away, the look fails for that
    throw error;
  }
}

async function indexUpTo(work: CrsmWork, head: BlockHead, known: { figuresAt?: Hex | undefined }): Promise<BlockHead | null> {
  const { batch = usualBatch } = work;
  let cursor = await readCursor(work);
  if (cursor?.hash === head.hash && known.figuresAt === head.hash) return head;
  const start = await startOf(work, head, cursor);
  if (start === null) return null;
  let isChanged = false;
  for (let from = start; from <= head.number; from += batch) {
    const to = from + batch - 1n < head.number ? from + batch - 1n : head.number;
    const read = await readBatch(work, from, to);
    if (!read) return null;
    const storedUntil = await storeBatch(work, cursor, from, read, head);
    if (!storedUntil) return null;
    isChanged ||= storedUntil.isChanged;
    cursor = read.top;
  }
  if (known.figuresAt === head.hash && !isChanged) return head;
  return (await readFigures(work, head)) ? head : null;
}

// ── How far it has read ────────────────────────────────────────────────────

type Cursor = Pick<BlockHead, 'number' | 'hash'>;

export const cursorName = ({ chainId, contracts }: CrsmChain) =>
  `crsm:${chainId}:${contracts.crsmFactory}:${contracts.troveManager}:${contracts.stabilityPool}`;

async function readCursor(work: CrsmWork): Promise<Cursor | null> {
  const { db } = work.services.database;
  const [row] = await db
    .select()
    .from(chainCursors)
    .where(eq(chainCursors.name, cursorName(work.chain)));
  return row ? { number: row.block, hash: row.blockHash as Hex } : null;
}

/** The first block to read: before the cursor, or the last one that both chains share. Null: the node lags. */
async function startOf({ services, chain, start = 0n, depth = usualDepth }: CrsmWork, head: BlockHead, cursor: Cursor | null) {
  const waits = waitsOf(services);
  const { looks } = waits.at === head.hash ? waits : { looks: 0 };
  Object.assign(waits, { at: null, looks: 0 });
  if (!cursor) return start;
  const back = (block: bigint) => (block >= depth + start ? block - depth + 1n : start);
  const there = (await chain.blocks([cursor.number])).get(cursor.number);
  const isShort = head.number < cursor.number;
  if (there?.hash === cursor.hash) return isShort ? null : back(cursor.number);
  // After a reorganization, finds the newest block whose hash is unchanged.
  const { rows } = await services.database.db.execute<{ block: string; block_hash: string }>(
    sql`select distinct block::text, block_hash, block as place from crsm_events where block <= ${head.number} order by place desc limit 5000`,
  );
  // A lagging node lacks the cursor's block and shows no replacement for it.
  if (isShort && !there && looks < maxWaits) {
    const [newest] = rows;
    const found = newest && (await chain.blocks([BigInt(newest.block)])).get(BigInt(newest.block));
    if (!found || found.hash === newest.block_hash) {
      Object.assign(waits, { at: head.hash, looks: looks + 1 });
      return null;
    }
  }
  for (let index = 0; index < rows.length; index += 50) {
    const some = rows.slice(index, index + 50);
    const found = await chain.blocks(some.map(({ block }) => BigInt(block)));
    const same = some.find(({ block, block_hash }) => found.get(BigInt(block))?.hash === block_hash);
    if (same) return BigInt(same.block);
  }
  return start;
}

// ── Events ─────────────────────────────────────────────────────────────────

interface Batch {
  events: (typeof crsmEvents.$inferInsert)[];
  top: Cursor;
}

/** Null: the chain changed between calls. */
async function readBatch({ services, chain }: CrsmWork, from: bigint, to: bigint): Promise<Batch | null> {
  const top = (await chain.blocks([to])).get(to);
  if (!top) return null;
  const clones = await clonesBefore(services, from);
  const protocol = await chain.protocolEvents(from, to);
  for (const { name, args } of protocol)
    if (name === 'NewCRSMDeployment') clones.set(args['tokenId'] ?? '', args['crsm'] as Address);
  const logs = [...protocol, ...(await chain.cloneEvents(from, to, [...clones.values()]))];
  const blocks = await chain.blocks([...logs.map(({ block }) => block), to]);
  if (blocks.get(to)?.hash !== top.hash) return null;
  const whose = subjectOf(chain, clones);
  const events = logs.flatMap((log) => {
    const block = blocks.get(log.block);
    const subject = whose(log);
    if (!subject || block?.hash !== log.blockHash) return []; // not followed, or in a block that was replaced
    const { name, hash, logIndex, blockHash } = log;
    const args = JSON.stringify(log.args);
    const at = timeOf(block.time);
    return [{ id: `${hash}-${logIndex}`, ...subject, name, args, hash, logIndex, block: log.block, blockHash, at }];
  });
  return { events, top };
}

async function clonesBefore({ database }: Services, block: bigint): Promise<Map<string, Address>> {
  const { rows } = await database.db.execute<{ crsm: string; token: string }>(
    sql`select crsm, args::json ->> 'tokenId' as token from crsm_events
      where name = 'NewCRSMDeployment' and block < ${block} order by block, log_index limit ${maxClones}`,
  );
  return new Map(rows.map(({ crsm, token }) => [token, crsm as Address]));
}

/** Null: not followed. */
function subjectOf({ contracts }: CrsmChain, clones: ReadonlyMap<string, Address>) {
  const all = new Set<string>(clones.values());
  const ours = (address: string | undefined) => (address && all.has(address) ? { crsm: address, trove: null } : null);
  return ({ contract, name, args }: ChainLog): { crsm: string | null; trove: string | null } | null => {
    if (contract === contracts.troveManager) return { crsm: null, trove: `${contract}-${args['tokenId']}` };
    if (contract === contracts.stabilityPool) return ours(args['account'] ?? args['depositor']);
    if (contract !== contracts.crsmFactory) return ours(contract);
    return ours(name === 'Transfer' ? clones.get(args['tokenId'] ?? '') : args['crsm']);
  };
}

// ── Keeping them ───────────────────────────────────────────────────────────

/** Null: another server has moved the cursor. */
async function storeBatch(
  work: CrsmWork,
  cursor: Cursor | null,
  from: bigint,
  { events, top }: Batch,
  head: BlockHead,
): Promise<{ isChanged: boolean } | null> {
  const { db } = work.services.database;
  const name = cursorName(work.chain);
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
    const changed = [...removedEvents.rows, ...insertedSubjects].filter(
      ({ name: event }) => event === 'Transfer' || event === 'NewCRSMDeployment',
    );
    await deriveCrsms(tx, [...new Set(changed.flatMap(({ crsm }) => crsm ?? []))]);
    await deriveTroves(tx, [...new Set(changed.flatMap(({ trove }) => trove ?? []))]);
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
async function moveCursor(tx: Tx, name: string, from: Cursor | null, to: Cursor): Promise<boolean> {
  const values = { block: to.number, blockHash: to.hash };
  const moved = from
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
  return moved.length > 0;
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
  const { rows: changed } = await tx.execute<Subject>(sql`
    insert into crsm_events (id, crsm, trove, name, args, hash, log_index, block, block_hash, at)
    select id, crsm, trove, name, args, hash, log_index, block, block_hash, at from json_to_recordset(${rows}::json)
      as given (id text, crsm text, trove text, name text, args text, hash text, log_index int, block bigint, block_hash text, at timestamptz)
    on conflict (id) do update set crsm = excluded.crsm, trove = excluded.trove, name = excluded.name, args = excluded.args,
      block = excluded.block, block_hash = excluded.block_hash, at = excluded.at
    where (crsm_events.crsm, crsm_events.trove, crsm_events.args, crsm_events.block_hash)
      is distinct from (excluded.crsm, excluded.trove, excluded.args, excluded.block_hash)
    returning name, crsm, trove`);
  return changed;
}

/** The owner is the last receiver of the token, or none after it is burned. */
async function deriveCrsms(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const idList = sql`any(${sql.param(ids)}::text[])`;
  await tx.execute(sql`
    with made as (select distinct on (crsm) crsm, args::json as args, at from crsm_events
        where crsm = ${idList} and name = 'NewCRSMDeployment' order by crsm, block desc, log_index desc),
      held as (${lastHolder(sql`crsm`, idList)}),
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

async function deriveTroves(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const idList = sql`any(${sql.param(ids)}::text[])`;
  await tx.execute(sql`
    with opened as (select distinct on (trove) trove, at from crsm_events
        where trove = ${idList} and args::json ->> 'from' = ${zeroAddress} order by trove, block desc, log_index desc),
      held as (${lastHolder(sql`trove`, idList)}),
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
const lastHolder = (subject: SQL, idList: SQL) =>
  sql`select distinct on (${subject}) ${subject} as id, args::json ->> 'to' as holder from crsm_events
    where ${subject} = ${idList} and name = 'Transfer' order by ${subject}, block desc, log_index desc`;

// ── Figures ────────────────────────────────────────────────────────────────

/** Marks all figures as older than a head at which they could not be read. */
async function recordAttempt({ services, chain }: CrsmWork, { number: block, hash: blockHash }: BlockHead): Promise<void> {
  await services.database.db
    .insert(chainCursors)
    .values({ name: attemptCursorName(chain), block, blockHash })
    .onConflictDoUpdate({
      target: chainCursors.name,
      set: { block, blockHash },
      setWhere: sql`${chainCursors.block} < ${block}`,
    });
}

/** Rows that could not be read keep older figures. `top`: events are known up to here. */
async function recordRead(tx: Tx, chain: CrsmChain, { number: block, hash: blockHash }: BlockHead, top: bigint): Promise<void> {
  for (const name of [readCursorName(chain), attemptCursorName(chain)])
    await tx
      .insert(chainCursors)
      .values({ name, block, blockHash })
      .onConflictDoUpdate({
        target: chainCursors.name,
        set: { block, blockHash },
        setWhere: sql`${chainCursors.block} <= ${block} or ${chainCursors.block} > ${top}`,
      });
}

/**
 * Reads all positions at the head, one write per table. A failing contract keeps old figures. False: the chain changed. Throws
 * PriceUnavailableError.
 */
async function readFigures(work: CrsmWork, head: BlockHead): Promise<boolean> {
  const { services, chain } = work;
  const { db } = services.database;
  const known = await db.select({ id: troves.troveId }).from(troves).where(eq(troves.troveManager, chain.contracts.troveManager));
  const ids = known.map(({ id }) => id);
  const committed = await committedOf(services);
  const market = await chain.market(head.number);
  const readings = await chain.crsms(head.number);
  const troveReadings = await chain.troves(ids, head.number, market);
  const pending = await chain.pending(committed, head.number);
  if ((await chain.blocks([head.number])).get(head.number)?.hash !== head.hash) return false;

  const readAt = new Date(services.now()).toISOString();
  const at = { block: head.number.toString(), read_at: readAt };
  const waiting = new Map(committed.map((crsm, index) => [crsm, pending[index] ?? null]));
  const crsmRows = readings.flatMap((reading) => {
    const own = waiting.get(reading.crsm);
    return own === null ? [] : [{ ...at, ...crsmColumns(reading, own) }];
  });
  const troveRows = ids.flatMap((id, index) => {
    const reading = troveReadings[index];
    return reading ? [{ ...at, id: `${chain.contracts.troveManager}-${id}`, ...troveColumns(reading) }] : [];
  });
  return db.transaction(async (tx) => {
    const [cursor] = await tx
      .select()
      .from(chainCursors)
      .where(eq(chainCursors.name, cursorName(work.chain)))
      .for('update');
    // If another server has advanced, figures of this block are still correct.
    if (!cursor || cursor.block < head.number) return false;
    if (cursor.block === head.number && cursor.blockHash !== head.hash) return false;
    // Never overwrites newer figures, except those beyond the cursor, which belong to a replaced chain.
    const isOlder = (table: 'crsms' | 'troves') =>
      sql.raw(`(${table}.block is null or ${table}.block <= given.block or ${table}.block > ${cursor.block})`);
    await tx.execute(sql`
      update crsms set (${columns(crsmFigures)}) = (${columns(crsmFigures, 'given')}),
        is_troves_owner = trove_manager <> ${chain.contracts.troveManager}
          or exists (select 1 from troves t where t.id = trove_manager || '-' || crsms.trove_id and t.owner = crsms.owner)
      from json_to_recordset(${JSON.stringify(crsmRows)}::json) as given (address text, ${types(crsmFigures)})
      where crsms.address = given.address and ${isOlder('crsms')}`);
    await tx.execute(sql`
      update troves set (${columns(troveFigures)}) = (${columns(troveFigures, 'given')})
      from json_to_recordset(${JSON.stringify(troveRows)}::json) as given (id text, ${types(troveFigures)})
      where troves.id = given.id and ${isOlder('troves')}`);
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
const columns = (figures: object, of?: string) =>
  sql.raw(
    Object.keys(figures)
      .map((name) => (of ? `${of}.${name}` : name))
      .join(', '),
  );
const types = (figures: Record<string, string>) =>
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
  const distance = distanceToTrigger(reading.icr, reading.TRGCR) ?? noDebtRatio;
  return {
    address: reading.crsm,
    ...troveColumns(reading),
    trgcr: reading.TRGCR.toString(),
    tarcr: reading.TARCR.toString(),
    max_tarcr: reading.MAX_TARCR.toString(),
    debt_gas_compensation: reading.debtGasCompensation.toString(),
    pending_debt_gas_compensation: isPending ? pending.value.toString() : '0',
    deadline: isPending ? timeOf(pending.deadline).toISOString() : null,
    deposits: reading.deposits.toString(),
    yield_gains: reading.yieldGains.toString(),
    debt_token_balance: reading.debtTokenBalance.toString(),
    collateral_gains: JSON.stringify(reading.collateralGains.map((gain) => ({ ...gain, amount: gain.amount.toString() }))),
    distance: (distance < noDebtRatio ? distance : noDebtRatio).toString(),
  };
}

async function committedOf({ database }: Services): Promise<Address[]> {
  const last = database.db
    .selectDistinctOn([crsmEvents.crsm], { crsm: crsmEvents.crsm, name: crsmEvents.name })
    .from(crsmEvents)
    .where(
      and(isNotNull(crsmEvents.crsm), inArray(crsmEvents.name, ['DebtGasCompensationCommitted', 'DebtGasCompensationAccepted'])),
    )
    .orderBy(crsmEvents.crsm, sql`${crsmEvents.block} desc`, sql`${crsmEvents.logIndex} desc`)
    .as('last');
  const rows = await database.db
    .select({ id: crsms.id })
    .from(last)
    .innerJoin(crsms, eq(crsms.id, last.crsm))
    .where(eq(last.name, 'DebtGasCompensationCommitted'));
  return rows.map(({ id }) => id as Address);
}
