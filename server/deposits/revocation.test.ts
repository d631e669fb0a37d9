import { beforeAll, describe, expect, test } from 'vitest';
import type { Proposal } from '../../api/authority/signing.ts';
import type { Genesis, LogLine } from '../../api/authority/statements.ts';
import type { DepositRow } from '../../api/deposits/contract.ts';
import { createStore } from '../../testing/factories/store.ts';
import { newId } from '../platform/core/ids.ts';
import { createPasskeyPerson } from '../testing/authority.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { startFakeEsplora, tipHeight } from '../testing/esplora.ts';
import { createApi, createTestApp, signInAs, type TestApp, type TestSession } from '../testing/support.ts';

const custodyAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const { url, outputs } = await startFakeEsplora();
const passkey = createPasskeyPerson('approver@demo.local');
const satoshi = { twoSignatures: 1_200_000_000, threeSignatures: 12_000_000_000 };
let app: TestApp;
let operator: TestSession;
let approver: TestSession;
let adminSession: TestSession;
let genesis: Genesis;

const idempotentApi = ({ headers }: TestSession, key: string = newId()) => createApi(app, { ...headers, 'idempotency-key': key });
const moneyRefusalOf = (reason: string) => ({ code: 'MONEY_REFUSED', data: { reason } });
const readLogLines = async (): Promise<LogLine[]> =>
  (await app.database.pool.query<{ line: string }>('select line from authority_lines order by number')).rows.map(
    ({ line }) => JSON.parse(line) as LogLine,
  );
const readCancellations = async ({ txid }: DepositRow) =>
  (await readLogLines()).filter(
    (line) => 'statement' in line && JSON.stringify(line).includes('mint.cancel') && JSON.stringify(line).includes(txid),
  );

beforeAll(async () => {
  app = await createTestApp(
    {
      ...buildChainEnv('http://127.0.0.1:9'),
      ESPLORA_URLS: url,
      CUSTODY_ADDRESSES: custodyAddress,
      WRITES_PER_MINUTE: '1000000',
    },
    { jobs: false },
  );
  [operator, approver, adminSession] = await Promise.all([
    signInAs(app, 'operator'),
    signInAs(app, 'approver'),
    signInAs(app, 'all'),
  ]);
  const band = { role: null, perDay: null, delaySeconds: 0 };
  await idempotentApi(adminSession).authority.setRules({
    root: 1,
    coolingSeconds: 0,
    receivers: 'any',
    bands: [
      { ...band, from: '0', below: '1000000000', approvals: 1 },
      { ...band, from: '1000000000', below: '10000000000', approvals: 2 },
      { ...band, from: '10000000000', below: null, approvals: 3 },
    ],
    refundBands: [],
  });
  const [genesisLine] = await readLogLines();
  if (genesisLine?.kind !== 'genesis') throw new Error('no genesis');
  genesis = genesisLine.content;
  const { id, statement } = await idempotentApi(approver).authority.enrol({ key: passkey.key });
  if (statement.kind !== 'approver.add') throw new Error('no enrollment');
  await idempotentApi(approver).authority.sign({ id, proof: passkey.prove(statement, genesis) });
  await idempotentApi(adminSession).authority.sign({ id, heard: true });
});

let nextTxid = 1;
async function recordDeposit(value = satoshi.twoSignatures): Promise<DepositRow> {
  const txid = (nextTxid++).toString(16).padStart(64, '8');
  outputs.set(txid, { address: custodyAddress, value, height: tipHeight - 9 });
  return operator.api.deposits.add({
    type: 'cobo',
    vout: 0,
    lockTime: null,
    remarks: '',
    coboAddress: custodyAddress,
    txid,
    userAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    amount: String(value),
  });
}
async function readDeposit({ id }: { id: string }, session = adminSession): Promise<DepositRow> {
  const [row] = await session.api.deposits.many({ ids: [id] });
  if (!row) throw new Error('the deposit is gone');
  return row;
}
const depositVersion = ({ id, version, hash }: DepositRow) => ({ id, version, hash });
const revocationOf = ({ id, version }: DepositRow, reason = 'Wrong institution') => ({ id, version, reason });
function signProposal(proposal: Proposal) {
  if (!proposal) throw new Error('the server would sign');
  return { statement: proposal.hash, proof: passkey.prove(proposal.statement, genesis) };
}
/** The server holds the administrator's key, and the approver has a passkey. */
const signAsAdmin = (row: DepositRow) => idempotentApi(adminSession).deposits.confirm(depositVersion(row));
const signAsApprover = async (row: DepositRow) =>
  idempotentApi(approver).deposits.confirm({
    ...depositVersion(row),
    signed: signProposal(await idempotentApi(approver).deposits.propose(depositVersion(row))),
  });
