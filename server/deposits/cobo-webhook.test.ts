import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { send, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
const thief = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const user = '0x52908400098527886E0F7030069857D2E4169EE7';
const cobo = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const other = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

let app: TestApp;
let operator: TestSession;
beforeAll(async () => {
  app = await testApp({ COBO_WEBHOOK_KEY: key, BITCOIN_NETWORK: 'regtest', PUBLIC_URL: 'http://127.0.0.1:9' });
  operator = await signInAs(app, 'operator');
});
beforeEach(() => app.database.pool.query('truncate deposits, deposit_blocks cascade; delete from cobo_events'));

const planted = ({ userAddress = user, coboAddress = cobo, txid = 'a'.repeat(64) } = {}) =>
  operator.api.deposits.add({
    userAddress,
    amount: '1000',
    coboAddress,
    txid,
    vout: 0,
    type: 'cobo',
    lockTime: null,
    remarks: '',
  });

/** A minted deposit, which proves the owner of the address. */
async function known(of: Parameters<typeof planted>[0] = {}): Promise<void> {
  const { id } = await planted(of);
  await app.database.pool.query(`update deposits set status = 'confirmed', mint_status = 'done' where id = $1`, [id]);
}

interface Said {
  event?: string;
  transaction?: string;
  txid?: string;
  amount?: string;
  address?: string;
  status?: string;
  type?: string;
  chain?: string;
  at?: number;
}
const bodyOf = ({ event = randomUUID(), transaction = 't-1', txid = 'b'.repeat(64), amount = '0.5', ...said }: Said) =>
  JSON.stringify({
    event_id: event,
    url: 'https://panel.example/',
    type: 'wallets.transaction.updated',
    data: {
      transaction_id: transaction,
      type: said.type ?? 'Deposit',
      status: said.status ?? 'Confirming',
      chain_id: said.chain ?? 'XTN',
      token_id: 'XTN',
      transaction_hash: txid,
      updated_timestamp: said.at ?? 1000,
      destination: { destination_type: 'DepositToAddress', address: said.address ?? cobo, amount, tx_info: { vout_n: 1 } },
    },
  });

function signed(body: string, timestamp = '1700000000000') {
  const once = createHash('sha256').update(`${body}|${timestamp}`).digest();
  const digest = createHash('sha256').update(once).digest();
  return {
    'content-type': 'application/json',
    biz_timestamp: timestamp,
    biz_resp_signature: sign(null, digest, privateKey).toString('hex'),
  };
}
const post = (body: string, headers: Record<string, string> = signed(body)) =>
  send(app, 'POST', '/public/cobo/webhook', body, headers);
const deliver = async (reported: Said) => expect((await post(bodyOf(reported))).status).toBe(200);

const rows = async () =>
  (
    await app.database.pool.query(
      'select txid, vout, amount::text, user_address, cobo_address, status, modified_email, remarks, version from deposits order by created_at, id',
    )
  ).rows;
const outcomes = async () =>
  (await app.database.pool.query('select outcome from cobo_events order by received_at, said_at, id')).rows.map(
    ({ outcome }) => outcome,
  );
const audited = async () =>
  (await app.database.pool.query(`select action from audit where route = 'server' and entity = 'deposit' order by seq`)).rows.map(
    ({ action }) => action,
  );

test('a deposit to a known address is recorded for its owner, waits for a person, and is audited', async () => {
  await known();
  const before = (await audited()).length;
  await deliver({ amount: '0.12345678' });
  const [, row] = await rows();
  expect(row).toEqual({
    txid: 'b'.repeat(64),
    vout: 1,
    amount: '12345678',
    user_address: user,
    cobo_address: cobo,
    status: 'created',
    modified_email: 'Cobo',
    remarks: 'Cobo t-1',
    version: 1,
  });
  expect((await audited()).slice(before)).toEqual(['recordedByCobo']);
  const listed = await operator.api.deposits.list({ filter: {}, sort: 'createdAt', direction: 'desc', cursor: null, limit: 50 });
  expect(listed.rows.find(({ txid }) => txid === 'b'.repeat(64))).toMatchObject({ createdEmail: null, own: false });
});

test('a delivery without a valid signature of its exact bytes is refused', async () => {
  await known();
  const body = bodyOf({});
  const headers = signed(body);
  const wrong = [
    {},
    { ...headers, biz_resp_signature: headers.biz_resp_signature.replace(/^../, (two) => (two === '00' ? '11' : '00')) },
    { ...headers, biz_timestamp: '1700000000001' },
    { ...headers, biz_timestamp: '' },
    { ...headers, biz_resp_signature: 'x' },
  ];
  for (const each of wrong) expect((await post(body, { 'content-type': 'application/json', ...each })).status).toBe(401);
  expect((await post(body.replace('0.5', '0.6'), headers)).status).toBe(401);
  expect(await rows()).toHaveLength(1);
  expect(await outcomes()).toEqual([]);
  expect((await post('{"event_id":1}')).status).toBe(400);
  expect((await post('not json')).status).toBe(400);
});

test('repeated deliveries, concurrent and under another event, make one deposit', async () => {
  await known();
  const body = bodyOf({ event: 'e-1' });
  const answers = await Promise.all([post(body), post(body), post(body)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await deliver({ event: 'e-2', at: 2000, status: 'Completed' });
  expect(await rows()).toHaveLength(2);
  expect((await outcomes()).toSorted()).toEqual(['kept', 'recorded']);
});

test('a late older delivery changes nothing, and a newer one updates an untouched deposit', async () => {
  await known();
  await deliver({ at: 2000, amount: '0.5' });
  await deliver({ at: 1000, amount: '0.1' });
  expect((await rows())[1]).toMatchObject({ amount: '50000000', version: 1 });
  await deliver({ at: 3000, amount: '0.7' });
  expect((await rows())[1]).toMatchObject({ amount: '70000000', version: 2 });
  expect(await outcomes()).toContain('late');
});

test('a delivery does not change a deposit that a person edited or confirmed', async () => {
  await known();
  await deliver({ at: 1000 });
  const page = await operator.api.deposits.list({ filter: {}, sort: 'createdAt', direction: 'desc', cursor: null, limit: 50 });
  const row = page.rows.find(({ txid }) => txid === 'b'.repeat(64));
  if (!row) throw new Error('not recorded');
  const { userAddress, amount, coboAddress, txid, vout, type, lockTime } = row;
  const fields = { userAddress, amount, coboAddress, txid, vout, type, lockTime, remarks: 'looked at' };
  await operator.api.deposits.edit({ ...fields, id: row.id, version: row.version });
  await deliver({ at: 2000, amount: '0.9' });
  expect((await rows())[1]).toMatchObject({ amount: '50000000', remarks: 'looked at' });
  expect(await outcomes()).toEqual(['recorded', 'kept']);
});

test('unknown addresses, other chains, rejections and other events record nothing', async () => {
  await deliver({});
  await known();
  await deliver({ transaction: 't-2', chain: 'BTC' });
  await deliver({ transaction: 't-3', type: 'Withdrawal' });
  await deliver({ transaction: 't-4', status: 'Rejected' });
  await deliver({ transaction: 't-5', address: other });
  await deliver({ transaction: 't-6', amount: '0.000000001' });
  expect(await rows()).toHaveLength(1);
  expect((await outcomes()).toSorted()).toEqual(['blocked', 'other', 'other', 'other', 'other', 'unknownAddress']);
});

test('an unminted deposit does not make its recorder the owner of an address', async () => {
  await planted({ userAddress: thief });
  await deliver({});
  expect(await outcomes()).toEqual(['unknownAddress']);
  await known({ txid: 'c'.repeat(64) });
  await planted({ userAddress: thief, txid: 'd'.repeat(64) });
  await deliver({ transaction: 't-2' });
  expect((await rows()).find(({ txid }) => txid === 'b'.repeat(64))).toMatchObject({ user_address: user });
});

test('an address with minted deposits of two owners waits for a person', async () => {
  await known();
  await known({ userAddress: thief, txid: 'c'.repeat(64) });
  await deliver({});
  expect(await outcomes()).toEqual(['unknownAddress']);
  expect(await rows()).toHaveLength(2);
});

test('a later delivery with another address does not keep the first owner', async () => {
  const elsewhere = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry';
  await known();
  await deliver({ at: 1000 });
  await deliver({ at: 2000, address: elsewhere });
  expect((await rows())[1]).toMatchObject({ cobo_address: cobo, version: 1 });
  await known({ userAddress: thief, coboAddress: elsewhere, txid: 'c'.repeat(64) });
  await deliver({ at: 3000, address: elsewhere });
  expect((await rows())[1]).toMatchObject({ cobo_address: cobo, user_address: user, version: 1 });
  expect(await outcomes()).toEqual(['recorded', 'unknownAddress', 'unknownAddress']);
});

test('the webhook does not exist without its key', async () => {
  const bare = await testApp();
  const body = bodyOf({});
  expect((await send(bare, 'POST', '/public/cobo/webhook', body, signed(body))).status).toBe(404);
});
