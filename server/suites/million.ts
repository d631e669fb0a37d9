import { noDebtRatio } from '../../api/crsm/values.ts';
import type pg from 'pg';

// Deterministic, realistically skewed rows, made by the database.

const count = 1_000_000;
/** On-chain records, of which a million is not realistic. */
const fewer: Readonly<Record<string, number>> = { crsms: 100_000, troves: 100_000, crsm_events: 100_000 };
const year = '365 days';
const zero = `0x${'0'.repeat(40)}`;

/** Pseudo-random below `below`, by row and purpose. */
const dice = (what: string, below: number) => `(((hashint8extended(n, hashtext('${what}')) % ${below}) + ${below}) % ${below})`;
/** The first for half of the rows, the second for a quarter, and so on. */
const oneOf = (what: string, values: readonly string[]) =>
  `(array[${values.map((value) => (value === 'null' ? 'null' : `'${value}'`)).join(',')}])[1 + least(${values.length - 1}, floor(-log(2, (1 + ${dice(what, 999_999)}) / 1000000.0)))::int]`;
/** UUIDv7, as the server makes them. */
const id = (what = 'id') => `overlay(overlay(md5('${what}' || n) placing '7' from 13) placing '8' from 17)::uuid`;
const address = (what: string, people = 200_000) =>
  `'0x' || substr(md5('${what}' || ${dice(what, people)}) || md5(${dice(what, people)}::text), 1, 40)`;
const at = `now() - interval '${year}' * (n / total)`;
const flag = (what: string, percent: number) => `${dice(what, 100)} < ${percent}`;
const wei = (what: string, below: number) => `${dice(what, below)}::numeric * 1000000000000000000`;