const revokeAsAdmin = (row: DepositRow, key?: string) =>
  idempotentApi(adminSession, key).deposits.revokeSignature(revocationOf(row));

describe('revoking one’s own signature of a deposit', () => {
  test('clears it in the ledger and cancels it in the log, and the deposit can be signed again', async () => {
    const row = await recordDeposit();
    expect(await signAsAdmin(row)).toMatchObject({ status: 'created', missing: 1, approvals: [{ own: true }] });
    expect(await idempotentApi(adminSession).deposits.proposeRevocation(revocationOf(row))).toBeNull();
    expect(await revokeAsAdmin(row)).toMatchObject({
      id: row.id,
      version: row.version,
      status: 'created',
      missing: 2,
      approvals: [],
    });
    expect(await readCancellations(row)).toHaveLength(1);
    expect(await signAsAdmin(row)).toMatchObject({ status: 'created', missing: 1 });
    expect(await signAsApprover(row)).toMatchObject({ status: 'confirmed', mintStatus: 'queued' });
  });

  test('is recorded in the history of the deposit with its reason', async () => {
    const row = await recordDeposit();
    await signAsAdmin(row);
    await revokeAsAdmin(row);
    const history = await adminSession.api.deposits.history({ id: row.id });
    expect(JSON.stringify(history)).toContain('Wrong institution');
  });

  test('shows the approval as voided in the authority log, without pending signatures', async () => {
    const row = await recordDeposit();
    await signAsApprover(row);
    const { rows } = await app.database.pool.query<{ statement: string }>('select statement from deposits where id = $1', [
      row.id,
    ]);
    const hash = rows[0]?.statement ?? '';
    const readStatement = async () => (await adminSession.api.authority.many({ ids: [hash] }))[0];
    const listStatements = async (state: 'open' | 'voided') => {
      const { rows: statements } = await adminSession.api.authority.list({
        filter: { state },
        sort: 'number',
        direction: 'desc',
        cursor: null,
        limit: 50,
      });
      return statements.map(({ id }) => id);
    };
    expect(await readStatement()).toMatchObject({ state: 'open', mine: true });
    const proposal = await idempotentApi(approver).deposits.proposeRevocation(revocationOf(row));
    await idempotentApi(approver).deposits.revokeSignature({ ...revocationOf(row), signed: signProposal(proposal) });
    expect(await readStatement()).toMatchObject({ state: 'voided', mine: false });
    expect([(await listStatements('open')).includes(hash), (await listStatements('voided')).includes(hash)]).toEqual([
      false,
      true,
    ]);
  });

  test('stays revoked when the ledger is set back to the signed statement', async () => {
    const row = await recordDeposit();
    await signAsAdmin(row);
    const { rows } = await app.database.pool.query<{ statement: string }>('select statement from deposits where id = $1', [
      row.id,
    ]);
    await revokeAsAdmin(row);
    await app.database.pool.query('update deposits set statement = $2 where id = $1', [row.id, rows[0]?.statement]);
    expect(await readDeposit(row)).toMatchObject({ approvals: [], missing: 2 });
    expect(await signAsApprover(row)).toMatchObject({ status: 'created', missing: 1, mint: null });
  });

  test('is refused if the caller hasn’t signed, if someone else has signed too, and once the deposit is confirmed', async () => {
    const unsignedRow = await recordDeposit();
    await expect(revokeAsAdmin(unsignedRow)).rejects.toMatchObject(moneyRefusalOf('NOT_YOUR_SIGNATURE'));
    await signAsApprover(unsignedRow);
    await expect(revokeAsAdmin(unsignedRow)).rejects.toMatchObject(moneyRefusalOf('NOT_YOUR_SIGNATURE'));

    const sharedRow = await recordDeposit(satoshi.threeSignatures);
    await signAsAdmin(sharedRow);
    await signAsApprover(sharedRow);
    await expect(revokeAsAdmin(sharedRow)).rejects.toMatchObject(moneyRefusalOf('OTHERS_SIGNED'));
    expect(await readDeposit(sharedRow)).toMatchObject({ missing: 1 });

    const row = await recordDeposit();
    await signAsApprover(row);
    const confirmedRow = await signAsAdmin(row);
    await expect(revokeAsAdmin(confirmedRow)).rejects.toMatchObject(moneyRefusalOf('CONFIRMED'));
    for (const item of [unsignedRow, sharedRow, row]) expect(await readCancellations(item)).toHaveLength(0);
  });

  test('is refused without permission, reason, key of the request or the current version', async () => {
    const row = await recordDeposit();
    await signAsAdmin(row);
    await expect(idempotentApi(operator).deposits.revokeSignature(revocationOf(row))).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(idempotentApi(operator).deposits.proposeRevocation(revocationOf(row))).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(adminSession.api.deposits.revokeSignature(revocationOf(row))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(idempotentApi(adminSession).deposits.revokeSignature(revocationOf(row, ' '))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    await expect(revokeAsAdmin({ ...row, version: row.version + 1 })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await readDeposit(row)).toMatchObject({ approvals: [{ own: true }], missing: 1 });
  });

  test('is refused while the account does not count for money', async () => {
    const row = await recordDeposit();
    await signAsAdmin(row);
    await createStore(app.database.db).accountChange({ of: 'admin@demo.local', at: new Date() });
    try {
      await expect(revokeAsAdmin(row)).rejects.toMatchObject(moneyRefusalOf('COOLING'));
    } finally {
      await app.database.pool.query('delete from account_changes');
    }
    expect(await revokeAsAdmin(row)).toMatchObject({ approvals: [] });
  });

  test('works while money is frozen', async () => {
    const row = await recordDeposit();
    await signAsAdmin(row);
    await idempotentApi(operator).dataPanel.freezeMoney({ reason: 'A stranger at the keyboard' });
    try {
      expect(await revokeAsAdmin(row)).toMatchObject({ approvals: [] });
    } finally {
      await app.database.pool.query('truncate money_freezes cascade');
    }
  });

  test('needs the person’s own passkey, and only for the statement that was proposed for this deposit', async () => {
    const [row, otherRow] = [await recordDeposit(), await recordDeposit()];
    await signAsApprover(row);
    await signAsApprover(otherRow);
    const propose = (item: DepositRow) => idempotentApi(approver).deposits.proposeRevocation(revocationOf(item));
    const revoke = (item: DepositRow, signed?: ReturnType<typeof signProposal>, reason?: string) =>
      idempotentApi(approver).deposits.revokeSignature({ ...revocationOf(item, reason), ...(signed && { signed }) });
    const proposal = await propose(row);
    expect(proposal).toMatchObject({
      statement: { kind: 'mint.cancel', content: { txid: row.txid, reason: 'Wrong institution' } },
    });
    const approval = signProposal(await idempotentApi(approver).deposits.propose(depositVersion(await recordDeposit())));
    await expect(revoke(row, approval)).rejects.toMatchObject(moneyRefusalOf('CHANGED'));
    await expect(revoke(row, signProposal(await propose(otherRow)))).rejects.toMatchObject(moneyRefusalOf('CHANGED'));
    await expect(revoke(row, signProposal(proposal), 'Another reason')).rejects.toMatchObject(moneyRefusalOf('CHANGED'));
    await expect(revoke(row, { ...approval, statement: proposal?.hash ?? '' })).rejects.toMatchObject(moneyRefusalOf('LOG'));
    expect(await readDeposit(row)).toMatchObject({ missing: 1 });
    expect(await revoke(row, signProposal(proposal))).toMatchObject({ approvals: [], missing: 2 });
    await signAsApprover(row);
    await expect(revoke(row, signProposal(proposal))).rejects.toMatchObject(moneyRefusalOf('CHANGED'));
    expect(await readDeposit(row)).toMatchObject({ missing: 1 });
    expect(await readCancellations(row)).toHaveLength(1);
  });

  test('takes effect once when the request is sent several times', async () => {
    const row = await recordDeposit();
    await signAsAdmin(row);
    const key = newId();
    const outcomes = await Promise.allSettled([
      revokeAsAdmin(row, key),
      revokeAsAdmin(row, key),
      revokeAsAdmin(row),
      revokeAsAdmin(row),
    ]);
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await readCancellations(row)).toHaveLength(1);
    expect(await readDeposit(row)).toMatchObject({ approvals: [], missing: 2 });
  });

  test('never counts a revoked signature towards a mint when it races with the second signature', async () => {
    for (let round = 0; round < 10; round++) {
      const row = await recordDeposit();
      await signAsApprover(row);
      const signed = signProposal(await idempotentApi(approver).deposits.proposeRevocation(revocationOf(row)));
      const revoke = () => idempotentApi(approver).deposits.revokeSignature({ ...revocationOf(row), signed });
      const [first, second] = round % 2 === 0 ? [revoke, () => signAsAdmin(row)] : [() => signAsAdmin(row), revoke];
      const outcomes = await Promise.allSettled([first(), second()]);
      const [revokeOutcome, signOutcome] = round % 2 === 0 ? outcomes : outcomes.toReversed();
      const rowAfter = await readDeposit(row);
      if (revokeOutcome?.status === 'fulfilled') {
        expect(signOutcome?.status).toBe('fulfilled');
        expect(rowAfter).toMatchObject({ status: 'created', missing: 1, mint: null, approvals: [{ email: 'admin@demo.local' }] });
      } else {
        expect(rowAfter).toMatchObject({ status: 'confirmed', mintStatus: 'queued' });
        expect(await readCancellations(row)).toHaveLength(0);
      }
    }
  });
});
