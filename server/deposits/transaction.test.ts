import { once } from 'node:events';
import { createServer } from 'node:http';
import { beforeEach, expect, test } from 'vitest';
import { newId } from '../platform/core/ids.ts';
import { onCleanup } from '../testing/cleanup.ts';
import { createApi, signInAs, createTestApp, type TestSession } from '../testing/support.ts';

const [custodyAddress, alphaCustody] = [
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
];
const foreignAddress = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const [alphaAccount, betaAccount] = ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'];
const block = { confirmed: true, block_height: 900_000, block_hash: 'ab'.repeat(32) };

type SourceResponse = { status?: number; body?: string; isHeld?: true };
type OutputList = readonly (readonly [address: string | null, value: number])[];

const transactionResponse = (txid: string, outputs: OutputList, status: object = block): SourceResponse => ({
  body: JSON.stringify({
    txid,
    vin: [{}],
    vout: outputs.map(([address, value]) => ({ ...(address !== null && { scriptpubkey_address: address }), value })),
    status,
  }),
});
const notFoundResponse: SourceResponse = { status: 404 };
const badGatewayResponse: SourceResponse = { status: 502 };

/** A Bitcoin source that answers every question about a transaction with what `state` holds. */
async function source() {
  const state: { answer: SourceResponse } = { answer: notFoundResponse };
  const server = createServer((_, response) => {
    const { status = 200, body = '', isHeld } = state.answer;
    if (!isHeld) response.writeHead(status).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(async () => {
    server.close();
    server.closeAllConnections();
  });
  const serverAddress = server.address();
  if (serverAddress === null || typeof serverAddress === 'string') throw new Error('no port');
  return { name: `127.0.0.1:${serverAddress.port}`, state };
}

const [firstSource, secondSource] = [await source(), await source()];
const contracts = ['YU', 'YBTC', 'TROVE_MANAGER', 'STABILITY_POOL', 'MULTI_TROVE_GETTERS', 'CUSTODY_BRIDGE'];
const app = await createTestApp(
  {
    ESPLORA_URLS: `http://${firstSource.name},http://${secondSource.name}`,
    CUSTODY_ADDRESSES: `${custodyAddress},${alphaCustody}`,
    READS_PER_MINUTE: '1000000',
    EVM_RPC_URL: 'http://127.0.0.1:9',
    EVM_CHAIN_ID: '31337',
    MINTER_KEY: `0x${'22'.repeat(32)}`,
    ...Object.fromEntries(contracts.map((name, index) => [`${name}_ADDRESS`, `0x${`1${index}`.repeat(20)}`])),
  },
  { jobs: false },
);
const [operatorSession, adminSession] = [await signInAs(app, 'operator'), await signInAs(app, 'all')];
const approver = await signInAs(app, 'approver');
const idempotentApi = ({ headers }: TestSession) => createApi(app, { ...headers, 'idempotency-key': newId() });
for (const [address, institution, custody] of [
  [alphaAccount, 'Alpha Bank', [alphaCustody]],
  [betaAccount, 'Beta Fund', []],
] as const) {
  const { id } = await idempotentApi(adminSession).authority.addReceiver({
    address,
    institution,
    custody: [...custody],
    payout: [],
  });
  await idempotentApi(approver).authority.sign({ id });
}
app.clock.now += 1000;

let nextTxid = 1;
let txid = '';
beforeEach(() => {
  txid = (nextTxid++).toString(16).padStart(64, '5');
});
const setResponses = (firstResponse: SourceResponse, secondResponse: SourceResponse = firstResponse) => {
  firstSource.state.answer = firstResponse;
  secondSource.state.answer = secondResponse;
};
const readTransaction = ({ api }: TestSession = operatorSession) => api.deposits.transaction({ txid });

test('finds the outputs to custody addresses among others, with the institutions that may receive their YBTC', async () => {
  setResponses(
    transactionResponse(txid, [
      [foreignAddress, 7],
      [custodyAddress, 5_000],
      [null, 0],
      [alphaCustody, 6_000],
    ]),
  );
  expect(await readTransaction()).toEqual({
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
        address: custodyAddress,
        known: null,
        receivers: [
          { address: alphaAccount, institution: 'Alpha Bank' },
          { address: betaAccount, institution: 'Beta Fund' },
        ],
      },
      {
        vout: 3,
        amount: '6000',
        address: alphaCustody,
        known: null,
        receivers: [{ address: alphaAccount, institution: 'Alpha Bank' }],
      },
    ],
  });
});

