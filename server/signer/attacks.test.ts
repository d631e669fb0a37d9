import { sql } from 'drizzle-orm';
import { parseEther } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { canonical, canonicalHash } from '../../api/authority/canonical.ts';
import { logVersion, type LogLine, type StatementOf } from '../../api/authority/statements.ts';
import type { DepositRow } from '../../api/deposits/contract.ts';
import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import { depositHash } from '../../chain/deposit-hash.ts';
import { devnetAccounts } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { developmentKey, developmentProof } from '../authority/development.ts';
import { stepMints } from '../mints/mints.ts';
import { openDatabase } from '../platform/db/db.ts';
import { createLogger } from '../platform/core/log.ts';
import { signerGrants } from './grants.ts';
import { newId } from '../platform/core/ids.ts';
import { listStatements } from '../testing/authority.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { createTemporaryFolder } from '../testing/cleanup.ts';
import { startFakeEsplora, tipHeight } from '../testing/esplora.ts';
import { createTestSigner } from '../testing/signer.ts';
import { createApi, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';

// The attacker controls the web process and the database without triggers. The signer has its pinned genesis, record and sources.
// For attacks on the log see server/authority/attacks.test.ts.

const custodyAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const receiver = devnetAccounts.borrower.address;
const thiefAddress = devnetAccounts.minter.address;
const accompliceAddress = devnetAccounts.deployer.address;
const { url, outputs } = await startFakeEsplora();

let chain: TestChain;
let app: TestApp;
let operator: TestSession;
let approver: TestSession;
let dir: string;
let signer: Awaited<ReturnType<typeof createTestSigner>>;
beforeAll(async () => {
  chain = await startTestChain();
  const minterKey = devnetAccounts.minter.getHdKey().privateKey;
  const key = { MINTER_KEY: `0x${Buffer.from(minterKey ?? []).toString('hex')}` };
  app = await createTestApp(
    { ...buildChainEnv(chain.url), ...key, ESPLORA_URLS: url, CUSTODY_ADDRESSES: custodyAddress },
    { jobs: false },
  );
  [operator, approver] = await Promise.all([signInAs(app, 'operator'), signInAs(app, 'approver')]);
}, 60_000);
afterAll(() => chain.stop());

let genesis: string;
let untamperedLines: { number: number; hash: string; line: string }[];
beforeEach(async () => {
  untamperedLines ??= (await query('select number, hash, line from authority_lines where number = 0')) as typeof untamperedLines;
  await tamper(`truncate mints, mint_transactions, signer_nonces, deposits, money_freezes, authority_lines cascade`);
  for (const { number, hash, line } of untamperedLines) await insertLine(number, hash, line);
  genesis = untamperedLines[0]?.hash ?? '';
  dir = createTemporaryFolder();
  signer = await createTestSigner(app, { dir, genesis });
});

const query = async (text: string, ...values: unknown[]): Promise<Record<string, unknown>[]> =>
  (await app.database.pool.query(text, values)).rows as Record<string, unknown>[];
const insertLine = (number: number, hash: string, line: string) =>
  query('insert into authority_lines (number, hash, line, at) values ($1, $2, $3, now())', number, hash, line);

/** Bypasses triggers, like the owner of the database. */
async function tamper(...statements: string[]): Promise<void> {
  await app.database.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    for (const statement of statements) await tx.execute(sql.raw(statement));
  });
}

let nextTxid = 1;
async function deposit({ isConfirmed = true } = {}): Promise<DepositRow> {
  const txid = (nextTxid++).toString(16).padStart(64, 'c');
  outputs.set(txid, { address: custodyAddress, value: 75_000_000, height: tipHeight - 9 });
  const depositFields = { type: 'cobo', vout: 0, lockTime: null, remarks: '', coboAddress: custodyAddress } as const;
  const row = await operator.api.deposits.add({ ...depositFields, userAddress: receiver, amount: '75000000', txid });
  const { id, version, hash } = row;
  return isConfirmed
    ? createApi(app, { ...approver.headers, 'idempotency-key': newId() }).deposits.confirm({ id, version, hash })
    : row;
}

const mintedFor = ({ network, txid, vout }: DepositRow) =>
  chain.client.readContract({
    address: app.config.evm?.contracts.ybtc ?? '0x',
    abi: ybtcAbi,
    functionName: 'mintedFor',
    args: [depositHash(network, txid, vout)],
  });