const columns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  news: {
    id: id(),
    title: `'Item ' || n || ' about ' || ${oneOf('about', ['YBTC', 'custody', 'the stability pool', 'an audit', 'maintenance'])}`,
    description: `'As long as a summary is'`,
    image: `'https://example.com/a.png'`,
    time: at,
    link: `'https://example.com/'`,
    shown: flag('shown', 90),
    created_at: at,
    updated_at: at,
  },
  notices: {
    id: id(),
    content: `'Notice ' || n`,
    link: `'https://example.com/'`,
    platform: oneOf('platform', ['all', 'desktop', 'mobile']),
    shown: flag('shown', 70),
    starts_at: `case when ${flag('starts', 60)} then ${at} + interval '1 day' * ${dice('start', 30)} end`,
    ends_at: `case when ${flag('ends', 50)} then ${at} + interval '1 day' * (31 + ${dice('end', 30)}) end`,
    creator_email: oneOf('by', ['editor@demo.local', 'admin@demo.local']),
    created_at: at,
    updated_at: at,
  },
  feedback: {
    id: id(),
    email: `'visitor' || ${dice('visitor', 300_000)} || '@' || ${oneOf('host', ['example.com', 'example.org', 'example.net'])}`,
    content: `'Opinion ' || n || ' on ' || ${oneOf('on', ['wallets', 'withdrawals', 'the website', 'languages'])}`,
    processed: flag('processed', 97),
    processed_at: `case when ${flag('processed', 97)} then ${at} end`,
    created_at: at,
    updated_at: at,
  },
  points: {
    id: id(),
    address: address('person'),
    berries: `case when ${flag('minus', 3)} then -1 else 1 end * (1 + ${dice('berries', 5_000)})`,
    reason: oneOf('reason', ['Mint reward', 'Daily check-in', 'Referral', 'Deducted after review']),
    source: `case when ${flag('import', 80)} then 'import' else 'adjustment' end`,
    administrator_email: `'admin@demo.local'`,
    created_at: at,
  },
  point_balances: {
    address: `'0x' || substr(md5('balance' || n) || md5(n::text), 1, 40)`,
    berries: dice('balance', 900_000),
    entries: `1 + ${dice('entries', 40)}`,
    updated_at: at,
  },
  airdrops: {
    id: id(),
    address: address('person'),
    berries: dice('berries', 5_000),
    nft_number: `1 + ${dice('number', 3)}`,
    nft_level: `1 + ${dice('level', 5)}`,
    stage: oneOf('stage', ['Stage 1', 'Stage 2', 'Stage 3', 'Stage 4']),
    created_at: at,
    updated_at: at,
  },
  visits: {
    id: id(),
    at,
    page: oneOf('page', ['/', '/vault', '/earn', '/stability-pool', '/bridge', '/points', '/faq', '/terms']),
    country: oneOf('country', ['US', 'SG', 'DE', 'JP', 'KR', 'GB', 'HK', 'null', 'FR', 'VN', 'IN', 'BR']),
    chain_id: `(${oneOf('chain', ['200901', '1', '4200', '31337'])})::int`,
    address: `case when ${flag('known', 20)} then ${address('person')} end`,
    vault_id: `case when ${flag('vault', 5)} then ${dice('vault', 3_000)}::text end`,
  },
  wallet_connections: {
    id: id(),
    address: `'0x' || substr(md5('connection' || n) || md5(n::text), 1, 40)`,
    wallet: oneOf('wallet', ['OKX', 'MetaMask', 'UniSat', 'Xverse', 'Rabby']),
    chain_id: `(${oneOf('chain', ['200901', '1', '4200', '0'])})::int`,
    country: oneOf('country', ['US', 'SG', 'DE', 'JP', 'null', 'GB', 'FR', 'VN']),
    first_at: at,
    last_at: `least(now(), ${at} + interval '1 hour' * ${dice('later', 2_000)})`,
    times: `1 + ${dice('times', 40)}`,
  },
  teams: {
    id: id(),
    captain: `'0x' || substr(md5('captain' || n) || md5(n::text), 1, 40)`,
    yu_minted: wei('minted', 900_000),
    size: `1 + ${dice('size', 40)}`,
    current: flag('current', 40),
    updated_at: at,
  },
  draws: {
    id: id(),
    time: at,
    captain: `'0x' || substr(md5('captain' || n) || md5(n::text), 1, 40)`,
    members: dice('members', 39),
    captain_berries: dice('own', 3_000),
    total_berries: dice('prize', 20_000),
  },
  deposits: {
    id: id(),
    user_address: address('institution', 400),
    amount: `1 + ${dice('amount', 10_000)} * 100000`,
    cobo_address: `'bc1q' || ${dice('cobo', 3)}`,
    network: `'mainnet'`,
    txid: `md5('tx' || n) || md5(n::text)`,
    vout: '0',
    modified_email: `'admin@demo.local'`,
    status: `case when ${flag('confirmed', 98)} then 'confirmed' else 'created' end`,
    mint_status: `case when not ${flag('confirmed', 98)} then 'none' when ${flag('failed', 1)} then 'failed' else 'done' end`,
    created_at: at,
    updated_at: at,
  },
  withdrawals: {
    id: id(),
    deposit_id: id('deposit'),
    address: address('institution', 400),
    amount: `1 + ${dice('amount', 10_000)} * 100000`,
    receiver: `'bc1q' || ${dice('receiver', 5_000)}`,
    txid: `md5('tx' || n) || md5(n::text)`,
    status: oneOf('status', ['done', 'done', 'canceled', 'doing', 'todo', 'withdrawable']),
    nonce: 'n',
    request_hash: `'0x' || md5('request' || n) || md5(n::text)`,
    confirm_hash: `'0x' || md5('confirm' || n) || md5(n::text)`,
    cools_until: `${at} + interval '3 days'`,
    created_at: at,
    updated_at: at,
  },
  crsms: {
    address: `'0x' || substr(md5('crsm' || n) || md5(n::text), 1, 40)`,
    token_id: 'n',
    trove_manager: `'0x${'a'.repeat(40)}'`,
    trove_id: 'n',
    owner: address('institution', 400),
    created_at: at,
    collateral: wei('collateral', 500),
    total_debt: wei('debt', 900_000),
    icr: `case when ${dice('debtless', 20)} = 0 then ${noDebtRatio}::numeric else ${dice('icr', 40_000)}::numeric * 100000000000000 end`,
    trgcr: `${dice('trgcr', 20_000)}::numeric * 100000000000000`,
    mcr: '1100000000000000000',
    distance: `(${dice('icr', 40_000)} - ${dice('trgcr', 20_000)})::numeric * 100000000000000`,
    block: '1',
    read_at: at,
  },
  troves: {
    id: `'0x${'a'.repeat(40)}-' || n`,
    trove_manager: `'0x${'a'.repeat(40)}'`,
    trove_id: 'n',
    owner: address('institution', 400),
    opened_at: at,
    collateral: wei('collateral', 500),
    total_debt: wei('debt', 900_000),
    icr: `${dice('icr', 40_000)}::numeric * 100000000000000`,
    block: '1',
    read_at: at,
  },
  // Closed positions have an opening and a burn.
  crsm_events: {
    id: `'0x' || md5('event' || n) || '-0'`,
    trove: `'0x${'a'.repeat(40)}-' || (2000000 + (n + 1) / 2)`,
    name: `'Transfer'`,
    args: `case when n % 2 = 1 then json_build_object('from', '${zero}', 'to', ${address('closer', 400)})
      else json_build_object('from', ${address('closer', 400)}, 'to', '${zero}') end::text`,
    hash: `'0x' || md5('transaction' || n) || md5(n::text)`,
    log_index: '0',
    block: 'n',
    block_hash: `'0x' || md5('block' || n) || md5(n::text)`,
    at,
  },
  audit: {
    seq: '1000000 + n',
    id: id(),
    at,
    actor_email: oneOf('actor', ['', 'admin@demo.local', 'editor@demo.local', 'operator@demo.local', 'access@demo.local']),
    command: oneOf('command', ['null', 'news.edit', 'news.show', 'deposits.confirm', 'session.signIn']),
    route: oneOf('route', ['mint.final', 'news.edit', 'visits.list', 'deposits.confirm']),
    action: `'edit'`,
    entity: oneOf('entity', ['mint', 'news', 'deposit', 'session', 'role']),
    entity_id: `(${dice('record', 100_000)})::text`,
    result: `case when ${flag('refused', 2)} then 'refused' else 'done' end`,
    request_id: `''`,
    ip: `'127.0.0.1'`,
    payload: `''`,
    prev_hash: `''`,
    hash: `''`,
  },
};

