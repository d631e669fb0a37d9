import { noDebtRatio } from '../../api/crsm/values.ts';
import type pg from 'pg';

// Deterministic, realistically skewed rows, made by the database.

const defaultRowCount = 1_000_000;
/** On-chain records, of which a million is not realistic. */
const smallerCounts: Readonly<Record<string, number>> = { crsms: 100_000, troves: 100_000, crsm_events: 100_000 };
const yearInterval = '365 days';
const zeroAddress = `0x${'0'.repeat(40)}`;

/** Pseudo-random below `upperBound`, by row and purpose. */
const randomBelowSql = (salt: string, upperBound: number) =>
  `(((hashint8extended(n, hashtext('${salt}')) % ${upperBound}) + ${upperBound}) % ${upperBound})`;
/** The first for half of the rows, the second for a quarter, and so on. */
const oneOfSql = (salt: string, values: readonly string[]) =>
  `(array[${values.map((value) => (value === 'null' ? 'null' : `'${value}'`)).join(',')}])[1 + least(${values.length - 1}, floor(-log(2, (1 + ${randomBelowSql(salt, 999_999)}) / 1000000.0)))::int]`;
/** UUIDv7, as the server makes them. */
const idSql = (salt = 'id') => `overlay(overlay(md5('${salt}' || n) placing '7' from 13) placing '8' from 17)::uuid`;
const addressSql = (salt: string, personCount = 200_000) =>
  `'0x' || substr(md5('${salt}' || ${randomBelowSql(salt, personCount)}) || md5(${randomBelowSql(salt, personCount)}::text), 1, 40)`;
const timeSql = `now() - interval '${yearInterval}' * (n / total)`;
const flagSql = (salt: string, percent: number) => `${randomBelowSql(salt, 100)} < ${percent}`;
const weiSql = (salt: string, upperBound: number) => `${randomBelowSql(salt, upperBound)}::numeric * 1000000000000000000`;

