import { expect, test } from 'vitest';
import { newId } from '../platform/core/ids.ts';
import { createApi, signInAs, createTestApp, type TestSession } from '../testing/support.ts';

const [sharedAddress, alphaAddress] = [
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
];
const payoutAddress = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const [alphaAccount, otherAccount] = ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'];
const contracts = ['YU', 'YBTC', 'TROVE_MANAGER', 'STABILITY_POOL', 'MULTI_TROVE_GETTERS', 'CUSTODY_BRIDGE'];
const app = await createTestApp(
  {
    CUSTODY_ADDRESSES: `${sharedAddress},${alphaAddress}`,
    EVM_RPC_URL: 'http://127.0.0.1:9',
    EVM_CHAIN_ID: '31337',
    MINTER_KEY: `0x${'22'.repeat(32)}`,
    ...Object.fromEntries(contracts.map((name, index) => [`${name}_ADDRESS`, `0x${`1${index}`.repeat(20)}`])),
  },
  { jobs: false },
);
const [adminSession, approver, operator] = [
  await signInAs(app, 'all'),
  await signInAs(app, 'approver'),
  await signInAs(app, 'operator'),
];
const idempotentApi = ({ headers }: TestSession) => createApi(app, { ...headers, 'idempotency-key': newId() });

test('lists entries with all their addresses, and accounts with deposits but without an entry', async () => {
  const entry = { address: alphaAccount, institution: 'Alpha Bank', custody: [alphaAddress], payout: [payoutAddress] };
  const { id } = await idempotentApi(adminSession).authority.addReceiver(entry);
  await idempotentApi(approver).authority.sign({ id });
  const fields = { amount: '5', vout: 0, type: 'cobo', lockTime: null, remarks: '' } as const;
  for (const [index, [userAddress, coboAddress]] of (
    [
      [otherAccount, sharedAddress],
      [otherAccount, alphaAddress],
      [alphaAccount, alphaAddress],
    ] as const
  ).entries())
    await operator.api.deposits.add({ ...fields, userAddress, coboAddress, txid: `${index}`.repeat(64) });
  expect(await adminSession.api.authority.knownReceivers()).toEqual([
    { ...entry, listed: true, deposits: 1 },
    { address: otherAccount, institution: '', custody: [sharedAddress], payout: [], listed: false, deposits: 2 },
  ]);
});

test('needs the permission to add receivers', async () => {
  await expect(operator.api.authority.knownReceivers()).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