export const rowCountOf = (table: string): number => fewer[table] ?? count;

/** Ignores references and permissions. Updates planner statistics. */
export async function fillTable(client: pg.Client, table: string): Promise<void> {
  const own = columns[table];
  if (!own) throw new Error(`${table} has no rows to be made of`);
  await client.query(`set session_replication_role = replica`);
  if (table === 'audit')
    await client.query(
      `select audit_make_month((date_trunc('month', now()) - interval '1 month' * m)::date) from generate_series(0, 12) m`,
    );
  const rows = rowCountOf(table);
  const indexes = await withoutIndexes(client, table);
  await client.query(
    `insert into ${table} (${Object.keys(own).join(', ')}) select ${Object.values(own).join(', ')} from generate_series(1, ${rows}::bigint) n, (select ${rows}.0 as total) size on conflict do nothing`,
  );
  for (const index of indexes) await client.query(index);
  await client.query(`vacuum analyze ${table}`);
}

/** Drops indexes of unpartitioned tables and returns their definitions, because building them afterwards is faster. */
async function withoutIndexes(client: pg.Client, table: string): Promise<string[]> {
  await client.query(`set maintenance_work_mem = '256MB'`);
  const { rows } = await client.query<{ name: string; made: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as made from pg_index i join pg_class t on t.oid = i.indrelid
      where t.oid = $1::regclass and t.relkind = 'r' and not i.indisunique`,
    [table],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ made }) => made);
}
