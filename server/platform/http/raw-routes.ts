import type { RouteMeta } from '../../../api/base.ts';
import type { RequestContext } from '../services/context.ts';

/** Guarded like every route. */
export interface PlainRoute {
  readonly method: 'GET' | 'POST';
  /** Hono syntax: '/pictures/:id'. */
  readonly path: string;
  readonly meta: RouteMeta;
  /** Only without a session (cross-origin.ts). */
  readonly crossOrigin?: true;
  /** The log omits the caller. */
  readonly anonymous?: true;
  handle(call: PlainCall): Response | WholeAnswer | Promise<Response | WholeAnswer>;
}

/** Faster than a Response. */
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