test('names the deposit that already has an output', async () => {
  setResponses(
    transactionResponse(txid, [
      [custodyAddress, 5_000],
      [custodyAddress, 6_000],
    ]),
  );
  const fields = {
    userAddress: betaAccount,
    amount: '6000',
    coboAddress: custodyAddress,
    txid,
    vout: 1,
    type: 'cobo',
    lockTime: null,
    remarks: '',
  };
  const row = await operatorSession.api.deposits.add({ ...fields, type: 'cobo' });
  expect((await readTransaction()).ours.map(({ known }) => known)).toEqual([null, row.id]);
});

test('finds none of our outputs in a payment to someone else', async () => {
  setResponses(transactionResponse(txid, [[foreignAddress, 5_000]]));
  expect(await readTransaction()).toMatchObject({ verdict: 'found', outputs: 1, ours: [] });
});

test('says that a transaction isn’t mined yet', async () => {
  setResponses(transactionResponse(txid, [[custodyAddress, 5_000]], { confirmed: false }));
  expect(await readTransaction()).toMatchObject({ verdict: 'found', mined: false, ours: [{ amount: '5000' }] });
});

test.each([
  ['no source knows the transaction', () => setResponses(notFoundResponse), 'missing'],
  [
    'one source doesn’t know the transaction yet',
    () => setResponses(transactionResponse(txid, [[custodyAddress, 5]]), notFoundResponse),
    'partial',
  ],
  [
    'a source shows another amount',
    () => setResponses(transactionResponse(txid, [[custodyAddress, 5]]), transactionResponse(txid, [[custodyAddress, 6]])),
    'disagree',
  ],
  [
    'a source shows another address',
    () => setResponses(transactionResponse(txid, [[custodyAddress, 5]]), transactionResponse(txid, [[alphaCustody, 5]])),
    'disagree',
  ],
  [
    'a source shows one more output',
    () =>
      setResponses(
        transactionResponse(txid, [[custodyAddress, 5]]),
        transactionResponse(txid, [
          [custodyAddress, 5],
          [custodyAddress, 9],
        ]),
      ),
    'disagree',
  ],
  ['no source answers', () => setResponses(badGatewayResponse), 'unreachable'],
  ['one source is down and the other doesn’t know it', () => setResponses(badGatewayResponse, notFoundResponse), 'unreachable'],
  [
    'both answer with another transaction',
    () => setResponses(transactionResponse('ab'.repeat(32), [[custodyAddress, 5]])),
    'unreachable',
  ],
] as const)('fills nothing in when %s', async (_when, prepareSources, verdict) => {
  prepareSources();
  expect(await readTransaction()).toMatchObject({ verdict, ours: [] });
});

test('uses the sources that answer, and names the one that doesn’t', async () => {
  setResponses(transactionResponse(txid, [[custodyAddress, 5_000]]), badGatewayResponse);
  expect(await readTransaction()).toMatchObject({ verdict: 'found', silent: [secondSource.name], ours: [{ amount: '5000' }] });
});

test('answers within seconds when a source never does', async () => {
  setResponses(transactionResponse(txid, [[custodyAddress, 5_000]]), { isHeld: true });
  const from = performance.now();
  expect(await readTransaction()).toMatchObject({ verdict: 'found', silent: [secondSource.name] });
  expect(performance.now() - from).toBeLessThan(8_000);
}, 20_000);

test('needs the permission to add deposits', async () => {
  setResponses(transactionResponse(txid, [[custodyAddress, 5_000]]));
  const analystSession = await signInAs(app, 'analyst');
  for (const session of [approver, analystSession])
    await expect(readTransaction(session)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(createApi(app).deposits.transaction({ txid })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});