/** The reason for refusal, or 'signed'. */
async function mintOutcome(signerContext = signer): Promise<string> {
  app.clock.now = Date.now();
  await query(`update mints set next_at = now() - interval '1 second', leased_until = null`);
  await stepMints(signerContext);
  const [mint] = await query('select state, problem, details from mints');
  const signedRows = await query('select from mint_transactions');
  if (signedRows.length > 0) return 'signed';
  return mint ? `${String(mint['problem'])} ${String(mint['details'])}` : 'left alone';
}

const lines = async (): Promise<LogLine[]> =>
  (await query('select line from authority_lines order by number')).map(({ line }) => JSON.parse(String(line)) as LogLine);

/** Appends lines with correct hashes. */
async function appendForgedLines(...forgedLines: object[]): Promise<void> {
  for (const line of forgedLines) {
    const lastLine = (await lines()).at(-1);
    const chainedLine = {
      v: logVersion,
      ...line,
      number: (lastLine?.number ?? -1) + 1,
      previous: canonicalHash(lastLine),
      at: lastLine?.at,
    };
    await insertLine(chainedLine.number, canonicalHash(chainedLine), canonical(chainedLine));
  }
}

const readMintApprovals = async () =>
  listStatements(await lines()).filter(
    (statement): statement is StatementOf<'mint.approve'> => statement.kind === 'mint.approve',
  );

test('a signed mint is minted once, exactly', async () => {
  const row = await deposit();
  expect(await mintOutcome()).toBe('signed');
  expect(await mintedFor(row)).toBe(parseEther('0.75'));
});

describe('rows changed by hand', () => {
  const tamperCases: [name: string, change: string, expected: RegExp][] = [
    ['the amount', `update mints set amount = amount * 10`, /^AUTHORITY OTHER/],
    ['the receiver', `update mints set recipient = '${thiefAddress}'`, /^AUTHORITY OTHER/],
    ['the output', `update mints set deposit_hash = '0x${'ab'.repeat(32)}'`, /^AUTHORITY NO_STATEMENT/],
    ['the chain', `update mints set chain_id = 1`, /^null null|^left alone/],
    ['the token', `update mints set token = '${thiefAddress}'`, /^null null|^left alone/],
    ['every line of the log gone', `delete from authority_lines`, /^AUTHORITY LOG/],
    [
      'the log cut off before the approval',
      `delete from authority_lines where number = (select max(number) from authority_lines)`,
      /^AUTHORITY NO_STATEMENT/,
    ],
    ['a line gone from between', `delete from authority_lines where number = 1`, /^AUTHORITY LOG: line 1 .*ORDER/],
    [
      'the receiver in the statement',
      `update authority_lines set line = replace(line, '${receiver}', '${thiefAddress}')`,
      /^AUTHORITY LOG: line \d+/,
    ],
    [
      'the amount in the statement',
      `update authority_lines set line = replace(line, '"75000000"', '"95000000"')`,
      /^AUTHORITY LOG: line \d+/,
    ],
    [
      'the rules in the genesis',
      `update authority_lines set line = replace(line, '"approvals":1', '"approvals":2') where number = 0`,
      /^AUTHORITY LOG: line 0 .*GENESIS/,
    ],
    [
      'the time of a line',
      `update authority_lines set line = replace(line, '"at":"20', '"at":"19') where number = 1`,
      /^AUTHORITY LOG: line 1/,
    ],
    [
      'two lines swapped',
      `update authority_lines set number = -number where number in (1, 2); update authority_lines set number = 3 + number where number < 0`,
      /^AUTHORITY LOG: line 1/,
    ],
    ['a line that is no JSON', `update authority_lines set line = 'nothing' where number = 1`, /^AUTHORITY LOG: line 1 .*FORM/],
  ];
  test.each(tamperCases)('the signer refuses to mint after: %s', async (_, tamperSql, expectedOutcome) => {
    const row = await deposit();
    await tamper(...tamperSql.split('; '));
    expect(await mintOutcome()).toMatch(expectedOutcome);
    expect(await mintedFor(row)).toBe(0n);
  });

  test('the signer refuses a deposit confirmed by hand without signatures', async () => {
    const row = await deposit({ isConfirmed: false });
    const { chainId, contracts } = app.config.evm ?? { chainId: 0, contracts: null };
    await tamper(
      `update deposits set status = 'confirmed', mint_status = 'queued' where id = '${row.id}'`,
      `insert into mints (id, deposit_id, deposit_hash, chain_id, token, bridge, recipient, amount, state, next_at, created_at, updated_at)
       values ('${newId()}', '${row.id}', '${depositHash(row.network, row.txid, row.vout)}', ${chainId}, '${contracts?.ybtc}',
       '${contracts?.custodyBridge}', '${thiefAddress}', 750000000000000000, 'queued', now(), now(), now())`,
    );
    expect(await mintOutcome()).toMatch(/^AUTHORITY NO_STATEMENT/);
    expect(await mintedFor(row)).toBe(0n);
  });
});

