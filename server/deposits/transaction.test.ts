import { once } from 'node:events';
import { createServer } from 'node:http';
import { beforeEach, expect, test } from 'vitest';
import { newId } from '../platform/core/ids.ts';
import { atEnd } from '../testing/end.ts';
import { apiOf, signInAs, testApp, type TestSession } from '../testing/support.ts';

const [ours, alphas] = ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'];
const elsewhere = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const [alpha, beta] = ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'];
const block = { confirmed: true, block_height: 900_000, block_hash: 'ab'.repeat(32) };

type Answer = { status?: number; body?: string; isHeld?: true };
type Outputs = readonly (readonly [address: string | null, value: number])[];

const shows = (txid: string, outputs: Outputs, status: object = block): Answer => ({
  body: JSON.stringify({
    txid,
    vin: [{}],
    vout: outputs.map(([address, value]) => ({ ...(address !== null && { scriptpubkey_address: address }), value })),
    status,
  }),
});
const unknown: Answer = { status: 404 };
const down: Answer = { status: 502 };

/** A Bitcoin source that answers every question about a transaction with what `state` holds. */
async function source() {
  const state: { answer: Answer } = { answer: unknown };
  const server = createServer((_, response) => {
    const { status = 200, body = '', isHeld } = state.answer;
    if (!isHeld) response.writeHead(status).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(async () => {
    server.close();
    server.closeAllConnections();
  });
  const at = server.address();
  if (at === null || typeof at === 'string') throw new Error('no port');
  return { name: `127.0.0.1:${at.port}`, state };
}

const [one, two] = [await source(), await source()];
const contracts = ['YU', 'YBTC', 'TROVE_MANAGER', 'STABILITY_POOL', 'MULTI_TROVE_GETTERS', 'CUSTODY_BRIDGE'];
const app = await testApp(
  {
    ESPLORA_URLS: `http://${one.name},http://${two.name}`,
    CUSTODY_ADDRESSES: `${ours},${alphas}`,
    READS_PER_MINUTE: '1000000',
    EVM_RPC_URL: 'http://127.0.0.1:9',
    EVM_CHAIN_ID: '31337',
    MINTER_KEY: `0x${'22'.repeat(32)}`,
    ...Object.fromEntries(contracts.map((name, at) => [`${name}_ADDRESS`, `0x${`1${at}`.repeat(20)}`])),
  },
  { jobs: false },
);
const [operator, all] = [await signInAs(app, 'operator'), await signInAs(app, 'all')];
const approver = await signInAs(app, 'approver');
const keyed = ({ headers }: TestSession) => apiOf(app, { ...headers, 'idempotency-key': newId() });
for (const [address, institution, custody] of [
  [alpha, 'Alpha Bank', [alphas]],
  [beta, 'Beta Fund', []],
] as const) {
  const { id } = await keyed(all).authority.addReceiver({ address, institution, custody: [...custody], payout: [] });
  await keyed(approver).authority.sign({ id });
}
app.clock.now += 1000;

let next = 1;
let txid = '';
beforeEach(() => {
  txid = (next++).toString(16).padStart(64, '5');
});
const say = (first: Answer, second: Answer = first) => {
  one.state.answer = first;
  two.state.answer = second;
};
const ask = ({ api }: TestSession = operator) => api.deposits.transaction({ txid });

test('finds the outputs to custody addresses among others, with the institutions that may receive their YBTC', async () => {
  say(
    shows(txid, [
      [elsewhere, 7],
      [ours, 5_000],
      [null, 0],
      [alphas, 6_000],
    ]),
  );
  expect(await ask()).toEqual({
    txid,
    network: 'mainnet',
    verdict: 'found',
    silent: [],
    mined: true,
    outputs: 4,
    ours: [
      {
        vout: 1,
        amount: '5000',
        address: ours,
        known: null,
        receivers: [
          { address: alpha, institution: 'Alpha Bank' },
          { address: beta, institution: 'Beta Fund' },
        ],
      },
      { vout: 3, amount: '6000', address: alphas, known: null, receivers: [{ address: alpha, institution: 'Alpha Bank' }] },
    ],
  });
});

test('names the deposit that already has an output', async () => {
  say(
    shows(txid, [
      [ours, 5_000],
      [ours, 6_000],
    ]),
  );
  const fields = {
    userAddress: beta,
    amount: '6000',
    coboAddress: ours,
    txid,
    vout: 1,
    type: 'cobo',
    lockTime: null,
    remarks: '',
  };
  const row = await operator.api.deposits.add({ ...fields, type: 'cobo' });
  expect((await ask()).ours.map(({ known }) => known)).toEqual([null, row.id]);
});

test('finds none of our outputs in a payment to someone else', async () => {
  say(shows(txid, [[elsewhere, 5_000]]));
  expect(await ask()).toMatchObject({ verdict: 'found', outputs: 1, ours: [] });
});

test('says that a transaction isn’t mined yet', async () => {
  say(shows(txid, [[ours, 5_000]], { confirmed: false }));
  expect(await ask()).toMatchObject({ verdict: 'found', mined: false, ours: [{ amount: '5000' }] });
});

test.each([
  ['no source knows the transaction', () => say(unknown), 'missing'],
  ['one source doesn’t know the transaction yet', () => say(shows(txid, [[ours, 5]]), unknown), 'partial'],
  ['a source shows another amount', () => say(shows(txid, [[ours, 5]]), shows(txid, [[ours, 6]])), 'disagree'],
  ['a source shows another address', () => say(shows(txid, [[ours, 5]]), shows(txid, [[alphas, 5]])), 'disagree'],
  [
    'a source shows one more output',
    () =>
      say(
        shows(txid, [[ours, 5]]),
        shows(txid, [
          [ours, 5],
          [ours, 9],
        ]),
      ),
    'disagree',
  ],
  ['no source answers', () => say(down), 'unreachable'],
  ['one source is down and the other doesn’t know it', () => say(down, unknown), 'unreachable'],
  ['both answer with another transaction', () => say(shows('ab'.repeat(32), [[ours, 5]])), 'unreachable'],
] as const)('fills nothing in when %s', async (_when, prepare, verdict) => {
  prepare();
  expect(await ask()).toMatchObject({ verdict, ours: [] });
});

test('uses the sources that answer, and names the one that doesn’t', async () => {
  say(shows(txid, [[ours, 5_000]]), down);
  expect(await ask()).toMatchObject({ verdict: 'found', silent: [two.name], ours: [{ amount: '5000' }] });
});

test('answers within seconds when a source never does', async () => {
  say(shows(txid, [[ours, 5_000]]), { isHeld: true });
  const from = performance.now();
  expect(await ask()).toMatchObject({ verdict: 'found', silent: [two.name] });
  expect(performance.now() - from).toBeLessThan(8_000);
}, 20_000);

test('needs the permission to add deposits', async () => {
  say(shows(txid, [[ours, 5_000]]));
  const analyst = await signInAs(app, 'analyst');
  for (const who of [approver, analyst]) await expect(ask(who)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(apiOf(app).deposits.transaction({ txid })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});
