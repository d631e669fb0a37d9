import { desc, eq } from 'drizzle-orm';
import { integerOf } from '../../api/integers.ts';
import type { Config } from '../platform/core/config.ts';
import type { Services } from '../platform/services/context.ts';
import { badField, appError } from '../platform/core/errors.ts';
import { mails } from '../platform/content/tables.ts';
import type { RawRoute } from '../platform/http/raw-routes.ts';

/** Only for a database made by a demo (FORBIDDEN). Actions continue after the response; /readyz shows the end. */
export interface QaEnvironment {
  reset(): Promise<void>;
  /** Overwrites an earlier one of that name. */
  keep(name: string): Promise<void>;
  /** Throws NOT_FOUND. */
  restore(name: string): Promise<void>;
  now(): number;
  /** Milliseconds. */
  aheadMs(): number;
  /** Moves chain and signer too. Milliseconds since 1970, forward only. */
  setTime(at: number): Promise<void>;
  isUnlimited(): boolean;
  setLimits(isOn: boolean): Promise<void>;
}

const fresh = { 'cache-control': 'no-store' };

export const clockUrl = '/qa/clock.js';

/** `qaClock.ahead` can be changed, and `qaClock.fixed` stops the clock. */
const clockScript = (aheadMs: number): string => `(() => {
  const clock = Object.assign((globalThis.qaClock ??= {}), { ahead: ${aheadMs} });
  const Real = Date;
  const now = () => clock.fixed ?? Real.now() + clock.ahead;
  globalThis.Date = new Proxy(Real, {
    construct: (target, given, self) => Reflect.construct(target, given.length > 0 ? given : [now()], self),
    apply: () => new Real(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
})();
`;

/**
 * Only with `config.qaTools`, which production refuses. Changes need the permission to reset the permission tree, the widest
 * there is. `leapt` prepares for a later clock.
 */
export function qaRoutes(
  { qaTools, devnet, evm }: Config,
  environment: QaEnvironment | null,
  leapt: (services: Services) => Promise<void>,
): RawRoute[] {
  if (!qaTools || !environment) return [];
  const meta = { permission: 'permissions.reset' } as const;
  const begun = () => new Response(null, { status: 202, headers: fresh });
  const done = () => new Response(null, { status: 204 });
  const post = (path: string, handle: RawRoute['handle']): RawRoute => ({ method: 'POST', path, meta, handle });
  return [
    post('/qa/reset', async () => {
      await environment.reset();
      return begun();
    }),
    post('/qa/keep/:name', async ({ params }) => {
      await environment.keep(nameOf(params['name']));
      return begun();
    }),
    post('/qa/restore/:name', async ({ params }) => {
      await environment.restore(nameOf(params['name']));
      return begun();
    }),
    post('/qa/mine/:blocks', async ({ params }) => {
      if (!devnet || !evm) throw appError('NOT_FOUND');
      const { blocks = '' } = params;
      if (!/^[1-9]\d{0,3}$/.test(blocks)) throw appError('NOT_FOUND');
      const response = await fetch(evm.urls[0], {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_mine', params: [`0x${integerOf(blocks).toString(16)}`] }),
      });
      if (!response.ok || 'error' in ((await response.json()) as object)) throw appError('UNAVAILABLE');
      return done();
    }),
    post('/qa/time/:milliseconds', async ({ params, context }) => {
      const { milliseconds = '' } = params;
      if (!/^\d{13}$/.test(milliseconds)) throw badField('time', 'invalid');
      await environment.setTime(integerOf(milliseconds));
      await leapt(context.services);
      return done();
    }),
    post('/qa/limits/:state', async ({ params }) => {
      const { state } = params;
      if (state !== 'on' && state !== 'off') throw appError('NOT_FOUND');
      await environment.setLimits(state === 'on');
      return done();
    }),
    {
      method: 'GET',
      path: '/qa/state',
      meta: { public: true },
      handle: () =>
        Response.json(
          { now: environment.now(), aheadMs: environment.aheadMs(), unlimited: environment.isUnlimited() },
          { headers: fresh },
        ),
    },
    {
      // Loaded before anything else, so that the page uses the server's clock.
      method: 'GET',
      path: clockUrl,
      meta: { public: true },
      handle: () =>
        new Response(clockScript(environment.aheadMs()), {
          headers: { 'content-type': 'text/javascript; charset=utf-8', ...fresh },
        }),
    },
    {
      method: 'GET',
      path: '/qa/mail/:recipient',
      meta,
      handle: async ({ params, context }) => {
        const rows = await context.db
          .select({ to: mails.recipient, subject: mails.subject, text: mails.body, at: mails.createdAt })
          .from(mails)
          .where(eq(mails.recipient, params['recipient'] ?? ''))
          .orderBy(desc(mails.createdAt), desc(mails.id))
          .limit(50);
        return Response.json(rows, { headers: fresh });
      },
    },
  ];
}

function nameOf(part: string | undefined): string {
  if (!part || !/^[a-z0-9]{1,20}$/.test(part)) throw appError('NOT_FOUND');
  return part;
}
