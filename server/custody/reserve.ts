import type { Reserve } from '../../api/custody/reserve.ts';
import { readReserve } from '../authority/shared/read-reserve.ts';
import { coalesceReads } from '../platform/core/coalesce-reads.ts';
import { memoizePerServer, type Services } from '../platform/services/context.ts';
import { createAppError } from '../platform/core/errors.ts';
import { guardedApi } from '../platform/http/router.ts';
import type { RawRoute } from '../platform/http/raw-routes.ts';

const cacheSeconds = 15;
/** Limits how often a proof is checked, whatever the number of requests. */
export const cacheMs = 1_000;

export const reserveRoutes = {
  reserve: guardedApi.dataPanel.reserve.handler(({ context }) => readReserve(context.services, context.db)),
};

export type PublicReserve = Pick<Reserve, 'state' | 'coverage' | 'surplus'> &
  NonNullable<Reserve['signed']> & { problem: Pick<NonNullable<Reserve['problem']>, 'reason' | 'at'> | null };

/** `GET /public/reserve`. UNAVAILABLE without a valid proof. */
export const publicReserve: RawRoute = {
  method: 'GET',
  path: '/public/reserve',
  meta: { public: true },
  async handle({ context: { services } }) {
    const body = await readCachedBody(services)();
    if (!body) throw createAppError('UNAVAILABLE');
    return {
      whole: true,
      status: 200,
      headers: {
        'access-control-allow-origin': '*',
        'cache-control': `public, max-age=${cacheSeconds}`,
        'content-type': 'application/json; charset=utf-8',
        'cross-origin-resource-policy': 'cross-origin',
      },
      body,
    };
  },
};

/** A missing proof is cached, a failed reading is not. */
const readCachedBody = memoizePerServer((services) => {
  let cachedResponse: { at: number; body: Uint8Array<ArrayBuffer> | null } | null = null;
  return coalesceReads(async () => {
    const currentTime = services.now();
    const isCacheValid = cachedResponse !== null && cachedResponse.at <= currentTime && currentTime < cachedResponse.at + cacheMs; // invalid if the clock was set back
    if (!cachedResponse || !isCacheValid) cachedResponse = { at: currentTime, body: await readBody(services) };
    return cachedResponse.body;
  });
});

/** Null: no valid proof. */
async function readBody(services: Services): Promise<Uint8Array<ArrayBuffer> | null> {
  const { signed, state, coverage, surplus, problem } = await readReserve(services, services.database.db);
  if (!signed) return null;
  const publicFields: PublicReserve = {
    ...signed,
    state,
    coverage,
    surplus,
    // Does not publish the signer's sources.
    problem: problem && { reason: problem.reason, at: problem.at },
  };
  return new Uint8Array(Buffer.from(JSON.stringify(publicFields)));
}
