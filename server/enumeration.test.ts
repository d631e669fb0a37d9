import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { send, testApp, type TestApp } from './platform/test-support.ts';
import { testWallet } from './platform/test-wallet.ts';
import { administrators } from './tables.ts';

const known = 'editor@demo.local';
const wallet = testWallet({ secret: Buffer.alloc(32, 31) });
const stranger = testWallet({ secret: Buffer.alloc(32, 32) });

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ SIGN_IN_FREE: '10000', SIGN_IN_PER_NETWORK: '1000000' });
  await app.database.db.update(administrators).set({ walletAddress: wallet.address }).where(eq(administrators.email, known));
  await app.database.db.update(administrators).set({ enabled: false }).where(eq(administrators.email, 'analyst@demo.local'));
});

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

/**
 * How many times longer the one takes than the other. They go in turns, each first every other time, and only medians are
 * compared: what else the machine does meets both alike, and a bad moment counts for nothing.
 */
async function ratio(one: () => Promise<unknown>, other: () => Promise<unknown>, rounds: number): Promise<number> {
  const took = { one: [] as number[], other: [] as number[] };
  const time = async (which: keyof typeof took, work: () => Promise<unknown>) => {
    const started = performance.now();
    await work();
    took[which].push(performance.now() - started);
  };
  for (let warm = 0; warm < 3; warm++) await one().then(other);
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) await time('one', one).then(() => time('other', other));
    else await time('other', other).then(() => time('one', one));
  }
  return median(took.one) / median(took.other);
}

// Without the hash of nothing an unknown account answers in a quarter of the time; the bound is far from both.
const least = 1 / 1.6;
const most = 1.6;

const signIn = async (email: string) => {
  const response = await send(app, 'POST', '/api/session', { email, password: 'not the password, guessed' });
  expect(response.status).toBe(401);
  return { headers: [...response.headers.keys()], body: { ...(await response.json()), requestId: '' } };
};
const challenge = async (address: string) => {
  app.clock.now += 1_100; // sixty a minute are given
  const response = await send(app, 'POST', '/api/wallet/challenge', { address });
  expect(response.status).toBe(200);
  return { headers: [...response.headers.keys()], body: Object.keys(await response.json()) };
};

describe('whether there is an account cannot be told', () => {
  test.each(['nobody@example.com', 'analyst@demo.local'])('at sign-in, from the answer to %s', async (email) => {
    expect(await signIn(email)).toEqual(await signIn(known));
  });

  test('at sign-in, from how long it takes', async () => {
    const unknown = () => signIn(`${randomUUID()}@example.com`);
    const found = await ratio(() => signIn(known), unknown, 60);
    expect(found).toBeGreaterThan(least);
    expect(found).toBeLessThan(most);
  });

  test('from a disabled account either', async () => {
    const found = await ratio(
      () => signIn('analyst@demo.local'),
      () => signIn(known),
      60,
    );
    expect(found).toBeGreaterThan(least);
    expect(found).toBeLessThan(most);
  });

  test('from what a wallet is asked, nor from how long that takes', async () => {
    expect(await challenge(stranger.address)).toEqual(await challenge(wallet.address));
    const found = await ratio(
      () => challenge(wallet.address),
      () => challenge(stranger.address),
      100,
    );
    expect(found).toBeGreaterThan(least);
    expect(found).toBeLessThan(most);
  });
});
