import { spawnSync } from 'node:child_process';
import type { Hex } from 'viem';
import type { LogLine } from '../../api/authority/statements.ts';
import { depositHash } from '../../chain/deposit-hash.ts';
import type { TestChain } from '../../chain/test-chain.ts';
import { bundleOf } from '../../scripts/setup.mjs';
import { openSignerState } from '../authority/signer-state.ts';
import type { ConfirmedDeposit } from './depositors.ts';
import { mintedOn } from './minted.ts';
import type { PostgresHost, PostgresPair } from './postgres-pair.ts';
import { waitUntil } from './process.ts';

// Compares acknowledged requests with the ledger, chain, audit, authority log and signer's record.

export interface BooksInput {
  readonly pair: PostgresPair;
  readonly chain: TestChain;
  readonly confirmed: readonly ConfirmedDeposit[];
  readonly record: string;
  readonly genesis: string;
  readonly dataDir: string;
  /** One berry each. */
  readonly points: readonly string[];
}

export async function openMintStates(host: PostgresHost, { client }: TestChain): Promise<string[]> {
  const rows = await host.query<{ state: string; hashes: Hex[] }>(
    `select m.state, array_remove(array_agg(t.hash), null) as hashes from mints m left join mint_transactions t on t.mint_id = m.id
     where m.state in ('queued', 'signed', 'sent', 'mined') group by m.id`,
  );
  const found = await Promise.all(
    rows.map(async ({ state, hashes }) => {
      if (state !== 'signed') return state === 'queued' ? state : 'followed';
      const known = await Promise.all(hashes.map((hash) => client.getTransaction({ hash }).catch(() => null)));
      return known.some((one) => one !== null) ? 'broadcast, not recorded' : 'stored, not broadcast';
    }),
  );
  return [...new Set(found)];
}

interface Row {
  id: string;
  status: string;
  shown: string;
  hash: string | null;
  state: string | null;
  problem: string | null;
  confirms: string;
  finals: string;
}

/** Must be empty. */
export async function checkBooks(books: BooksInput): Promise<{ wrong: string[]; minted: number; satoshi: bigint }> {
  const { pair, chain, confirmed, record, genesis } = books;
  const { primary } = pair;
  await waitUntil(async () => (await primary.query('select 1 from audit_inbox limit 1')).length === 0);
  const wrong: string[] = [];
  const claim = (holds: boolean, what: string) => void (holds || wrong.push(what));
  const rows = await primary.query<Row>(
    `select d.id, d.status, d.mint_status as shown, m.deposit_hash as hash, m.state, m.problem,
       (select count(*) from audit a where a.entity = 'deposit' and a.entity_id = d.id::text and a.permission = 'deposits.confirm' and a.result = 'done') as confirms,
       (select count(*) from audit a where a.entity = 'mint' and a.entity_id = d.id::text and a.action = 'final') as finals
     from deposits d left join mints m on m.deposit_id = d.id`,
  );
  const onChain = await mintedOn(chain);
  const told = new Map(confirmed.map((one) => [one.id, one]));
  const { signed } = openSignerState(record, genesis, { begin: false });
  const lines = await primary.query<{ line: string }>('select line from authority_lines order by number');
  const approved = lines.flatMap(({ line }) => {
    const reported = JSON.parse(line) as LogLine;
    return reported.kind === 'statement' && reported.statement.kind === 'mint.approve'
      ? [`${reported.statement.content.txid} ${reported.statement.content.satoshi}`]
      : [];
  });
  let [minted, satoshi] = [0, 0n];
  for (const one of confirmed)
    claim(
      rows.some(({ id, status }) => id === one.id && status === 'confirmed'),
      `lost: ${one.id}`,
    );
  for (const { id, status, shown, hash, state, problem, confirms, finals } of rows) {
    const one = told.get(id);
    const as = `${id} (${state}, ${problem}, shown ${shown})`;
    if (!one) {
      claim(status === 'created' && state === null, `confirmed without anybody's word: ${as}`);
      continue;
    }
    claim(hash === depositHash('mainnet', one.txid, 0), `of another output: ${as}`);
    claim(confirms === '1', `${confirms} confirmations in the audit: ${as}`);
    claim(approved.filter((text) => text === `${one.txid} ${one.amount}`).length === 1, `not once in the log: ${as}`);
    const mints = onChain.filter((mint) => mint.hash === hash);
    if (state === 'final') {
      minted++;
      satoshi += BigInt(one.amount);
      claim(!one.canceled, `minted though it was canceled: ${as}`);
      claim(shown === 'done' && finals === '1', `${finals} ends in the audit: ${as}`);
      claim(mints.length === 1 && mints[0]?.to === one.receiver && mints[0].satoshi === BigInt(one.amount), `chain: ${as}`);
      claim(signed.filter((mint) => mint.depositHash === hash).length === 1, `not once in the signer's record: ${as}`);
    } else {
      claim(mints.length === 0, `minted, and the ledger does not know: ${as}`);
      claim(finals === '0', `minted by the audit alone: ${as}`);
      if (one.canceled) claim(state === 'canceled' && shown === 'canceled', `not canceled: ${as}`);
      else claim(one.spent && state === 'failed' && problem === 'EVIDENCE' && shown === 'failed', `not minted: ${as}`);
    }
  }
  const ours = new Set(rows.map(({ hash }) => hash));
  const strange = onChain.filter(({ hash, to }) => !ours.has(hash) && confirmed.some(({ receiver }) => receiver === to));
  claim(strange.length === 0, `minted for no deposit: ${JSON.stringify(strange.map(({ hash }) => hash))}`);
  const nonces = await primary.query('select nonce from mint_transactions group by nonce having count(distinct mint_id) > 1');
  claim(nonces.length === 0, `${nonces.length} nonces of several mints`);
  claim((await primary.query('select 1 from money_freezes')).length === 0, 'money was frozen');
  await checkPoints(books, claim);
  await runVerifiers(books, claim);
  return { wrong, minted, satoshi };
}

type Assert = (holds: boolean, what: string) => void;

async function checkPoints({ pair: { primary }, points }: BooksInput, claim: Assert): Promise<void> {
  const there = await primary.query<{ reason: string }>('select reason from points');
  const reasons = there.map(({ reason }) => reason);
  claim(new Set(reasons).size === reasons.length, 'points were given twice');
  claim(
    points.every((reason) => reasons.includes(reason)) && points.length === reasons.length,
    'points differ from what was told',
  );
  const off = await primary.query(
    `select address from (select address, sum(berries) as sum from points group by address) as ledger
       full join point_balances using (address) where sum is distinct from berries`,
  );
  claim(off.length === 0, 'balances are not the sums of points');
}

async function runVerifiers({ pair, dataDir, genesis }: BooksInput, claim: Assert): Promise<void> {
  const env = { PATH: process.env['PATH'], NODE_ENV: 'test', DATABASE_URL: pair.primary.url, DATA_DIR: dataDir };
  const parts: [name: string, args: string[]][] = [
    ['audit-verify', []],
    ['authority-verify-own', ['--genesis', genesis]],
  ];
  for (const [name, args] of parts) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [bundleOf(name), ...args], { env, encoding: 'utf8' });
    claim(status === 0, `${name} ended with ${status}: ${stdout}${stderr}`.slice(0, 2_000));
  }
}
