import { spawnSync } from 'node:child_process';
import type { Hex } from 'viem';
import type { LogLine } from '../../api/authority/statements.ts';
import { depositHash } from '../../chain/deposit-hash.ts';
import type { TestChain } from '../../chain/test-chain.ts';
import { bundleOf } from '../../scripts/setup.mjs';
import { openSignerState } from '../authority/signer-state.ts';
import type { ConfirmedDeposit } from './depositors.ts';
import { readMintsOnChain } from './minted.ts';
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

export async function readOpenMintStates(host: PostgresHost, { client }: TestChain): Promise<string[]> {
  const rows = await host.query<{ state: string; hashes: Hex[] }>(
    `select m.state, array_remove(array_agg(t.hash), null) as hashes from mints m left join mint_transactions t on t.mint_id = m.id
     where m.state in ('queued', 'signed', 'sent', 'mined') group by m.id`,
  );
  const mintStates = await Promise.all(
    rows.map(async ({ state, hashes }) => {
      if (state !== 'signed') return state === 'queued' ? state : 'followed';
      const knownTransactions = await Promise.all(hashes.map((hash) => client.getTransaction({ hash }).catch(() => null)));
      return knownTransactions.some((item) => item !== null) ? 'broadcast, not recorded' : 'stored, not broadcast';
    }),
  );
  return [...new Set(mintStates)];
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
export async function checkBooks(booksInput: BooksInput): Promise<{ wrong: string[]; minted: number; satoshi: bigint }> {
  const { pair, chain, confirmed: confirmedDeposits, record: signerRecordFile, genesis } = booksInput;
  const { primary } = pair;
  await waitUntil(async () => (await primary.query('select 1 from audit_inbox limit 1')).length === 0);
  const violations: string[] = [];
  const assertHolds = (isTrue: boolean, description: string) => void (isTrue || violations.push(description));
  const rows = await primary.query<Row>(
    `select d.id, d.status, d.mint_status as shown, m.deposit_hash as hash, m.state, m.problem,
       (select count(*) from audit a where a.entity = 'deposit' and a.entity_id = d.id::text and a.permission = 'deposits.confirm' and a.result = 'done') as confirms,
       (select count(*) from audit a where a.entity = 'mint' and a.entity_id = d.id::text and a.action = 'final') as finals
     from deposits d left join mints m on m.deposit_id = d.id`,
  );
  const onChain = await readMintsOnChain(chain);
  const confirmedById = new Map(confirmedDeposits.map((item) => [item.id, item]));
  const { signed: signedMints } = openSignerState(signerRecordFile, genesis, { begin: false });
  const authorityLines = await primary.query<{ line: string }>('select line from authority_lines order by number');
  const approvedMints = authorityLines.flatMap(({ line }) => {
    const logLine = JSON.parse(line) as LogLine;
    return logLine.kind === 'statement' && logLine.statement.kind === 'mint.approve'
      ? [`${logLine.statement.content.txid} ${logLine.statement.content.satoshi}`]
      : [];
  });
  let [mintedCount, mintedSatoshi] = [0, 0n];
  for (const confirmedDeposit of confirmedDeposits)
    assertHolds(
      rows.some(({ id, status }) => id === confirmedDeposit.id && status === 'confirmed'),
      `lost: ${confirmedDeposit.id}`,
    );
  for (const { id, status, shown: displayedStatus, hash, state, problem, confirms: confirmCount, finals: finalCount } of rows) {
    const confirmedDeposit = confirmedById.get(id);
    const mintDescription = `${id} (${state}, ${problem}, shown ${displayedStatus})`;
    if (!confirmedDeposit) {
      assertHolds(status === 'created' && state === null, `confirmed without anybody's word: ${mintDescription}`);
      continue;
    }
    assertHolds(hash === depositHash('mainnet', confirmedDeposit.txid, 0), `of another output: ${mintDescription}`);
    assertHolds(confirmCount === '1', `${confirmCount} confirmations in the audit: ${mintDescription}`);
    assertHolds(
      approvedMints.filter((text) => text === `${confirmedDeposit.txid} ${confirmedDeposit.amount}`).length === 1,
      `not once in the log: ${mintDescription}`,
    );
    const mints = onChain.filter((mint) => mint.hash === hash);
    if (state === 'final') {
      mintedCount++;
      mintedSatoshi += BigInt(confirmedDeposit.amount);
      assertHolds(!confirmedDeposit.canceled, `minted though it was canceled: ${mintDescription}`);
      assertHolds(displayedStatus === 'done' && finalCount === '1', `${finalCount} ends in the audit: ${mintDescription}`);
      assertHolds(
        mints.length === 1 && mints[0]?.to === confirmedDeposit.receiver && mints[0].satoshi === BigInt(confirmedDeposit.amount),
        `chain: ${mintDescription}`,
      );
      assertHolds(
        signedMints.filter((mint) => mint.depositHash === hash).length === 1,
        `not once in the signer's record: ${mintDescription}`,
      );
    } else {
      assertHolds(mints.length === 0, `minted, and the ledger does not know: ${mintDescription}`);
      assertHolds(finalCount === '0', `minted by the audit alone: ${mintDescription}`);
      if (confirmedDeposit.canceled)
        assertHolds(state === 'canceled' && displayedStatus === 'canceled', `not canceled: ${mintDescription}`);
      else
        assertHolds(
          confirmedDeposit.spent && state === 'failed' && problem === 'EVIDENCE' && displayedStatus === 'failed',
          `not minted: ${mintDescription}`,
        );
    }
  }
  const ownHashes = new Set(rows.map(({ hash }) => hash));
  const unknownMints = onChain.filter(
    ({ hash, to }) => !ownHashes.has(hash) && confirmedDeposits.some(({ receiver }) => receiver === to),
  );
  assertHolds(unknownMints.length === 0, `minted for no deposit: ${JSON.stringify(unknownMints.map(({ hash }) => hash))}`);
  const repeatedNonces = await primary.query(
    'select nonce from mint_transactions group by nonce having count(distinct mint_id) > 1',
  );
  assertHolds(repeatedNonces.length === 0, `${repeatedNonces.length} nonces of several mints`);
  assertHolds((await primary.query('select 1 from money_freezes')).length === 0, 'money was frozen');
  await checkPoints(booksInput, assertHolds);
  await runVerifiers(booksInput, assertHolds);
  return { wrong: violations, minted: mintedCount, satoshi: mintedSatoshi };
}

type AssertHolds = (isTrue: boolean, description: string) => void;

async function checkPoints({ pair: { primary }, points: pointsReasons }: BooksInput, assertHolds: AssertHolds): Promise<void> {
  const pointsRows = await primary.query<{ reason: string }>('select reason from points');
  const reasons = pointsRows.map(({ reason }) => reason);
  assertHolds(new Set(reasons).size === reasons.length, 'points were given twice');
  assertHolds(
    pointsReasons.every((reason) => reasons.includes(reason)) && pointsReasons.length === reasons.length,
    'points differ from what was told',
  );
  const wrongBalances = await primary.query(
    `select address from (select address, sum(berries) as sum from points group by address) as ledger
       full join point_balances using (address) where sum is distinct from berries`,
  );
  assertHolds(wrongBalances.length === 0, 'balances are not the sums of points');
}

async function runVerifiers({ pair, dataDir, genesis }: BooksInput, assertHolds: AssertHolds): Promise<void> {
  const env = { PATH: process.env['PATH'], NODE_ENV: 'test', DATABASE_URL: pair.primary.url, DATA_DIR: dataDir };
  const verifierCommands: [name: string, args: string[]][] = [
    ['audit-verify', []],
    ['authority-verify-own', ['--genesis', genesis]],
  ];
  for (const [name, args] of verifierCommands) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [bundleOf(name), ...args], { env, encoding: 'utf8' });
    assertHolds(status === 0, `${name} ended with ${status}: ${stdout}${stderr}`.slice(0, 2_000));
  }
}
