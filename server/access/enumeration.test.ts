import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { send, testApp, type TestApp } from '../testing/support.ts';
import { testWallet } from '../testing/wallet.ts';
import { administrators } from '../platform/auth/tables.ts';

const known = 'editor@demo.local';
const wallet = testWallet({ secret: Buffer.alloc(32, 31) });
const stranger = testWallet({ secret: Buffer.alloc(32, 32) });

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ SIGN_IN_FREE: '10000', SIGN_IN_PER_NETWORK: '1000000' });
  await app.database.db.update(administrators).set({ walletAddress: wallet.address }).where(eq(administrators.email, known));
  await app.database.db.update(administrators).set({ enabled: false }).where(eq(administrators.email, 'analyst@demo.local'));
});

/** The lower quartile, because other load only adds time. */
const quartile = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 2] ?? NaN;

/**
 * Alternates both calls, so that load affects them alike. The most equal of three measurements counts, because a real difference
 * is in all of them.
 */
async function ratio(one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<number> {
  const found: number[] = [];
  while (found.length < 3) {
    found.push(await measure(one, other));
    if (Math.abs(Math.log(found.at(-1) ?? NaN)) < Math.log(max) / 2) break;
  }
  return found.toSorted((a, b) => Math.abs(Math.log(a)) - Math.abs(Math.log(b)))[0] ?? NaN;
}

async function measure(one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<number> {
  const took = { one: [] as number[], other: [] as number[] };
  const time = async (which: keyof typeof took, work: () => Promise<unknown>) => {
    const started = performance.now();
    await work();
    took[which].push(performance.now() - started);
  };
  await one().then(other);
  for (let round = 0; round < 30; round++) {
    if (round % 2 === 0) await time('one', one).then(() => time('other', other));
    else await time('other', other).then(() => time('one', one));
  }
  return quartile(took.one) / quartile(took.other);
}

// Without the dummy hash an unknown account answers in a quarter of the time.
const max = 2;
const min = 1 / max;

const signIn = async (email: string) => {
  const response = await send(app, 'POST', '/api/session', { email, password: 'not the password, guessed' });
  expect(response.status).toBe(401);
  return { headers: [...response.headers.keys()], body: { ...(await response.json()), requestId: '' } };
};
const challenge = async (address: string) => {
  app.clock.now += 1_100; // the limit is sixty per minute
  const response = await send(app, 'POST', '/api/wallet/challenge', { address });
  expect(response.status).toBe(200);
  return { headers: [...response.headers.keys()], body: Object.keys(await response.json()) };
};

describe('whether an account exists cannot be learned', () => {
  test.each(['nobody@example.com', 'analyst@demo.local'])('at sign-in, from the answer to %s', async (email) => {
    expect(await signIn(email)).toEqual(await signIn(known));
  });

  test('hides unknown accounts in the duration of a sign-in', { timeout: 240_000 }, async () => {
    const unknown = () => signIn(`${randomUUID()}@example.com`);
    const found = await ratio(() => signIn(known), unknown);
    expect(found).toBeGreaterThan(min);
    expect(found).toBeLessThan(max);
  });

  test('hides disabled accounts in the duration of a sign-in', { timeout: 240_000 }, async () => {
    const found = await ratio(
      () => signIn('analyst@demo.local'),
      () => signIn(known),
    );
    expect(found).toBeGreaterThan(min);
    expect(found).toBeLessThan(max);
  });

  test('hides accounts in a wallet challenge and its duration', { timeout: 240_000 }, async () => {
    expect(await challenge(stranger.address)).toEqual(await challenge(wallet.address));
    const found = await ratio(
      () => challenge(wallet.address),
      () => challenge(stranger.address),
    );
    expect(found).toBeGreaterThan(min);
    expect(found).toBeLessThan(max);
  });
});
