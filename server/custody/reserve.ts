import type { Reserve } from '../../api/custody/reserve.ts';
import { readReserve } from '../authority/shared/read-reserve.ts';
import { failure } from '../platform/core/errors.ts';
import { on } from '../platform/http/router.ts';
import type { PlainRoute } from '../platform/http/raw-routes.ts';

/** How long a cache may keep the public answer: a new one comes every minute. */
const freshSeconds = 15;

export const reserveRoutes = {
  reserve: on.dataPanel.reserve.handler(({ context }) => readReserve(context.services, context.db)),
};

/** The proof as it is published: what is signed, and beside it what follows from that and from the clock. */
export type PublicReserve = Pick<Reserve, 'state' | 'coverage' | 'surplus'> &
  NonNullable<Reserve['signed']> & { problem: Pick<NonNullable<Reserve['problem']>, 'reason' | 'at'> | null };

/** `GET /public/reserve` for everybody. UNAVAILABLE while there is no proof that the minter signed. */
export const publicReserve: PlainRoute = {
  method: 'GET',
  path: '/public/reserve',
  meta: { public: true },
  async handle({ context: { services, db } }) {
    const { signed, state, coverage, surplus, problem } = await readReserve(services, db);
    if (!signed) throw failure('UNAVAILABLE');
    const answer: PublicReserve = {
      ...signed,
      state,
      coverage,
      surplus,
      // Whom the signer asks is nobody's business.
      problem: problem && { reason: problem.reason, at: problem.at },
    };
    return Response.json(answer, {
      headers: {
        'access-control-allow-origin': '*',
        'cache-control': `public, max-age=${freshSeconds}`,
        'content-type': 'application/json; charset=utf-8',
        'cross-origin-resource-policy': 'cross-origin',
      },
    });
  },
};