describe('lines added by hand', () => {
  const readApprover = async () =>
    listStatements(await lines()).flatMap((statement) =>
      statement.kind === 'approver.add' ? [statement.content.person] : [],
    )[0] ?? '';

  test('are refused when a person enrolls themselves', async () => {
    await deposit();
    const personId = newId();
    const content = { person: personId, name: 'thief', roles: [], key: developmentKey(personId) };
    const [approval] = await readMintApprovals();
    if (!approval) throw new Error('nothing was proposed');
    // Proof of the key alone does not enroll its owner.
    const statement = { ...approval, kind: 'approver.add', content } as unknown as StatementOf<'approver.add'>;
    await appendForgedLines({ kind: 'statement', statement, person: personId, proof: developmentProof(personId, statement) });
    expect(await mintOutcome()).toMatch(/^AUTHORITY LOG: line \d+ .*NOT_APPROVER/);
  });

  test('are refused with an old signature under a new statement', async () => {
    const row = await deposit();
    const [approval] = await readMintApprovals();
    const signature = (await lines()).findLast((line) => line.kind === 'statement');
    if (!approval || !signature) throw new Error('nobody signed');
    await appendForgedLines({
      ...signature,
      statement: { ...approval, content: { ...approval.content, receiver: accompliceAddress } },
    });
    await tamper(`update mints set recipient = '${accompliceAddress}'`);
    expect(await mintOutcome()).toMatch(/^AUTHORITY LOG: line \d+ .*SIGNATURE/);
    expect(await mintedFor(row)).toBe(0n);
  });

  test('are refused when the recorder of the deposit signs', async () => {
    const row = await deposit({ isConfirmed: false });
    const { id, version, hash } = row;
    await createApi(app, { ...approver.headers, 'idempotency-key': newId() }).deposits.confirm({ id, version, hash });
    const [approval] = await readMintApprovals();
    const [author] = approval?.content.authors ?? [];
    if (!approval || !author) throw new Error('no author is named');
    await appendForgedLines({
      kind: 'signature',
      signs: canonicalHash(approval),
      person: author,
      proof: developmentProof(author, approval),
    });
    expect(await mintOutcome()).toMatch(/^AUTHORITY LOG: line \d+ .*(NOT_APPROVER|AUTHOR)/);
  });

  test('are refused when the whole log is replaced', async () => {
    const row = await deposit();
    const replacedLines = (await lines()).map((line) =>
      line.kind === 'genesis' ? { ...line, content: { ...line.content, minter: receiver } } : line,
    );
    await tamper('delete from authority_lines');
    let previous = '';
    for (const line of replacedLines) {
      const chainedLine = { ...line, previous };
      previous = canonicalHash(chainedLine);
      await insertLine(chainedLine.number, previous, canonical(chainedLine));
    }
    expect(await mintOutcome()).toMatch(/^AUTHORITY LOG: line 0 .*GENESIS/);
    expect(await mintedFor(row)).toBe(0n);
  });

  test('are refused when existing lines are repeated', async () => {
    await deposit();
    const [approval] = await readMintApprovals();
    const signature = (await lines()).findLast((line) => line.kind === 'statement');
    if (!approval || !signature) throw new Error('nobody signed');
    await appendForgedLines({ ...signature });
    expect(await mintOutcome()).toMatch(/^AUTHORITY LOG: line \d+ .*TWICE/);
  });

  test('are refused with a key that is not enrolled', async () => {
    await deposit();
    const [approval] = await readMintApprovals();
    if (!approval) throw new Error('nothing was proposed');
    const personId = newId();
    await appendForgedLines({
      kind: 'signature',
      signs: canonicalHash(approval),
      person: personId,
      proof: developmentProof(await readApprover(), approval),
    });
    expect(await mintOutcome()).toMatch(/^AUTHORITY LOG: line \d+ .*NOT_APPROVER/);
  });
});