const columnsByTable: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  news: {
    id: idSql(),
    title: `'Item ' || n || ' about ' || ${oneOfSql('about', ['YBTC', 'custody', 'the stability pool', 'an audit', 'maintenance'])}`,
    description: `'As long as a summary is'`,
    image: `'https://example.com/a.png'`,
    time: timeSql,
    link: `'https://example.com/'`,
    shown: flagSql('shown', 90),
    created_at: timeSql,
    updated_at: timeSql,
  },
  notices: {
    id: idSql(),
    content: `'Notice ' || n`,
    link: `'https://example.com/'`,
    platform: oneOfSql('platform', ['all', 'desktop', 'mobile']),
    shown: flagSql('shown', 70),
    starts_at: `case when ${flagSql('starts', 60)} then ${timeSql} + interval '1 day' * ${randomBelowSql('start', 30)} end`,
    ends_at: `case when ${flagSql('ends', 50)} then ${timeSql} + interval '1 day' * (31 + ${randomBelowSql('end', 30)}) end`,
    creator_email: oneOfSql('by', ['editor@demo.local', 'admin@demo.local']),
    created_at: timeSql,
    updated_at: timeSql,
  },
  feedback: {
    id: idSql(),
    email: `'visitor' || ${randomBelowSql('visitor', 300_000)} || '@' || ${oneOfSql('host', ['example.com', 'example.org', 'example.net'])}`,
    content: `'Opinion ' || n || ' on ' || ${oneOfSql('on', ['wallets', 'withdrawals', 'the website', 'languages'])}`,
    processed: flagSql('processed', 97),
    processed_at: `case when ${flagSql('processed', 97)} then ${timeSql} end`,
    created_at: timeSql,
    updated_at: timeSql,
  },
  points: {
    id: idSql(),
    address: addressSql('person'),
    berries: `case when ${flagSql('minus', 3)} then -1 else 1 end * (1 + ${randomBelowSql('berries', 5_000)})`,
    reason: oneOfSql('reason', ['Mint reward', 'Daily check-in', 'Referral', 'Deducted after review']),
    source: `case when ${flagSql('import', 80)} then 'import' else 'adjustment' end`,
    administrator_email: `'admin@demo.local'`,
    created_at: timeSql,
  },
  point_balances: {
    address: `'0x' || substr(md5('balance' || n) || md5(n::text), 1, 40)`,
    berries: randomBelowSql('balance', 900_000),
    entries: `1 + ${randomBelowSql('entries', 40)}`,
    updated_at: timeSql,
  },
  airdrops: {
    id: idSql(),
    address: addressSql('person'),
    berries: randomBelowSql('berries', 5_000),
    nft_number: `1 + ${randomBelowSql('number', 3)}`,
    nft_level: `1 + ${randomBelowSql('level', 5)}`,
    stage: oneOfSql('stage', ['Stage 1', 'Stage 2', 'Stage 3', 'Stage 4']),
    created_at: timeSql,
    updated_at: timeSql,
  },
  visits: {
    id: idSql(),
    at: timeSql,
    page: oneOfSql('page', ['/', '/vault', '/earn', '/stability-pool', '/bridge', '/points', '/faq', '/terms']),
    country: oneOfSql('country', ['US', 'SG', 'DE', 'JP', 'KR', 'GB', 'HK', 'null', 'FR', 'VN', 'IN', 'BR']),
    chain_id: `(${oneOfSql('chain', ['200901', '1', '4200', '31337'])})::int`,
    address: `case when ${flagSql('known', 20)} then ${addressSql('person')} end`,
    vault_id: `case when ${flagSql('vault', 5)} then ${randomBelowSql('vault', 3_000)}::text end`,
  },
  wallet_connections: {
    id: idSql(),
    address: `'0x' || substr(md5('connection' || n) || md5(n::text), 1, 40)`,
    wallet: oneOfSql('wallet', ['OKX', 'MetaMask', 'UniSat', 'Xverse', 'Rabby']),
    chain_id: `(${oneOfSql('chain', ['200901', '1', '4200', '0'])})::int`,
    country: oneOfSql('country', ['US', 'SG', 'DE', 'JP', 'null', 'GB', 'FR', 'VN']),
    first_at: timeSql,
    last_at: `least(now(), ${timeSql} + interval '1 hour' * ${randomBelowSql('later', 2_000)})`,
    times: `1 + ${randomBelowSql('times', 40)}`,
  },
  teams: {
    id: idSql(),
    captain: `'0x' || substr(md5('captain' || n) || md5(n::text), 1, 40)`,
    yu_minted: weiSql('minted', 900_000),
    size: `1 + ${randomBelowSql('size', 40)}`,
    current: flagSql('current', 40),
    updated_at: timeSql,
  },
  draws: {
    id: idSql(),
    time: timeSql,
    captain: `'0x' || substr(md5('captain' || n) || md5(n::text), 1, 40)`,
    members: randomBelowSql('members', 39),
    captain_berries: randomBelowSql('own', 3_000),
    total_berries: randomBelowSql('prize', 20_000),
  },
  deposits: {
    id: idSql(),
    user_address: addressSql('institution', 400),
    amount: `1 + ${randomBelowSql('amount', 10_000)} * 100000`,
    cobo_address: `'bc1q' || ${randomBelowSql('cobo', 3)}`,
    network: `'mainnet'`,
    txid: `md5('tx' || n) || md5(n::text)`,
    vout: '0',
    modified_email: `'admin@demo.local'`,
    status: `case when ${flagSql('confirmed', 98)} then 'confirmed' else 'created' end`,
    mint_status: `case when not ${flagSql('confirmed', 98)} then 'none' when ${flagSql('failed', 1)} then 'failed' else 'done' end`,
    created_at: timeSql,
    updated_at: timeSql,
  },
  withdrawals: {
    id: idSql(),
    deposit_id: idSql('deposit'),
    address: addressSql('institution', 400),
    amount: `1 + ${randomBelowSql('amount', 10_000)} * 100000`,
    receiver: `'bc1q' || ${randomBelowSql('receiver', 5_000)}`,
    txid: `md5('tx' || n) || md5(n::text)`,
    status: oneOfSql('status', ['done', 'done', 'canceled', 'doing', 'todo', 'withdrawable']),
    nonce: 'n',
    request_hash: `'0x' || md5('request' || n) || md5(n::text)`,
    confirm_hash: `'0x' || md5('confirm' || n) || md5(n::text)`,
    cools_until: `${timeSql} + interval '3 days'`,
    created_at: timeSql,
    updated_at: timeSql,
  },
  crsms: {
    address: `'0x' || substr(md5('crsm' || n) || md5(n::text), 1, 40)`,
    token_id: 'n',
    trove_manager: `'0x${'a'.repeat(40)}'`,
    trove_id: 'n',
    owner: addressSql('institution', 400),
    created_at: timeSql,
    collateral: weiSql('collateral', 500),
    total_debt: weiSql('debt', 900_000),
    icr: `case when ${randomBelowSql('debtless', 20)} = 0 then ${noDebtRatio}::numeric else ${randomBelowSql('icr', 40_000)}::numeric * 100000000000000 end`,
    trgcr: `${randomBelowSql('trgcr', 20_000)}::numeric * 100000000000000`,
    mcr: '1100000000000000000',
    distance: `(${randomBelowSql('icr', 40_000)} - ${randomBelowSql('trgcr', 20_000)})::numeric * 100000000000000`,
    block: '1',
    read_at: timeSql,
  },
  troves: {
    id: `'0x${'a'.repeat(40)}-' || n`,
    trove_manager: `'0x${'a'.repeat(40)}'`,
    trove_id: 'n',
    owner: addressSql('institution', 400),
    opened_at: timeSql,
    collateral: weiSql('collateral', 500),
    total_debt: weiSql('debt', 900_000),
    icr: `${randomBelowSql('icr', 40_000)}::numeric * 100000000000000`,
    block: '1',
    read_at: timeSql,
  },
  // Closed positions have an opening and a burn.
  crsm_events: {
    id: `'0x' || md5('event' || n) || '-0'`,
    trove: `'0x${'a'.repeat(40)}-' || (2000000 + (n + 1) / 2)`,
    name: `'Transfer'`,
    args: `case when n % 2 = 1 then json_build_object('from', '${zeroAddress}', 'to', ${addressSql('closer', 400)})
      else json_build_object('from', ${addressSql('closer', 400)}, 'to', '${zeroAddress}') end::text`,
    hash: `'0x' || md5('transaction' || n) || md5(n::text)`,
    log_index: '0',
    block: 'n',
    block_hash: `'0x' || md5('block' || n) || md5(n::text)`,
    at: timeSql,
  },
  audit: {
    seq: '1000000 + n',
    id: idSql(),
    at: timeSql,
    actor_email: oneOfSql('actor', ['', 'admin@demo.local', 'editor@demo.local', 'operator@demo.local', 'access@demo.local']),
    command: oneOfSql('command', ['null', 'news.edit', 'news.show', 'deposits.confirm', 'session.signIn']),
    route: oneOfSql('route', ['mint.final', 'news.edit', 'visits.list', 'deposits.confirm']),
    action: `'edit'`,
    entity: oneOfSql('entity', ['mint', 'news', 'deposit', 'session', 'role']),
    entity_id: `(${randomBelowSql('record', 100_000)})::text`,
    result: `case when ${flagSql('refused', 2)} then 'refused' else 'done' end`,
    request_id: `''`,
    ip: `'127.0.0.1'`,
    payload: `''`,
    prev_hash: `''`,
    hash: `''`,
  },
};

