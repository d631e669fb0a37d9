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
  handle(call: PlainCall): Response | WholeAnswer | Promise<Response | WholeAnswer>;
}

/** An answer that is quicker made than a Response: every header in one object, and the body as it goes out, packed if at all. */
export interface WholeAnswer {
  readonly whole: true;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | null;
}

export interface PlainCall {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly context: RequestContext;
}