describe('the signer’s record', () => {
  test('detects a freeze that was cut off the log', async () => {
    const row = await deposit();
    const adminSession = await signInAs(app, 'all');
    await createApi(app, { ...adminSession.headers, 'idempotency-key': newId() }).authority.freeze({
      reason: 'something is wrong',
    });
    expect(await mintOutcome()).toMatch(/^AUTHORITY FROZEN/);
    await tamper(`delete from authority_lines where line like '%"kind":"freeze"%'`);
    // The record survives a restart.
    expect(await mintOutcome(await createTestSigner(app, { dir, genesis }))).toMatch(/^AUTHORITY LOG: .*lines/);
    expect(await mintedFor(row)).toBe(0n);
  });

  test('keeps a freeze of the ledger that was lifted by hand or by one person', async () => {
    const row = await deposit();
    const [confirmer, adminSession] = [approver, await signInAs(app, 'all')];
    const idempotentApi = ({ headers }: TestSession) => createApi(app, { ...headers, 'idempotency-key': newId() });
    const { id } = await idempotentApi(confirmer).dataPanel.freezeMoney({ reason: 'something is wrong' });
    await signer.look();
    await tamper(`update money_freezes set resolved_at = now(), reason = 'nothing'`);
    expect(await mintOutcome()).toBe(`AUTHORITY FROZEN: ${id}`);
    expect(await mintOutcome(await createTestSigner(app, { dir, genesis }))).toBe(`AUTHORITY FROZEN: ${id}`);
    // Lifted with two signatures.
    await tamper(`update money_freezes set resolved_at = null, reason = null`);
    expect(await idempotentApi(confirmer).dataPanel.resolve({ reason: 'looked at' })).toMatchObject({ id, missing: 1 });
    expect(await mintOutcome()).toMatch(/^FROZEN|^AUTHORITY FROZEN/);
    expect(await idempotentApi(adminSession).dataPanel.resolve({ reason: 'looked at' })).toMatchObject({ id, missing: 0 });
    expect(await mintOutcome()).toBe('signed');
    expect(await mintedFor(row)).toBe(parseEther('0.75'));
  });

  test('refuses a canceled approval that was queued again by hand', async () => {
    const row = await deposit();
    await createApi(app, { ...approver.headers, 'idempotency-key': newId() }).deposits.cancelMint({
      id: row.id,
      version: row.version,
      reason: 'not ours',
    });
    await tamper(
      `update mints set state = 'queued', problem = null, details = null`,
      `update deposits set mint_status = 'queued'`,
    );
    expect(await mintOutcome()).toMatch(/^AUTHORITY CANCELED/);
    expect(await mintedFor(row)).toBe(0n);
  });

  test('stops the start if it is unreadable or of another genesis', async () => {
    await deposit();
    await mintOutcome();
    await expect(createTestSigner(app, { dir, genesis: 'ab'.repeat(32) })).rejects.toThrow(/record of another log/);
  });
});

