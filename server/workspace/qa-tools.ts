import { desc, eq } from 'drizzle-orm';
import { integerOf } from '../../api/integers.ts';
import type { Config } from '../platform/core/config.ts';
import type { Services } from '../platform/core/context.ts';
import { badField, failure } from '../platform/core/errors.ts';
import { mails } from '../platform/content/tables.ts';
import type { PlainRoute } from '../platform/http/raw-routes.ts';

/** What a test environment can be made to be, of a database that a demo made: any other is refused (FORBIDDEN). Each is begun at once and goes on behind its answer: /readyz says when it is over. */
export interface Environment {
  /** As it is at a first start. */
  reset(): Promise<void>;
  /** Keeps what is there now under a name, over what was kept under it. */
  keep(name: string): Promise<void>;
  /** Brings back what was kept. Throws NOT_FOUND. */
  restore(name: string): Promise<void>;
  /** The environment's clock. */
  now(): number;
  /** How far that is ahead of this machine's, milliseconds. */
  aheadMs(): number;
  /** Lets it be later, milliseconds since 1970: with the chain and the signer. It never goes back but by `reset` and `restore`. */
  setTime(at: number): Promise<void>;
  isUnlimited(): boolean;
  /** Whether calls are counted. */
  setLimits(isOn: boolean): Promise<void>;
}

const fresh = { 'cache-control': 'no-store' };

/** Where the page of a test environment finds its clock. */
export const clockUrl = '/qa/clock.js';

/** Puts the page's Date as far ahead; `qaClock.ahead` may be changed while it stands, and `qaClock.fixed` stops it. */
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
 * Steers a test environment. Only beside a demo on this machine that was told QA_TOOLS=on (`config.qaTools`): elsewhere there are no such
 * routes, and production does not start with it. What changes it asks for the right that resets the permission tree, the widest there is.
 * `leapt` makes room for what a later clock brings.
 */
export function qaRoutes(
  { qaTools, devnet, evm }: Config,
  environment: Environment | null,
  leapt: (services: Services) => Promise<void>,
): PlainRoute[] {
  if (!qaTools || !environment) return [];
  const meta = { permission: 'permissions.reset' } as const;
  const begun = () => new Response(null, { status: 202, headers: fresh });
  const done = () => new Response(null, { status: 204 });
  const post = (path: string, handle: PlainRoute['handle']): PlainRoute => ({ method: 'POST', path, meta, handle });
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
      if (!devnet || !evm) throw failure('NOT_FOUND');
      const { blocks = '' } = params;
      if (!/^[1-9]\d{0,3}$/.test(blocks)) throw failure('NOT_FOUND');
      const answer = await fetch(evm.urls[0], {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_mine', params: [`0x${integerOf(blocks).toString(16)}`] }),
      });
      if (!answer.ok || 'error' in ((await answer.json()) as object)) throw failure('UNAVAILABLE');
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
      if (state !== 'on' && state !== 'off') throw failure('NOT_FOUND');
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
      // The page goes by the same clock as the server: it loads this before anything of its own.
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
  if (!part || !/^[a-z0-9]{1,20}$/.test(part)) throw failure('NOT_FOUND');
  return part;
}
