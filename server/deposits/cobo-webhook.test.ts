import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { send, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
const thiefAddress = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const user = '0x52908400098527886E0F7030069857D2E4169EE7';
const coboCustodyAddress = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const foreignAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

let app: TestApp;
let operator: TestSession;
beforeAll(async () => {
  app = await createTestApp({ COBO_WEBHOOK_KEY: key, BITCOIN_NETWORK: 'regtest', PUBLIC_URL: 'http://127.0.0.1:9' });
  operator = await signInAs(app, 'operator');
});
beforeEach(() => app.database.pool.query('truncate deposits, deposit_blocks cascade; delete from cobo_events'));

const insertHistory = ({ userAddress = user, coboAddress = coboCustodyAddress, txid = 'a'.repeat(64) } = {}) =>
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
async function insertKnownAddress(overrides: Parameters<typeof insertHistory>[0] = {}): Promise<void> {
  const { id } = await insertHistory(overrides);
  await app.database.pool.query(`update deposits set status = 'confirmed', mint_status = 'done' where id = $1`, [id]);
}

interface DeliveryFields {
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
const createBody = ({
  event = randomUUID(),
  transaction = 't-1',
  txid = 'b'.repeat(64),
  amount = '0.5',
  ...fields
}: DeliveryFields) =>
  JSON.stringify({
    event_id: event,
    url: 'https://panel.example/',
    type: 'wallets.transaction.updated',
    data: {
      transaction_id: transaction,
      type: fields.type ?? 'Deposit',
      status: fields.status ?? 'Confirming',
      chain_id: fields.chain ?? 'XTN',
      token_id: 'XTN',
      transaction_hash: txid,
      updated_timestamp: fields.at ?? 1000,
      destination: {
        destination_type: 'DepositToAddress',
        address: fields.address ?? coboCustodyAddress,
        amount,
        tx_info: { vout_n: 1 },
      },
    },
  });

function signBody(body: string, timestamp = '1700000000000') {
  const bodyHash = createHash('sha256').update(`${body}|${timestamp}`).digest();
  const digest = createHash('sha256').update(bodyHash).digest();
  return {
    'content-type': 'application/json',
    biz_timestamp: timestamp,
    biz_resp_signature: sign(null, digest, privateKey).toString('hex'),
  };
}
const postDelivery = (body: string, headers: Record<string, string> = signBody(body)) =>
  send(app, 'POST', '/public/cobo/webhook', body, headers);
const deliverEvent = async (delivery: DeliveryFields) => expect((await postDelivery(createBody(delivery))).status).toBe(200);

const rows = async () =>
  (
    await app.database.pool.query(
      'select txid, vout, amount::text, user_address, cobo_address, status, modified_email, remarks, version from deposits order by created_at, id',
    )
  ).rows;
const readOutcomes = async () =>
  (await app.database.pool.query('select outcome from cobo_events order by received_at, said_at, id')).rows.map(
    ({ outcome }) => outcome,
  );
const readAudit = async () =>
  (await app.database.pool.query(`select action from audit where route = 'server' and entity = 'deposit' order by seq`)).rows.map(
    ({ action }) => action,
  );

test('a deposit to a known address is recorded for its owner, waits for a person, and is audited', async () => {
  await insertKnownAddress();
  const auditCountBefore = (await readAudit()).length;
  await deliverEvent({ amount: '0.12345678' });
  const [, row] = await rows();
  expect(row).toEqual({
    txid: 'b'.repeat(64),
    vout: 1,
    amount: '12345678',
    user_address: user,
    cobo_address: coboCustodyAddress,
    status: 'created',
    modified_email: 'Cobo',
    remarks: 'Cobo t-1',
    version: 1,
  });
  expect((await readAudit()).slice(auditCountBefore)).toEqual(['recordedByCobo']);
  const depositPage = await operator.api.deposits.list({
    filter: {},
    sort: 'createdAt',
    direction: 'desc',
    cursor: null,
    limit: 50,
  });
  expect(depositPage.rows.find(({ txid }) => txid === 'b'.repeat(64))).toMatchObject({ createdEmail: null, own: false });
});

test('a delivery without a valid signature of its exact bytes is refused', async () => {
  await insertKnownAddress();
  const body = createBody({});
  const headers = signBody(body);
  const wrongHeaders = [
    {},
    {
      ...headers,
      biz_resp_signature: headers.biz_resp_signature.replace(/^../, (firstDigits) => (firstDigits === '00' ? '11' : '00')),
    },
    { ...headers, biz_timestamp: '1700000000001' },
    { ...headers, biz_timestamp: '' },
    { ...headers, biz_resp_signature: 'x' },
  ];
  for (const headers of wrongHeaders)
    expect((await postDelivery(body, { 'content-type': 'application/json', ...headers })).status).toBe(401);
  expect((await postDelivery(body.replace('0.5', '0.6'), headers)).status).toBe(401);
  expect(await rows()).toHaveLength(1);
  expect(await readOutcomes()).toEqual([]);
  expect((await postDelivery('{"event_id":1}')).status).toBe(400);
  expect((await postDelivery('not json')).status).toBe(400);
});

test('repeated deliveries, concurrent and under another event, make one deposit', async () => {
  await insertKnownAddress();
  const body = createBody({ event: 'e-1' });
  const responses = await Promise.all([postDelivery(body), postDelivery(body), postDelivery(body)]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  await deliverEvent({ event: 'e-2', at: 2000, status: 'Completed' });
  expect(await rows()).toHaveLength(2);
  expect((await readOutcomes()).toSorted()).toEqual(['kept', 'recorded']);
});

test('a late older delivery changes nothing, and a newer one updates an untouched deposit', async () => {
  await insertKnownAddress();
  await deliverEvent({ at: 2000, amount: '0.5' });
  await deliverEvent({ at: 1000, amount: '0.1' });
  expect((await rows())[1]).toMatchObject({ amount: '50000000', version: 1 });
  await deliverEvent({ at: 3000, amount: '0.7' });
  expect((await rows())[1]).toMatchObject({ amount: '70000000', version: 2 });
  expect(await readOutcomes()).toContain('late');
});

test('a delivery does not change a deposit that a person edited or confirmed', async () => {
  await insertKnownAddress();
  await deliverEvent({ at: 1000 });
  const page = await operator.api.deposits.list({ filter: {}, sort: 'createdAt', direction: 'desc', cursor: null, limit: 50 });
  const row = page.rows.find(({ txid }) => txid === 'b'.repeat(64));
  if (!row) throw new Error('not recorded');
  const { userAddress, amount, coboAddress, txid, vout, type, lockTime } = row;
  const fields = { userAddress, amount, coboAddress, txid, vout, type, lockTime, remarks: 'looked at' };
  await operator.api.deposits.edit({ ...fields, id: row.id, version: row.version });
  await deliverEvent({ at: 2000, amount: '0.9' });
  expect((await rows())[1]).toMatchObject({ amount: '50000000', remarks: 'looked at' });
  expect(await readOutcomes()).toEqual(['recorded', 'kept']);
});

test('unknown addresses, other chains, rejections and other events record nothing', async () => {
  await deliverEvent({});
  await insertKnownAddress();
  await deliverEvent({ transaction: 't-2', chain: 'BTC' });
  await deliverEvent({ transaction: 't-3', type: 'Withdrawal' });
  await deliverEvent({ transaction: 't-4', status: 'Rejected' });
  await deliverEvent({ transaction: 't-5', address: foreignAddress });
  await deliverEvent({ transaction: 't-6', amount: '0.000000001' });
  expect(await rows()).toHaveLength(1);
  expect((await readOutcomes()).toSorted()).toEqual(['blocked', 'other', 'other', 'other', 'other', 'unknownAddress']);
});

test('an unminted deposit does not make its recorder the owner of an address', async () => {
  await insertHistory({ userAddress: thiefAddress });
  await deliverEvent({});
  expect(await readOutcomes()).toEqual(['unknownAddress']);
  await insertKnownAddress({ txid: 'c'.repeat(64) });
  await insertHistory({ userAddress: thiefAddress, txid: 'd'.repeat(64) });
  await deliverEvent({ transaction: 't-2' });
  expect((await rows()).find(({ txid }) => txid === 'b'.repeat(64))).toMatchObject({ user_address: user });
});

test('an address with minted deposits of two owners waits for a person', async () => {
  await insertKnownAddress();
  await insertKnownAddress({ userAddress: thiefAddress, txid: 'c'.repeat(64) });
  await deliverEvent({});
  expect(await readOutcomes()).toEqual(['unknownAddress']);
  expect(await rows()).toHaveLength(2);
});

test('a later delivery with another address does not keep the first owner', async () => {
  const unknownAddress = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry';
  await insertKnownAddress();
  await deliverEvent({ at: 1000 });
  await deliverEvent({ at: 2000, address: unknownAddress });
  expect((await rows())[1]).toMatchObject({ cobo_address: coboCustodyAddress, version: 1 });
  await insertKnownAddress({ userAddress: thiefAddress, coboAddress: unknownAddress, txid: 'c'.repeat(64) });
  await deliverEvent({ at: 3000, address: unknownAddress });
  expect((await rows())[1]).toMatchObject({ cobo_address: coboCustodyAddress, user_address: user, version: 1 });
  expect(await readOutcomes()).toEqual(['recorded', 'unknownAddress', 'unknownAddress']);
});

test('the webhook does not exist without its key', async () => {
  const appWithoutCobo = await createTestApp();
  const body = createBody({});
  expect((await send(appWithoutCobo, 'POST', '/public/cobo/webhook', body, signBody(body))).status).toBe(404);
});