export const rowCountOf = (table: string): number => smallerCounts[table] ?? defaultRowCount;

/** Ignores references and permissions. Updates planner statistics. */
export async function fillTable(client: pg.Client, table: string): Promise<void> {
  const tableColumns = columnsByTable[table];
  if (!tableColumns) throw new Error(`${table} has no rows to be made of`);
  await client.query(`set session_replication_role = replica`);
  if (table === 'audit')
    await client.query(
      `select audit_make_month((date_trunc('month', now()) - interval '1 month' * m)::date) from generate_series(0, 12) m`,
    );
  const rows = rowCountOf(table);
  const indexes = await dropIndexes(client, table);
  await client.query(
    `insert into ${table} (${Object.keys(tableColumns).join(', ')}) select ${Object.values(tableColumns).join(', ')} from generate_series(1, ${rows}::bigint) n, (select ${rows}.0 as total) size on conflict do nothing`,
  );
  for (const index of indexes) await client.query(index);
  await client.query(`vacuum analyze ${table}`);
}

/** Drops indexes of unpartitioned tables and returns their definitions, because building them afterwards is faster. */
async function dropIndexes(client: pg.Client, table: string): Promise<string[]> {
  await client.query(`set maintenance_work_mem = '256MB'`);
  const { rows } = await client.query<{ name: string; made: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as made from pg_index i join pg_class t on t.oid = i.indrelid
      where t.oid = $1::regclass and t.relkind = 'r' and not i.indisunique`,
    [table],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ made: definition }) => definition);
}
