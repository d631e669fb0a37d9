import { desc, eq } from 'drizzle-orm';
import { integerOf } from '../../api/integers.ts';
import type { Config } from '../platform/core/config.ts';
import { failure } from '../platform/core/errors.ts';
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
}

/**
 * Steers a test environment. Only beside a demo on this machine that was told QA_TOOLS=on (`config.qaTools`): elsewhere there are no such
 * routes, and production does not start with it. They ask for the right that resets the permission tree, the widest there is.
 */
export function qaRoutes({ qaTools, devnet, evm }: Config, environment: Environment | null): PlainRoute[] {
  if (!qaTools || !environment) return [];
  const meta = { permission: 'permissions.reset' } as const;
  const begun = () => new Response(null, { status: 202, headers: { 'cache-control': 'no-store' } });
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
      const answer = await fetch(evm.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_mine', params: [`0x${integerOf(blocks).toString(16)}`] }),
      });
      if (!answer.ok || 'error' in ((await answer.json()) as object)) throw failure('UNAVAILABLE');
      return new Response(null, { status: 204 });
    }),
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
        return Response.json(rows, { headers: { 'cache-control': 'no-store' } });
      },
    },
  ];
}

function nameOf(part: string | undefined): string {
  if (!part || !/^[a-z0-9]{1,20}$/.test(part)) throw failure('NOT_FOUND');
  return part;
}
