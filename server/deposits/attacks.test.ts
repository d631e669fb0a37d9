import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { DepositFields, DepositRow } from '../../api/deposits/contract.ts';
import { toChecksumAddress } from '../../api/evm.ts';
import { parseBtc } from '../../api/money.ts';
import { newId } from '../platform/core/ids.ts';
import { eq } from 'drizzle-orm';
import { mints } from '../mints/tables.ts';
import { fakeEsplora, tipHeight } from '../testing/esplora.ts';
import { apiOf, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { testSigner } from '../testing/signer.ts';
import { storeIn } from '../../testing/factories/store.ts';

// Each test is an attempt to get YBTC without bitcoin in custody.

const custody = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const stranger = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const victim = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const thief = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const ybtc = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const bridge = '0xde709f2102306220921060314715629080e2fb77';
const other = '0x52908400098527886E0F7030069857D2E4169EE7';

const { url, outputs, state: bitcoin } = await fakeEsplora();
let app: TestApp;
let operator: TestSession;
let approver: TestSession;
let all: TestSession;
beforeAll(async () => {
  app = await testApp(
    {
      ESPLORA_URLS: url,
      CUSTODY_ADDRESSES: custody,
      EVM_RPC_URL: 'http://127.0.0.1:9',
      EVM_CHAIN_ID: '31337',
      MINTER_KEY: `0x${'22'.repeat(32)}`,
      YBTC_ADDRESS: ybtc,
      CUSTODY_BRIDGE_ADDRESS: bridge,
      ...Object.fromEntries(
        ['YU', 'TROVE_MANAGER', 'STABILITY_POOL', 'MULTI_TROVE_GETTERS'].map((name) => [`${name}_ADDRESS`, other]),
      ),
    },
    { jobs: false },
  );
  operator = await signInAs(app, 'operator');
  approver = await signInAs(app, 'approver');
  all = await signInAs(app, 'all');
});
afterEach(() => {
  bitcoin.held = null;
});

let next = 1;
const satoshi = (text: string) => String(parseBtc(text));
function fields(amount: string, change: Partial<DepositFields> = {}): DepositFields {
  const txid = (next++).toString(16).padStart(64, 'a');
  const typed = { userAddress: victim, coboAddress: custody, type: 'cobo', vout: 0, lockTime: null, remarks: '' } as const;
  const requested = { ...typed, amount: satoshi(amount), txid, ...change };
  outputs.set(txid, { address: requested.coboAddress, value: Number(requested.amount), height: tipHeight - 9 });
  return requested;
}
const record = (amount: string, by = operator, change: Partial<DepositFields> = {}) =>
  by.api.deposits.add(fields(amount, change));
const keyed = ({ headers }: TestSession) => apiOf(app, { ...headers, 'idempotency-key': newId() });
const seen = ({ id, version, hash }: DepositRow) => ({ id, version, hash });
const confirm = (row: DepositRow, by: TestSession) => keyed(by).deposits.confirm(seen(row));
const refused = (reason: string, data: object = {}) => ({ code: 'MONEY_REFUSED', data: { reason, ...data } });
const evidenceRefused = (verdict: string) => refused('EVIDENCE', { verdict: [verdict] });
const mintCount = async () => (await app.database.pool.query('select from mints')).rows.length;

describe('bitcoin that is not in custody', () => {
  test('is refused when a stranger’s output is recorded and confirmed', async () => {
    const before = await mintCount();
    for (let time = 0; time < 3; time++) {
      const row = await record('0.99', operator, { coboAddress: stranger, userAddress: thief });
      expect((await approver.api.deposits.evidence({ id: row.id })).verdict).toBe('notOurs');
      await expect(confirm(row, approver)).rejects.toMatchObject(evidenceRefused('notOurs'));
    }
    expect(await mintCount()).toBe(before);
  });

  test('is already reported in the form', async () => {
    const { txid, vout, amount } = fields('1', { coboAddress: stranger });
    const typed = await operator.api.deposits.evidence({ txid, vout, amount, coboAddress: stranger, except: null });
    expect(typed).toMatchObject({ verdict: 'notOurs', effect: null });
  });

  test('is refused when it is an old output of ours that was spent', async () => {
    const row = await record('0.5', operator, { userAddress: thief });
    const output = outputs.get(row.txid);
    if (output) outputs.set(row.txid, { ...output, spent: true });
    const evidence = await approver.api.deposits.evidence({ id: row.id });
    expect(evidence.effect).toEqual({ chainId: 31_337, amount: '500000000000000000', supply: null, balance: null });
    expect(evidence).toMatchObject({ verdict: 'spent', sources: [{ state: 'found', spent: true }] });
    await expect(confirm(row, approver)).rejects.toMatchObject(evidenceRefused('spent'));
  });

  test('is refused at signing when it is spent after the confirmation', async () => {
    const row = await confirm(await record('0.5'), approver);
    const signer = await testSigner(app);
    const [mint] = await app.database.db.select().from(mints).where(eq(mints.depositId, row.id));
    if (!mint) throw new Error('nothing was queued');
    expect(await signer.evidence(mint)).toMatchObject({ verdict: 'holds' });
    const output = outputs.get(row.txid);
    if (output) outputs.set(row.txid, { ...output, spent: true });
    expect(await signer.evidence(mint)).toMatchObject({ verdict: 'broken' });
  });
});

describe('one person acting as two', () => {
  const edit = (row: DepositRow, by: TestSession, change: Partial<DepositFields>) => {
    const { id, version, txid, vout, coboAddress, type, lockTime, userAddress, amount, remarks } = row;
    const as = { txid, vout, coboAddress, type, lockTime, userAddress, amount, remarks };
    return by.api.deposits.edit({ ...as, ...change, id, version });
  };

  test('an author of any version of a deposit cannot confirm it', async () => {
    const mine = await edit(await record('5'), all, { userAddress: thief });
    const mended = await edit(mine, operator, { remarks: 'typo mended' });
    expect(mended).toMatchObject({ modifiedEmail: 'operator@demo.local' });
    expect((await all.api.deposits.many({ ids: [mended.id] }))[0]).toMatchObject({ own: true });
    await expect(confirm(mended, all)).rejects.toMatchObject(refused('FOUR_EYES'));
    await expect(keyed(all).deposits.propose(seen(mended))).rejects.toMatchObject(refused('FOUR_EYES'));
    expect(await confirm(mended, approver)).toMatchObject({ status: 'confirmed' });
  });

  test('the author of an edit that was undone cannot confirm the deposit', async () => {
    const touched = await edit(await record('5'), all, { remarks: 'mine' });
    const back = await edit(touched, operator, { remarks: '' });
    await expect(confirm(back, all)).rejects.toMatchObject(refused('FOUR_EYES'));
  });

  test('the author of a deleted deposit cannot confirm another one of the same output', async () => {
    const mine = await record('5', all, { userAddress: thief });
    await operator.api.deposits.remove({ items: [{ id: mine.id, version: mine.version }] });
    const { txid, vout, coboAddress, type, lockTime, userAddress, amount, remarks } = mine;
    const anew = await operator.api.deposits.add({ txid, vout, coboAddress, type, lockTime, userAddress, amount, remarks });
    await expect(confirm(anew, all)).rejects.toMatchObject(refused('FOUR_EYES'));
  });

  test('the signature of an author is not counted', async () => {
    const row = await record('10');
    const signed = await app.database.pool.query<{ statement: string }>(
      'update deposits set statement = statement where id = $1 returning statement',
      [(await confirm(row, all)).id],
    );
    const touched = await edit(row, all, { remarks: 'x' });
    const back = await edit(touched, operator, { remarks: '' });
    // Simulates a statement that survived the edits: it has the same fields.
    await app.database.pool.query('update deposits set statement = $2 where id = $1', [back.id, signed.rows[0]?.statement]);
    expect(await confirm(back, approver)).toMatchObject({ status: 'created', missing: 1 });
  });

  test('authors cannot be removed, not even in the database', async () => {
    for (const statement of ['delete from deposit_authors', 'update deposit_authors set vout = 9', 'truncate deposit_authors'])
      await expect(app.database.pool.query(statement)).rejects.toThrow('who wrote a deposit has written it');
  });

  test('no amount is minted by a single person', async () => {
    const row = await record('0.00001', all);
    expect(row).toMatchObject({ own: true });
    await expect(confirm(row, all)).rejects.toMatchObject(refused('FOUR_EYES'));
    expect(await confirm(row, approver)).toMatchObject({ status: 'confirmed' });
  });
});

describe('a colleague with fewer permissions by now', () => {
  /** Runs `meanwhile` while the confirmation waits for Bitcoin. */
  async function confirmWhile(row: DepositRow, by: TestSession, meanwhile: () => Promise<unknown>) {
    let go = () => {};
    bitcoin.held = new Promise((resolve) => (go = resolve));
    const requested = bitcoin.asked;
    const answer = confirm(row, by).then(
      () => ({ code: 'CONFIRMED' }),
      (error: unknown) => error,
    );
    await expect.poll(() => bitcoin.asked).toBeGreaterThan(requested);
    await meanwhile();
    go();
    bitcoin.held = null;
    return answer;
  }
  const query = (statement: string) => app.database.pool.query(statement);
  const right = (name: string, stored: boolean) =>
    stored
      ? storeIn(app.database.db).grant('approver', name)
      : query(
          `delete from role_nodes where (role_id, node_id) in (select r.id, n.id from roles r, permission_nodes n
           where r.seed = 'approver' and n.identifier = '${name}')`,
        );
  const missingOf = async ({ id }: DepositRow, by: TestSession = all) => (await by.api.deposits.many({ ids: [id] }))[0]?.missing;
  const stays = async (row: DepositRow) =>
    expect((await operator.api.deposits.many({ ids: [row.id] }))[0]).toMatchObject({ status: 'created', mint: null });

  test('confirms nothing if disabled between click and commit', async () => {
    const row = await record('0.5');
    const found = await all.api.administrators.list({ filter: {}, sort: 'createdAt', direction: 'asc', cursor: null, limit: 50 });
    const items = found.rows.filter(({ email }) => email === 'approver@demo.local').map(({ id, version }) => ({ id, version }));
    const answer = await confirmWhile(row, approver, () => all.api.administrators.disable({ items }));
    try {
      expect(answer).toMatchObject({ code: 'UNAUTHORIZED' });
      await stays(row);
    } finally {
      await query(`update administrators set enabled = true where email = 'approver@demo.local'`);
      approver = await signInAs(app, 'approver');
    }
  });

  test('confirms nothing if signed out, or without the permission, between click and commit', async () => {
    const row = await record('0.5');
    const ended = await confirmWhile(row, approver, () =>
      query(
        `update sessions set revoked_at = now() where administrator_id = (select id from administrators where email = 'approver@demo.local')`,
      ),
    );
    approver = await signInAs(app, 'approver');
    expect(ended).toMatchObject({ code: 'UNAUTHORIZED' });
    const stripped = await confirmWhile(row, approver, () => right('deposits.confirm', false));
    await right('deposits.confirm', true);
    expect(stripped).toMatchObject({ code: 'FORBIDDEN' });
    await stays(row);
    expect(await confirm(row, approver)).toMatchObject({ status: 'confirmed' });
  });

  test('has a signature that does not count until the permission returns', async () => {
    const row = await record('12');
    await confirm(row, approver);
    expect(await missingOf(row)).toBe(1);
    await right('deposits.confirm', false);
    try {
      expect(await missingOf(row)).toBe(2);
      expect(await confirm(row, all)).toMatchObject({ status: 'created', missing: 1 });
      await stays(row);
    } finally {
      await right('deposits.confirm', true);
    }
    expect(await confirm(row, all)).toMatchObject({ status: 'confirmed' });
  });

  test('is shown as one missing signature if two signers may not count together', async () => {
    const row = await record('12');
    await confirm(row, approver);
    const days = 24 * 3_600_000;
    await storeIn(app.database.db).accountChange({
      of: 'approver@demo.local',
      by: 'admin@demo.local',
      at: new Date(Date.now() - 90 * days),
    });
    try {
      expect([await missingOf(row), await missingOf(row, approver)]).toEqual([2, 1]);
      expect(await keyed(all).deposits.confirm({ ...seen(row), onlySigns: true })).toMatchObject({
        status: 'created',
        missing: 1,
      });
    } finally {
      await query(`delete from account_changes where created_at < now() - interval '80 days'`);
    }
  });

  test('has a signature that waits if a colleague has since chosen the password', async () => {
    const row = await record('12');
    await confirm(row, approver);
    const chosen = (until: string) =>
      query(`update administrators set password_expires_at = ${until} where email = 'approver@demo.local'`);
    await chosen(`now() + interval '1 day'`);
    try {
      expect(await confirm(row, all)).toMatchObject({ status: 'created', missing: 1 });
    } finally {
      await chosen('null');
    }
  });
});

describe('a receiver without an owner', () => {
  const broken = (rule: string) => ({
    code: 'BAD_REQUEST',
    data: { issues: expect.arrayContaining([{ path: 'userAddress', rule }]) },
  });

  test.each([
    ['the zero address', `0x${'0'.repeat(40)}`],
    ['the token itself', ybtc],
    ['the bridge', toChecksumAddress(bridge)],
    ['another contract of the protocol', other],
  ])('%s is no receiver: refused while it is recorded, and when it came into the row otherwise', async (_, userAddress) => {
    await expect(record('0.5', operator, { userAddress })).rejects.toMatchObject(broken('receiver'));
    const row = await record('0.5');
    await app.database.pool.query('update deposits set user_address = $2 where id = $1', [row.id, userAddress]);
    const [now] = await operator.api.deposits.many({ ids: [row.id] });
    if (!now) throw new Error('the deposit is gone');
    await expect(confirm(now, approver)).rejects.toMatchObject(refused('RECEIVER'));
  });

  test('a receiver in lower or upper case is refused, because only the checksum reveals a wrong digit', async () => {
    for (const spelled of [victim.toLowerCase(), `0x${victim.slice(2).toUpperCase()}`])
      await expect(record('0.5', operator, { userAddress: spelled })).rejects.toMatchObject(broken('spelling'));
    await expect(record('0.5', operator, { userAddress: victim.replace('5aA', '5AA') })).rejects.toMatchObject(
      broken('checksum'),
    );
    expect(await record('0.5')).toMatchObject({ userAddress: victim });
  });
});

test('a signature under old rules can be given once more under the current rules', async () => {
  const row = await record('15');
  const sign = () => confirm(row, approver);
  const signatures = async () =>
    (await app.database.pool.query(`select from authority_lines where line like '%"signature"%'`)).rows.length;
  await sign();
  const before = await signatures();
  await expect(sign()).rejects.toMatchObject(refused('SIGNATURES'));
  expect(await signatures()).toBe(before);
  const band = { from: '0', below: null, approvals: 2, role: null, perDay: null, delaySeconds: 1 };
  await keyed(all).authority.setRules({ root: 1, coolingSeconds: 0, receivers: 'any', bands: [band], refundBands: [] });
  const changed = await signatures();
  await sign();
  await expect(sign()).rejects.toMatchObject(refused('SIGNATURES'));
  expect(await signatures()).toBe(changed + 1);
});