describe('the signer’s own checks', () => {
  test.each([
    ['whose nonce is far ahead', `update mints set state = 'sent', nonce = 1000000, sent_at = now()`],
    [
      'with bytes of another’s',
      `update mints set state = 'sent', nonce = 1000000, sent_at = null`,
      `insert into mint_transactions (hash, mint_id, nonce, raw, max_fee_per_gas, max_priority_fee_per_gas, created_at)
        select '0x${'ab'.repeat(32)}', id, 1000000, '0x02', 1, 1, now() from mints`,
    ],
  ])('an output that was spent, and a row that says it was sent, %s', async (_, ...sqlChanges) => {
    const row = await deposit();
    const output = outputs.get(row.txid);
    if (output) outputs.set(row.txid, { ...output, spent: true });
    await tamper(...sqlChanges);
    const signedHashes = await query('select hash from mint_transactions');
    for (let attempt = 0; attempt < 4; attempt++) await mintOutcome();
    await chain.client.mine({ blocks: 1 });
    expect(await query('select state, problem, details from mints')).toEqual([
      { state: 'failed', problem: 'EVIDENCE', details: expect.stringMatching(/^spent: /) as unknown },
    ]);
    expect(await query('select hash from mint_transactions')).toEqual(signedHashes);
    expect(await mintedFor(row)).toBe(0n);
  });

  test('refuse a spent output after bytes were signed and the nonce was changed in the row', async () => {
    await chain.client.setAutomine(false);
    try {
      const row = await deposit();
      expect(await mintOutcome()).toBe('signed');
      const mintHashes = await query('select hash from mint_transactions');
      for (const { hash } of mintHashes) await chain.client.dropTransaction({ hash: hash as `0x${string}` });
      const output = outputs.get(row.txid);
      if (output) outputs.set(row.txid, { ...output, spent: true });
      await tamper(`update mints set state = 'sent', nonce = 1000000, sent_at = now()`);
      for (let attempt = 0; attempt < 4; attempt++) await mintOutcome();
      await chain.client.mine({ blocks: 1 });
      expect(await query('select state, problem from mints')).toEqual([{ state: 'failed', problem: 'EVIDENCE' }]);
      expect(await query('select hash from mint_transactions')).toEqual(mintHashes);
      expect(await mintedFor(row)).toBe(0n);
    } finally {
      await chain.client.setAutomine(true);
    }
  });

  test('refuse an output that was spent', async () => {
    const row = await deposit();
    const output = outputs.get(row.txid);
    if (output) outputs.set(row.txid, { ...output, spent: true });
    expect(await mintOutcome()).toMatch(/^EVIDENCE spent: /);
    expect(await mintedFor(row)).toBe(0n);
  });

  test('refuse an output that its own sources do not know', async () => {
    const row = await deposit();
    expect(await mintOutcome(await createTestSigner(app, { dir, genesis, esploraUrls: ['http://127.0.0.1:9'] }))).toMatch(
      /^EVIDENCE unverified: 127\.0\.0\.1:9: no transaction: /,
    );
    expect(await mintedFor(row)).toBe(0n);
  });

  test('refuse an RPC of another chain', async () => {
    const row = await deposit();
    await mintOutcome(await createTestSigner(app, { dir, genesis, urls: ['http://127.0.0.1:9'] }));
    expect(await query('select from mint_transactions')).toEqual([]);
    expect(await mintedFor(row)).toBe(0n);
  });

  test('refuse a tip above its own limit', async () => {
    const row = await deposit();
    const feeLimits = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
    expect(await mintOutcome(await createTestSigner(app, { dir, genesis, limits: feeLimits }))).toMatch(/^FEES/);
    expect(await mintedFor(row)).toBe(0n);
  });

  test('refuse a development log except on this machine’s devnet', async () => {
    const row = await deposit();
    expect(await mintOutcome(await createTestSigner(app, { dir, genesis, development: false }))).toMatch(
      /^AUTHORITY LOG: line 0 .*SOFTWARE/,
    );
    expect(await mintedFor(row)).toBe(0n);
  });
});

describe('the signer’s database role', () => {
  test('is sufficient for minting, and for nothing else', async () => {
    const role = `signer_${newId().replaceAll('-', '').slice(0, 20)}`;
    await query(`create role ${role} login password 'p'`);
    try {
      for (const grant of signerGrants(role)) await query(grant);
      const address = new URL(app.database.url);
      [address.username, address.password] = [role, 'p'];
      const signerDatabase = openDatabase({ url: address.href, log: createLogger({ level: 'silent' }) });
      try {
        const row = await deposit();
        const restrictedSigner = await createTestSigner(
          { ...app, database: { ...signerDatabase, url: address.href } },
          { dir, genesis },
        );
        expect(await mintOutcome(restrictedSigner)).toBe('signed');
        for (let step = 0; step < 6; step++) {
          await chain.client.mine({ blocks: 3 });
          await mintOutcome(restrictedSigner);
        }
        expect(await query('select state, problem from mints')).toEqual([{ state: 'final', problem: null }]);
        expect(await mintedFor(row)).toBe(parseEther('0.75'));
        const forbiddenStatements = [
          `insert into authority_lines (number, hash, line, at) values (99, 'x', 'x', now())`,
          `update deposits set user_address = '${thiefAddress}'`,
          `update mints set recipient = '${thiefAddress}'`,
          `delete from money_freezes`,
          `select * from administrators`,
          `select * from sessions`,
          `insert into audit (seq) values (1)`,
          `update deposits set statement = null`,
        ];
        for (const statement of forbiddenStatements)
          await expect(signerDatabase.pool.query(statement), statement).rejects.toThrow(/permission denied/);
      } finally {
        await signerDatabase.close();
      }
    } finally {
      await query(`drop owned by ${role}`);
      await query(`drop role ${role}`);
    }
  });
});
