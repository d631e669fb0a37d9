import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { send, createTestApp, type TestApp } from '../testing/support.ts';
import { createTestWallet } from '../testing/wallet.ts';
import { administrators } from '../platform/auth/tables.ts';

const knownEmail = 'editor@demo.local';
const wallet = createTestWallet({ secret: Buffer.alloc(32, 31) });
const unknownWallet = createTestWallet({ secret: Buffer.alloc(32, 32) });

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ SIGN_IN_FREE: '10000', SIGN_IN_PER_NETWORK: '1000000' });
  await app.database.db.update(administrators).set({ walletAddress: wallet.address }).where(eq(administrators.email, knownEmail));
  await app.database.db.update(administrators).set({ enabled: false }).where(eq(administrators.email, 'analyst@demo.local'));
});

/** The lower quartile, because other load only adds time. */
const lowerQuartile = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 2] ?? NaN;

/**
 * Alternates both calls, so that load affects them alike. The most equal of three measurements counts, because a real difference
 * is in all of them.
 */
async function measureRatio(runKnown: () => Promise<unknown>, runUnknown: () => Promise<unknown>): Promise<number> {
  const ratios: number[] = [];
  while (ratios.length < 3) {
    ratios.push(await measureOnce(runKnown, runUnknown));
    if (Math.abs(Math.log(ratios.at(-1) ?? NaN)) < Math.log(max) / 2) break;
  }
  return ratios.toSorted((a, b) => Math.abs(Math.log(a)) - Math.abs(Math.log(b)))[0] ?? NaN;
}

async function measureOnce(runKnown: () => Promise<unknown>, runUnknown: () => Promise<unknown>): Promise<number> {
  const durations = { one: [] as number[], other: [] as number[] };
  const measureTime = async (durationKey: keyof typeof durations, runRequest: () => Promise<unknown>) => {
    const startTime = performance.now();
    await runRequest();
    durations[durationKey].push(performance.now() - startTime);
  };
  await runKnown().then(runUnknown);
  for (let round = 0; round < 30; round++) {
    if (round % 2 === 0) await measureTime('one', runKnown).then(() => measureTime('other', runUnknown));
    else await measureTime('other', runUnknown).then(() => measureTime('one', runKnown));
  }
  return lowerQuartile(durations.one) / lowerQuartile(durations.other);
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
    expect(await signIn(email)).toEqual(await signIn(knownEmail));
  });

  test('hides unknown accounts in the duration of a sign-in', { timeout: 240_000 }, async () => {
    const signInUnknown = () => signIn(`${randomUUID()}@example.com`);
    const measuredRatio = await measureRatio(() => signIn(knownEmail), signInUnknown);
    expect(measuredRatio).toBeGreaterThan(min);
    expect(measuredRatio).toBeLessThan(max);
  });

  test('hides disabled accounts in the duration of a sign-in', { timeout: 240_000 }, async () => {
    const measuredRatio = await measureRatio(
      () => signIn('analyst@demo.local'),
      () => signIn(knownEmail),
    );
    expect(measuredRatio).toBeGreaterThan(min);
    expect(measuredRatio).toBeLessThan(max);
  });

  test('hides accounts in a wallet challenge and its duration', { timeout: 240_000 }, async () => {
    expect(await challenge(unknownWallet.address)).toEqual(await challenge(wallet.address));
    const measuredRatio = await measureRatio(
      () => challenge(wallet.address),
      () => challenge(unknownWallet.address),
    );
    expect(measuredRatio).toBeGreaterThan(min);
    expect(measuredRatio).toBeLessThan(max);
  });
});
