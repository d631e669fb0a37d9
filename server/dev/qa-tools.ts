import { desc, eq } from 'drizzle-orm';
import { toSafeInteger } from '../../api/integers.ts';
import type { Config } from '../platform/core/config.ts';
import type { Services } from '../platform/services/context.ts';
import { createFieldError, createAppError } from '../platform/core/errors.ts';
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

const noStoreHeaders = { 'cache-control': 'no-store' };

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
 * there is. `handleTimeChange` prepares for a later clock.
 */
export function qaRoutes(
  { qaTools, devnet, evm }: Config,
  qaEnvironment: QaEnvironment | null,
  handleTimeChange: (services: Services) => Promise<void>,
): RawRoute[] {
  if (!qaTools || !qaEnvironment) return [];
  const meta = { permission: 'permissions.reset' } as const;
  const acceptedResponse = () => new Response(null, { status: 202, headers: noStoreHeaders });
  const noContentResponse = () => new Response(null, { status: 204 });
  const createPostRoute = (path: string, handle: RawRoute['handle']): RawRoute => ({ method: 'POST', path, meta, handle });
  return [
    createPostRoute('/qa/reset', async () => {
      await qaEnvironment.reset();
      return acceptedResponse();
    }),
    createPostRoute('/qa/keep/:name', async ({ params }) => {
      await qaEnvironment.keep(parseName(params['name']));
      return acceptedResponse();
    }),
    createPostRoute('/qa/restore/:name', async ({ params }) => {
      await qaEnvironment.restore(parseName(params['name']));
      return acceptedResponse();
    }),
    createPostRoute('/qa/mine/:blocks', async ({ params }) => {
      if (!devnet || !evm) throw createAppError('NOT_FOUND');
      const { blocks = '' } = params;
      if (!/^[1-9]\d{0,3}$/.test(blocks)) throw createAppError('NOT_FOUND');
      const response = await fetch(evm.urls[0], {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'anvil_mine',
          params: [`0x${toSafeInteger(blocks).toString(16)}`],
        }),
      });
      if (!response.ok || 'error' in ((await response.json()) as object)) throw createAppError('UNAVAILABLE');
      return noContentResponse();
    }),
    createPostRoute('/qa/time/:milliseconds', async ({ params, context }) => {
      const { milliseconds = '' } = params;
      if (!/^\d{13}$/.test(milliseconds)) throw createFieldError('time', 'invalid');
      await qaEnvironment.setTime(toSafeInteger(milliseconds));
      await handleTimeChange(context.services);
      return noContentResponse();
    }),
    createPostRoute('/qa/limits/:state', async ({ params }) => {
      const { state } = params;
      if (state !== 'on' && state !== 'off') throw createAppError('NOT_FOUND');
      await qaEnvironment.setLimits(state === 'on');
      return noContentResponse();
    }),
    {
      method: 'GET',
      path: '/qa/state',
      meta: { public: true },
      handle: () =>
        Response.json(
          { now: qaEnvironment.now(), aheadMs: qaEnvironment.aheadMs(), unlimited: qaEnvironment.isUnlimited() },
          { headers: noStoreHeaders },
        ),
    },
    {
      // Loaded before anything else, so that the page uses the server's clock.
      method: 'GET',
      path: clockUrl,
      meta: { public: true },
      handle: () =>
        new Response(clockScript(qaEnvironment.aheadMs()), {
          headers: { 'content-type': 'text/javascript; charset=utf-8', ...noStoreHeaders },
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
        return Response.json(rows, { headers: noStoreHeaders });
      },
    },
  ];
}

function parseName(pathPart: string | undefined): string {
  if (!pathPart || !/^[a-z0-9]{1,20}$/.test(pathPart)) throw createAppError('NOT_FOUND');
  return pathPart;
}
