import type { RouteMeta } from '../../../api/base.ts';
import type { RequestContext } from '../core/context.ts';

/** A route outside the contract: what browsers and websites fetch by address. It has a meta like every route. */
export interface PlainRoute {
  readonly method: 'GET' | 'POST';
  /** Path as Hono writes it: '/pictures/:id'. */
  readonly path: string;
  readonly meta: RouteMeta;
  /** Pages of the configured websites may call it (cross-origin.ts): only for what acts without a session. */
  readonly crossOrigin?: true;
  /** The log does not say who called it. */
  readonly anonymous?: true;
  handle(call: PlainCall): Response | Promise<Response>;
}

export interface PlainCall {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly context: RequestContext;
}
